// The conversation of one phone: rows, days, albums, and where it is scrolled to.
import { bubbleRow, isOwn } from "./bubbles.js";
import { h, icon } from "./dom.js";
import { dayName, messageDay } from "./time.js";

const NEAR_BOTTOM = 48;
const ONE_BREATH = 300;

export class MessageList {
  #rows = [];
  #context;
  #pinned = true;
  #missed = 0;
  #shape = "";
  #typing = h("div", { class: "row theirs typing", hidden: true }, h("div", { class: "bubble", "aria-label": "digitando" }, h("i"), h("i"), h("i")));

  constructor(name, context, onSeen) {
    this.#context = context;
    this.onSeen = onSeen;
    this.inner = h("div", { class: "log-inner" });
    this.log = h(
      "div",
      { class: "log", role: "log", tabindex: "0", "aria-live": "polite", "aria-label": `Conversa de ${name}`, dataset: { role: "log" } },
      this.inner,
    );
    this.badge = h("span", { class: "badge", hidden: true });
    this.toBottom = h(
      "button",
      { type: "button", class: "to-bottom", hidden: true, "aria-label": "Ir para as últimas mensagens", on: { click: () => this.scrollToEnd() } },
      icon("down"),
      this.badge,
    );
    this.log.addEventListener("scroll", () => this.#scrolled(), { passive: true });
    this.log.addEventListener("keydown", (event) => this.#walk(event));
    // Pictures that load, keyboards that open, a phone shown again: whoever was at the end stays there.
    const keep = new ResizeObserver(() => this.#pinned && this.#jump());
    keep.observe(this.inner);
    keep.observe(this.log);
  }

  get atEnd() {
    return this.#pinned;
  }

  /** Draw everything anew. */
  fill(messages, empty) {
    this.#rows = [];
    const fragment = document.createDocumentFragment();
    for (const message of messages) this.#append(message, fragment);
    this.inner.replaceChildren(messages.length ? fragment : empty, this.#typing);
    this.scrollToEnd();
  }

  /** Show a new message or the new form of a known one. */
  put(message, isNew) {
    const row = this.#rows.find((one) => one.messages.some((other) => other.message_id === message.message_id));
    if (row) {
      row.messages = row.messages.map((other) => (other.message_id === message.message_id ? message : other));
      this.#redraw(row);
      return;
    }
    if (!isNew) return;
    if (!this.#rows.length) this.inner.replaceChildren(this.#typing);
    const fragment = document.createDocumentFragment();
    const added = this.#append(message, fragment);
    added?.classList.add("arriving");
    this.#typing.before(fragment);
    if (isOwn(message)) this.scrollToEnd();
    else if (!this.#pinned) this.#miss();
  }

  /** Draw a row again, because a press began or ended. */
  refresh(messageId) {
    const row = this.#rows.find((one) => one.messages.some((other) => other.message_id === messageId));
    if (row) this.#redraw(row);
  }

  showTyping(typing) {
    this.#typing.hidden = !typing;
  }

  /** "Hoje" becomes "Ontem" when the clock moves. */
  nameDays() {
    for (const label of this.inner.querySelectorAll(".day")) label.firstChild.textContent = dayName(Number(label.dataset.unix));
  }

  scrollToEnd() {
    this.#pinned = true;
    this.#missed = 0;
    this.#showButton();
    this.#jump();
    this.onSeen();
  }

  #append(message, target) {
    const before = this.#rows.at(-1);
    const last = before?.messages.at(-1);
    if (message.media_group_id && last?.media_group_id === message.media_group_id) {
      before.messages.push(message);
      this.#redraw(before);
      return null;
    }
    const sameDay = last && messageDay(last.date) === messageDay(message.date);
    if (!sameDay) {
      target.append(h("div", { class: "day", dataset: { unix: message.date } }, h("span", {}, dayName(message.date))));
    }
    const row = { messages: [message], joined: Boolean(sameDay && isOwn(last) === isOwn(message) && message.date - last.date < ONE_BREATH) };
    this.#rows.push(row);
    if (row.joined) before.element.classList.add("followed");
    row.element = this.#draw(row);
    target.append(row.element);
    return row.element;
  }

  #draw(row) {
    const element = bubbleRow(row.messages, this.#context);
    element.classList.toggle("joined", row.joined);
    return element;
  }

  #redraw(row) {
    const old = row.element;
    const focused = old.contains(document.activeElement) ? document.activeElement.dataset.callback : undefined;
    const hadFocus = old.contains(document.activeElement);
    row.element = this.#draw(row);
    row.element.classList.toggle("followed", old.classList.contains("followed"));
    old.replaceWith(row.element);
    if (!hadFocus) return;
    const again = focused === undefined ? null : row.element.querySelector(`[data-callback="${CSS.escape(focused)}"]`);
    (again ?? row.element).focus({ preventScroll: true });
  }

  #miss() {
    this.#missed += 1;
    this.#showButton();
  }

  #showButton() {
    this.toBottom.hidden = this.#pinned;
    this.badge.hidden = this.#missed === 0;
    this.badge.textContent = String(this.#missed);
  }

  #jump() {
    this.log.scrollTop = this.log.scrollHeight;
    this.#shape = this.#measure();
  }

  #measure() {
    return `${this.log.scrollHeight}/${this.log.clientHeight}`;
  }

  #scrolled() {
    // A scroll because something grew or shrank is not the person leaving the end.
    const shape = this.#measure();
    if (shape !== this.#shape && this.#pinned) {
      this.#jump();
      return;
    }
    this.#shape = shape;
    const pinned = this.log.scrollHeight - this.log.scrollTop - this.log.clientHeight < NEAR_BOTTOM;
    if (pinned === this.#pinned) return;
    this.#pinned = pinned;
    if (pinned) {
      this.#missed = 0;
      this.onSeen();
    }
    this.#showButton();
  }

  /** Arrows walk from message to message; Enter opens the actions of the one that is focused. */
  #walk(event) {
    const current = document.activeElement.closest(".row");
    if (event.key === "Enter" && document.activeElement === current) {
      current?.querySelector(".row-menu")?.click();
      event.preventDefault();
    }
    if (event.key !== "ArrowUp" && event.key !== "ArrowDown") return;
    if (document.activeElement !== this.log && document.activeElement !== current) return;
    const elements = this.#rows.map((row) => row.element);
    const from = current ? elements.indexOf(current) : elements.length;
    const next = elements[from + (event.key === "ArrowUp" ? -1 : 1)];
    if (!next) return;
    next.focus();
    event.preventDefault();
  }
}

/** Words in an empty conversation. */
export function emptyChat(bot) {
  return h(
    "div",
    { class: "empty" },
    h("img", { src: "/page/logo.svg", alt: "", width: "64", height: "64" }),
    h("strong", {}, bot.first_name ?? "Balcão"),
    h("p", {}, "Nenhuma mensagem ainda. Toque em “Início” para abrir a conversa, como no aplicativo."),
  );
}
