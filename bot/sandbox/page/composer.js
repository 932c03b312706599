// Where a person writes: text that grows, commands, answering and correcting a message.
import * as api from "./api.js";
import { AttachSheet } from "./attach.js";
import { isOwn, summary } from "./bubbles.js";
import { Commands } from "./commands.js";
import { h, icon, iconButton, setIcon } from "./dom.js";
import { ReplyKeys } from "./replykeys.js";

const TALLEST = 140;

export class Composer {
  #phone;
  #actions;
  #editing = null;
  #replying = null;

  /** `actions`: run(promise) shows failures, sendText, shareContact, shareLocation, element, state. */
  constructor(phone, actions) {
    this.#phone = phone;
    this.#actions = actions;
    this.commands = new Commands(phone.id, (command, onlyWrite) => this.#pickCommand(command, onlyWrite));
    this.replyKeys = new ReplyKeys((key) => this.#pressKey(key));
    this.attach = new AttachSheet(phone, actions);
    this.input = h("textarea", {
      rows: "1",
      "aria-label": `Mensagem de ${phone.first_name}`,
      "aria-controls": this.commands.list.id,
      autocomplete: "off",
      enterkeyhint: "send",
      dataset: { role: "composer" },
    });
    this.send = iconButton("send", "Enviar", { class: "send", dataset: { role: "send" } });
    this.start = h("button", { type: "button", class: "start", dataset: { role: "start" }, on: { click: () => actions.sendText("/start") } }, "Início");
    this.context = h("div", { class: "context", hidden: true });
    this.blocked = h(
      "div",
      { class: "blocked" },
      h("span", {}, icon("ban"), "Você bloqueou este bot."),
      h("button", { type: "button", class: "button primary", on: { click: () => actions.run(api.block(phone.id, false)) } }, "Desbloquear"),
    );
    this.bar = h(
      "div",
      { class: "bar" },
      this.commands.button,
      h("div", { class: "input-box" }, this.input, this.replyKeys.button, this.attach.button),
      this.send,
    );
    this.element = h(
      "div",
      { class: "dock" },
      this.blocked,
      this.commands.list,
      this.attach.sheet,
      this.start,
      this.context,
      this.bar,
      this.replyKeys.panel,
    );
    this.#bind();
    this.update();
  }

  /** What was begun and not sent. */
  get draft() {
    return this.#editing ? "" : this.input.value;
  }

  set draft(text) {
    this.input.value = text;
    this.#describe();
  }

  update() {
    const { blocked, started, messages, commands, reply_keyboard: keys, placeholder } = this.#phone;
    this.element.classList.toggle("is-blocked", blocked);
    this.start.hidden = started || messages.length > 0;
    this.commands.set(commands);
    this.replyKeys.set(keys ?? null);
    this.input.placeholder = placeholder ?? this.replyKeys.placeholder ?? "Mensagem";
  }

  /** Close what is open when the person goes on elsewhere. */
  leave(target) {
    if (this.element.contains(target)) return;
    this.commands.close();
    this.attach.close();
  }

  edit(message) {
    this.#editing = message;
    this.#replying = null;
    this.#showContext("edit", "Editar mensagem", summary(message));
    this.#write(message.text ?? "");
  }

  reply(message) {
    this.#replying = message;
    this.#editing = null;
    this.#showContext("reply", isOwn(message) ? "Responder a você" : `Responder a ${message.from?.first_name ?? "bot"}`, summary(message));
    this.input.focus();
  }

  #bind() {
    this.input.addEventListener("input", () => this.#typed());
    this.input.addEventListener("keydown", (event) => this.#key(event));
    this.input.addEventListener("paste", (event) => {
      if (!event.clipboardData.files.length) return;
      event.preventDefault();
      this.attach.offer([...event.clipboardData.files]);
    });
    this.send.addEventListener("click", () => this.#submit());
    this.commands.button.addEventListener("click", () => {
      this.attach.close();
      if (this.commands.isOpen) this.commands.close();
      else this.commands.open();
      this.#describe();
      this.input.focus();
    });
    this.element.addEventListener("keydown", (event) => {
      if (event.key !== "Escape") return;
      if (this.attach.isOpen) this.attach.close({ focus: true });
      else if (this.#editing || this.#replying) this.#clearContext();
    });
  }

  #typed() {
    const text = this.input.value;
    if (/^\/\w*$/.test(text)) this.commands.open(text);
    else this.commands.close();
    this.#describe();
    this.#grow();
  }

  #describe() {
    const active = this.commands.activeId;
    if (active) this.input.setAttribute("aria-activedescendant", active);
    else this.input.removeAttribute("aria-activedescendant");
    this.send.classList.toggle("ready", this.input.value.trim() !== "");
  }

  #grow() {
    this.input.style.height = "auto";
    this.input.style.height = `${Math.min(TALLEST, this.input.scrollHeight)}px`;
  }

  #key(event) {
    if (event.isComposing) return;
    if (this.commands.key(event)) {
      this.#describe();
      return;
    }
    if (event.key === "Enter" && !event.shiftKey) {
      event.preventDefault();
      this.#submit();
    } else if (event.key === "ArrowUp" && this.input.value === "") {
      const last = this.#phone.messages.findLast((message) => isOwn(message) && message.text);
      if (!last) return;
      event.preventDefault();
      this.edit(last);
    }
  }

  async #submit() {
    const text = this.input.value.trim();
    if (!text) return this.input.focus();
    const editing = this.#editing;
    const replying = this.#replying;
    this.#write("");
    this.#clearContext();
    this.commands.close();
    const sent = editing
      ? await this.#actions.run(api.edit(this.#phone.id, editing.message_id, text))
      : await this.#actions.sendText(text, replying?.message_id);
    // What was refused is given back, unless something new was begun.
    if (sent === null && this.input.value === "") this.#write(text);
    return undefined;
  }

  #pickCommand(command, onlyWrite) {
    if (onlyWrite) return this.#write(`/${command} `);
    this.#write("");
    return this.#actions.sendText(`/${command}`);
  }

  #pressKey(key) {
    if (key.request_contact) return this.#actions.shareContact();
    if (key.request_location) return this.#actions.shareLocation();
    return this.#actions.sendText(key.text);
  }

  #write(text) {
    this.input.value = text;
    this.#grow();
    this.#describe();
    this.input.focus({ preventScroll: true });
  }

  #showContext(name, title, words) {
    const close = iconButton("close", "Desistir", { on: { click: () => this.#clearContext() } });
    this.context.replaceChildren(icon(name), h("span", { class: "context-words" }, h("strong", {}, title), h("span", {}, words)), close);
    this.context.hidden = false;
    setIcon(this.send, name === "edit" ? "check" : "send");
  }

  #clearContext() {
    if (this.#editing) this.#write("");
    this.#editing = null;
    this.#replying = null;
    this.context.hidden = true;
    setIcon(this.send, "send");
  }
}
