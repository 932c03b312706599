// The buttons under a message, and the wait between a press and the bot's answer.
import { h, icon } from "./dom.js";

const WAIT_LIMIT = 15_000;

/** Draw the rows; `pending` remembers presses, so that a message edited meanwhile keeps its spinner. */
export function inlineKeyboard(message, rows, { press, pending }) {
  return h(
    "div",
    { class: "inline-keyboard", role: "group", "aria-label": "Opções" },
    rows.map((row) => h("div", { class: "inline-row" }, row.map((button) => draw(message, button, { press, pending })))),
  );
}

function draw(message, button, { press, pending }) {
  const words = h("span", { class: "inline-words" }, button.text);
  if (button.url) {
    return h("a", { class: "inline-button", href: button.url, target: "_blank", rel: "noopener noreferrer" }, words, icon("external"));
  }
  const mark = button.copy_text ? icon("copy") : null;
  const element = h("button", { type: "button", class: "inline-button" }, words, mark);
  if (button.callback_data !== undefined) {
    element.dataset.callback = button.callback_data;
    element.classList.toggle("waiting", pending.has(message.message_id, button.callback_data));
  }
  element.addEventListener("click", () => press(message, button));
  return element;
}

/** The presses of one phone that the bot has not answered yet. */
export class Pending {
  #presses = [];
  #early = new Set();

  has(messageId, data) {
    return this.#presses.some((press) => press.messageId === messageId && press.data === data);
  }

  start(messageId, data, onTimeout) {
    const press = { messageId, data, callbackId: null, timer: 0 };
    press.timer = setTimeout(() => {
      this.#drop(press);
      onTimeout();
    }, WAIT_LIMIT);
    this.#presses.push(press);
    return press;
  }

  /** Tell which callback a press became; the bot's answer may have come before that. */
  name(press, callbackId) {
    press.callbackId = callbackId;
    if (this.#early.delete(callbackId)) this.#drop(press);
  }

  answered(callbackId) {
    const press = this.#presses.find((one) => one.callbackId === callbackId);
    if (press) this.#drop(press);
    else this.#early.add(callbackId);
  }

  cancel(press) {
    this.#drop(press);
  }

  #drop(press) {
    clearTimeout(press.timer);
    this.#presses = this.#presses.filter((one) => one !== press);
  }
}
