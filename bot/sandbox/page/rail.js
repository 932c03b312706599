// The phones side by side: as many as fit; the rest one press of a tab away.
import { fullName, h, initials } from "./dom.js";
import { PhoneView, tintOf } from "./phone.js";

const NARROWEST = 348;
const GAP = 20;

export class Rail {
  #state;
  #views = new Map();
  #active = null;
  #first = 0;

  constructor(rail, switcher, state) {
    this.rail = rail;
    this.switcher = switcher;
    this.#state = state;
    switcher.addEventListener("keydown", (event) => this.#arrow(event));
    rail.addEventListener("focusin", (event) => this.#touched(event));
    rail.addEventListener("pointerdown", (event) => {
      this.#touched(event);
      for (const view of this.#views.values()) view.composer.leave(event.target);
    });
    new ResizeObserver(() => this.#arrange()).observe(rail);
    document.addEventListener("visibilitychange", () => this.activate(this.#active));
  }

  /** Build every phone anew; what was being looked at stays in sight. */
  load() {
    const drafts = [...this.#views].map(([id, view]) => [id, view.composer.draft]);
    this.#views = new Map([...this.#state.phones.values()].map((phone) => [phone.id, new PhoneView(phone, this.#state)]));
    for (const [id, draft] of drafts) if (draft && this.#views.has(id)) this.#views.get(id).composer.draft = draft;
    this.rail.replaceChildren(...[...this.#views.values()].map((view) => view.element));
    this.tick();
    this.activate(this.#views.has(this.#active) ? this.#active : [...this.#views.keys()][0]);
  }

  /** Bring in a phone; a quiet one leaves what is being looked at where it is. */
  add(phone, { quiet = false } = {}) {
    const view = new PhoneView(phone, this.#state);
    this.#views.set(phone.id, view);
    this.rail.append(view.element);
    view.tick();
    this.activate(quiet ? this.#active : phone.id);
    if (!quiet) view.focus();
  }

  view(id) {
    return this.#views.get(id);
  }

  tick() {
    for (const view of this.#views.values()) view.tick();
  }

  update(phone) {
    this.view(phone.id).update();
    this.#drawTabs();
  }

  activate(id) {
    this.#active = id;
    for (const [other, view] of this.#views) view.active = other === id;
    this.#arrange();
  }

  /** Go to the n-th phone, counted from one. */
  go(number) {
    const view = [...this.#views.values()][number - 1];
    if (!view) return;
    this.activate(view.phone.id);
    view.focus();
  }

  #touched(event) {
    const id = Number(event.target.closest?.("[data-phone]")?.dataset.phone);
    if (id && id !== this.#active) this.activate(id);
  }

  #arrange() {
    const ids = [...this.#views.keys()];
    const fit = Math.max(1, Math.floor((this.rail.clientWidth + GAP) / (NARROWEST + GAP)));
    const at = Math.max(0, ids.indexOf(this.#active));
    if (at < this.#first) this.#first = at;
    if (at >= this.#first + fit) this.#first = at - fit + 1;
    this.#first = Math.max(0, Math.min(this.#first, ids.length - fit));
    const allFit = fit >= ids.length;
    ids.forEach((id, index) => {
      const { element } = this.#views.get(id);
      element.hidden = index < this.#first || index >= this.#first + fit;
      element.setAttribute("role", allFit ? "region" : "tabpanel");
    });
    this.rail.style.setProperty("--columns", String(Math.min(fit, ids.length) || 1));
    this.switcher.hidden = allFit;
    this.#drawTabs();
  }

  #drawTabs() {
    if (this.switcher.hidden) return;
    const hadFocus = this.switcher.contains(document.activeElement);
    const tabs = [...this.#views.values()].map(({ phone, element }) => {
      const selected = phone.id === this.#active;
      return h(
        "button",
        {
          type: "button",
          role: "tab",
          class: element.hidden ? "tab" : "tab shown",
          "aria-selected": String(selected),
          "aria-controls": element.id,
          tabindex: selected ? "0" : "-1",
          dataset: { tab: phone.id, tint: tintOf(phone) },
          on: { click: () => this.activate(phone.id) },
        },
        h("span", { class: "avatar", "aria-hidden": "true" }, initials(phone)),
        h("span", { class: "tab-words" }, h("strong", {}, phone.first_name), h("small", {}, phone.label || fullName(phone))),
        phone.unread ? h("span", { class: "badge", dataset: { role: "tab-unread" }, "aria-label": `${phone.unread} não lidas` }, String(phone.unread)) : null,
      );
    });
    this.switcher.replaceChildren(h("div", { class: "tabs", role: "tablist", "aria-label": "Telefones" }, tabs));
    const selected = tabs.find((tab) => tab.getAttribute("aria-selected") === "true");
    selected?.scrollIntoView({ block: "nearest", inline: "nearest" });
    if (hadFocus) selected?.focus();
  }

  #arrow(event) {
    const ids = [...this.#views.keys()];
    const at = ids.indexOf(this.#active);
    const to = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: ids.length - 1 }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    this.activate(ids[(to + ids.length) % ids.length]);
  }
}
