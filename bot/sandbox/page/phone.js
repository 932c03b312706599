// One phone: whose it is, its conversation with the bot, and what can be done with it.
import * as api from "./api.js";
import { Refused } from "./api.js";
import { isOwn } from "./bubbles.js";
import { Composer } from "./composer.js";
import { CANCEL, ask, field, tell } from "./dialogs.js";
import { fullName, h, hash, icon, iconButton, initials } from "./dom.js";
import { Pending } from "./inline.js";
import { deepLink, startWords } from "./links.js";
import { openMenu } from "./menu.js";
import { MessageList, emptyChat } from "./messages.js";
import { clock, hour } from "./time.js";

const NOTICE_TIME = 4200;
const LANGUAGES = [
  ["pt-br", "Português"],
  ["en", "English"],
  ["es", "Español"],
];
const TINTS = [
  [/motor|moto|condut|cobrad|tax/i, "driver"],
  [/passag|usu[aá]ri|cidad/i, "passenger"],
  [/servid|atend|fiscal|chef|gestor|prefeit/i, "staff"],
];

export const tintOf = (phone) =>
  TINTS.find(([pattern]) => pattern.test(phone.label ?? ""))?.[1] ?? `other-${hash(String(phone.id)) % 3}`;

export class PhoneView {
  #state;
  #pending = new Pending();
  #active = false;
  #reading = false;

  constructor(phone, state) {
    this.phone = phone;
    this.#state = state;
    const actions = {
      press: (message, button) => this.#press(message, button),
      menu: (message, button) => this.#messageMenu(message, button),
    };
    this.messages = new MessageList(
      phone.first_name,
      {
        actions,
        pending: this.#pending,
        quoted: (id) => phone.messages.find((message) => message.message_id === id),
      },
      () => this.#markRead(),
    );
    this.composer = new Composer(phone, {
      run: (promise, words) => this.#run(promise, words),
      sendText: (text, replyTo) => this.#sendText(text, replyTo),
      shareContact: () => this.composer.attach.shareOwnContact(),
      shareLocation: () => this.composer.attach.shareLocation(),
      element: () => this.element,
    });
    this.#build();
    this.messages.fill(phone.messages, emptyChat(state.bot));
    this.update();
  }

  /** Whether the person is looking at this phone: what comes is read at once. */
  set active(active) {
    this.#active = active;
    this.element.classList.toggle("active", active);
    if (active) this.#markRead();
  }

  take(message, isNew) {
    this.messages.put(message, isNew);
    if (isNew) this.composer.update();
    this.#markRead();
  }

  refill() {
    this.messages.fill(this.phone.messages, emptyChat(this.#state.bot));
  }

  update() {
    const { phone } = this;
    this.element.dataset.tint = tintOf(phone);
    this.element.setAttribute("aria-label", `Telefone de ${fullName(phone)}`);
    this.avatar.textContent = initials(phone);
    this.name.textContent = fullName(phone);
    this.label.textContent = phone.label ?? "";
    this.label.hidden = !phone.label;
    this.note.textContent = phone.note ?? "";
    this.note.title = phone.note ?? "";
    this.unread.hidden = !phone.unread;
    this.unread.textContent = String(phone.unread);
    this.unread.setAttribute("aria-label", `${phone.unread} não lidas`);
    this.status.textContent = phone.typing ? "digitando…" : phone.blocked ? "bloqueado" : "bot";
    this.status.classList.toggle("on", Boolean(phone.typing));
    this.messages.showTyping(phone.typing);
    this.composer.update();
    this.#markRead();
  }

  tick() {
    this.time.textContent = hour(clock.now());
    this.messages.nameDays();
  }

  /** The bot answered a press: stop the wait, and show what it said. */
  answered({ callback_id: id, message_id: messageId, text, show_alert: isAlert }) {
    this.#pending.answered(id);
    this.messages.refresh(messageId);
    if (!text) return;
    if (isAlert) tell({ title: this.#state.bot.first_name ?? "Balcão", words: text, anchor: this.element, role: "callback-alert" });
    else this.#notice(text, "callback-toast");
  }

  focus() {
    (this.phone.blocked ? this.messages.log : this.composer.input).focus({ preventScroll: true });
  }

  #build() {
    this.avatar = h("span", { class: "avatar", "aria-hidden": "true" });
    this.name = h("h2", {});
    this.label = h("span", { class: "label" });
    this.note = h("p", { class: "note" });
    this.unread = h("span", { class: "badge", dataset: { role: "unread" } });
    this.status = h("span", { class: "status", role: "status" });
    this.time = h("span", {});
    this.toasts = h("div", { class: "toasts", role: "status" });
    const menu = iconButton("more", "Opções deste telefone", { "aria-haspopup": "menu", dataset: { role: "phone-menu" } });
    menu.addEventListener("click", () => this.#phoneMenu(menu));
    this.element = h(
      "section",
      { class: "phone", id: `phone-${this.phone.id}`, dataset: { phone: this.phone.id } },
      h(
        "header",
        { class: "persona" },
        this.avatar,
        h("div", { class: "persona-words" }, h("div", { class: "persona-name" }, this.name, this.label), this.note),
        this.unread,
        menu,
      ),
      h(
        "div",
        { class: "frame" },
        h("div", { class: "statusbar", "aria-hidden": "true" }, this.time, h("span", {}, icon("signal"), icon("battery"))),
        h(
          "div",
          { class: "chat-head" },
          h("img", { src: "/page/logo.svg", alt: "", width: "34", height: "34" }),
          h("div", {}, h("strong", {}, this.#state.bot.first_name ?? "Balcão"), this.status),
        ),
        h("div", { class: "chat" }, this.messages.log, this.messages.toBottom, this.toasts),
        this.composer.element,
      ),
    );
    this.messages.log.addEventListener("click", (event) => this.#followLink(event));
    this.element.addEventListener("dragover", (event) => event.preventDefault());
    this.element.addEventListener("drop", (event) => {
      event.preventDefault();
      this.composer.attach.offer([...event.dataTransfer.files]);
    });
  }

  /** Await something asked of the server; a refusal is shown here. Gives null when it failed. */
  async #run(promise, words = null) {
    const waiting = words ? this.#notice(words, "notice", 0) : null;
    try {
      const answer = await promise;
      for (const message of answer.messages ?? [answer]) {
        if (message.message_id) this.#state.put(this.phone.id, message);
        else if (message.id === this.phone.id) this.#state.change(this.phone.id, message);
      }
      return answer;
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      this.#notice(error.message, "notice");
      return null;
    } finally {
      waiting?.remove();
    }
  }

  /** Send words; like the real clients, what is too long for one message goes as several. */
  async #sendText(text, replyTo) {
    const limit = this.#state.limits.text ?? 4096;
    let answer = null;
    for (let rest = text; rest; ) {
      const space = rest.length > limit ? Math.max(rest.lastIndexOf("\n", limit), rest.lastIndexOf(" ", limit)) : limit;
      const part = rest.slice(0, space > limit / 2 ? space : limit);
      rest = rest.slice(part.length).trimStart();
      answer = await this.#run(api.send(this.phone.id, part, replyTo));
      if (answer === null) return null;
    }
    return answer;
  }

  async #press(message, button) {
    if (button.copy_text) return this.#copy(button.copy_text.text);
    if (button.callback_data === undefined) return this.#notice("Este botão só funciona no aplicativo de verdade.", "notice");
    if (this.#pending.has(message.message_id, button.callback_data)) return null;
    const press = this.#pending.start(message.message_id, button.callback_data, () => this.messages.refresh(message.message_id));
    this.messages.refresh(message.message_id);
    const answer = await this.#run(api.press(this.phone.id, message.message_id, button.callback_data));
    if (answer) this.#pending.name(press, answer.callback_id);
    else this.#pending.cancel(press);
    this.messages.refresh(message.message_id);
    return answer;
  }

  #followLink(event) {
    const target = event.target.closest("a[href], [data-command], [data-copy]");
    if (!target) return;
    if (target.dataset.command) this.#sendText(target.dataset.command);
    else if (target.dataset.copy) this.#copy(target.dataset.copy);
    else {
      const words = deepLink(target.href, this.#state.bot.username);
      if (words === null) return;
      event.preventDefault();
      if (words) this.#sendText(words);
      else this.messages.scrollToEnd();
    }
  }

  async #copy(text) {
    try {
      await navigator.clipboard.writeText(text);
      this.#notice("Copiado.", "notice");
    } catch {
      this.#notice("O navegador não deixou copiar.", "notice");
    }
  }

  #messageMenu(message, button) {
    const words = message.text ?? message.caption;
    openMenu(button, [
      { icon: "reply", label: "Responder", run: () => this.composer.reply(message) },
      ...(words ? [{ icon: "copy", label: "Copiar texto", run: () => this.#copy(words) }] : []),
      ...(isOwn(message) && message.text ? [{ icon: "edit", label: "Editar", run: () => this.composer.edit(message) }] : []),
    ]);
  }

  #phoneMenu(button) {
    const { phone } = this;
    const language = (phone.language_code ?? "").toLowerCase();
    openMenu(button, [
      { heading: "Idioma do aplicativo" },
      ...LANGUAGES.map(([code, label]) => ({
        icon: "globe",
        label,
        checked: language === code || language.split("-")[0] === code.split("-")[0],
        data: { language: code },
        run: () => this.#run(api.changePhone(phone.id, { language_code: code })),
      })),
      { heading: "Este telefone" },
      { icon: "edit", label: "Renomear…", run: () => this.#rename() },
      { icon: "link", label: "Abrir um convite…", run: () => this.#openInvitation() },
      phone.blocked
        ? { icon: "check", label: "Desbloquear o bot", run: () => this.#run(api.block(phone.id, false)) }
        : { icon: "ban", label: "Bloquear o bot", danger: true, run: () => this.#run(api.block(phone.id, true)) },
    ]);
  }

  async #rename() {
    const { phone } = this;
    const name = h("input", { type: "text", value: phone.first_name, maxlength: "64", required: true });
    const label = h("input", { type: "text", value: phone.label ?? "", maxlength: "32" });
    const note = h("input", { type: "text", value: phone.note ?? "", maxlength: "120" });
    const value = await ask({
      title: "Renomear",
      body: [field("Nome", name), field("Papel", label), field("Nota", note)],
      actions: [{ label: "Guardar", value: "save" }, CANCEL],
      anchor: this.element,
    });
    if (value) await this.#run(api.changePhone(phone.id, { first_name: name.value.trim(), label: label.value.trim(), note: note.value.trim() }));
  }

  async #openInvitation() {
    const link = h("input", { type: "text", required: true, autocomplete: "off", placeholder: `https://t.me/${this.#state.bot.username ?? "bot"}?start=…` });
    const value = await ask({
      title: "Abrir um convite",
      body: [field("Link ou código", link, "Como se o link tivesse sido tocado neste telefone.")],
      actions: [{ label: "Abrir", value: "open" }, CANCEL],
      validate: () => (startWords(link.value, this.#state.bot.username) ? null : "Isto não é um link deste bot nem um código."),
      anchor: this.element,
    });
    if (value) await this.#sendText(startWords(link.value, this.#state.bot.username));
  }

  #notice(text, role, time = Math.max(NOTICE_TIME, text.length * 60)) {
    const toast = h("div", { class: "toast", dataset: { role } }, text);
    // The same words once more take the place of the earlier ones.
    for (const shown of [...this.toasts.children]) if (shown.textContent === text) shown.remove();
    this.toasts.append(toast);
    if (time) setTimeout(() => toast.remove(), time);
    return toast;
  }

  async #markRead() {
    const seen = this.#active && this.messages.atEnd && document.visibilityState === "visible";
    if (!seen || !this.phone.unread || this.#reading) return;
    this.#reading = true;
    await this.#run(api.read(this.phone.id));
    this.#reading = false;
  }
}
