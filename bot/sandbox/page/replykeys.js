// The keyboard that a bot puts in the place of the phone's own.
import { h, icon, iconButton } from "./dom.js";

export class ReplyKeys {
  #markup = null;
  #open = false;
  #press;

  constructor(press) {
    this.#press = press;
    this.panel = h("div", { class: "reply-keys", role: "group", "aria-label": "Teclado do bot", hidden: true });
    this.button = iconButton("keyboard", "Teclado do bot", { "aria-expanded": "false", hidden: true, on: { click: () => this.#show(!this.#open) } });
  }

  /** Take the phone's keyboard; one that just came opens, one that did not change stays as it was left. */
  set(markup) {
    const rows = markup?.keyboard ?? [];
    if (JSON.stringify(markup) === JSON.stringify(this.#markup)) return;
    this.#markup = markup;
    this.panel.classList.toggle("fitted", Boolean(markup?.resize_keyboard));
    this.panel.replaceChildren(...rows.map((row) => h("div", { class: "reply-row" }, row.map((key) => this.#key(key)))));
    this.button.hidden = rows.length === 0;
    this.#show(rows.length > 0);
  }

  get placeholder() {
    return this.#markup?.input_field_placeholder ?? null;
  }

  #key(key) {
    const words = typeof key === "string" ? key : key.text;
    const mark = key.request_location ? "pin" : key.request_contact ? "user" : null;
    return h(
      "button",
      {
        type: "button",
        class: "reply-key",
        on: {
          click: () => {
            if (this.#markup.one_time_keyboard) this.#show(false);
            this.#press(typeof key === "string" ? { text: key } : key);
          },
        },
      },
      mark ? icon(mark) : null,
      words,
    );
  }

  #show(open) {
    this.#open = open;
    this.panel.hidden = !open;
    this.button.setAttribute("aria-expanded", String(open));
    this.button.classList.toggle("on", open);
  }
}
