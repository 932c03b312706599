// The sheet of things to send, and the look at them before they go.
import * as api from "./api.js";
import { CANCEL, ask, field } from "./dialogs.js";
import { fileSize, h, icon, iconButton } from "./dom.js";
import { PLACES, placeOf } from "./places.js";
import { recordVoice } from "./record.js";
import { sampleDocument, samplePdf, samplePhotos, sampleVoice } from "./samples.js";
import { clock } from "./time.js";

const MOST_PARTS = 10;

export class AttachSheet {
  #phone;
  #actions;

  constructor(phone, actions) {
    this.#phone = phone;
    this.#actions = actions;
    this.button = iconButton("attach", "Anexar", {
      "aria-expanded": "false",
      "aria-controls": `attach-${phone.id}`,
      dataset: { role: "attach" },
      on: { click: () => (this.isOpen ? this.close() : this.open()) },
    });
    this.sheet = h(
      "div",
      { class: "attach", id: `attach-${phone.id}`, hidden: true },
      group("Enviar", [
        this.#item("photo", "Foto", "photo", () => this.#choose("photo", "image/*")),
        this.#item("album", "Álbum", "album", () => this.#choose("photo", "image/*,video/*", true)),
        this.#item("document", "Documento", "file", () => this.#choose("document", "", true)),
        this.#item("voice", "Voz", "mic", () => this.#record()),
        this.#item("video", "Vídeo", "video", () => this.#choose("video", "video/*")),
        this.#item("location", "Localização", "pin", () => this.shareLocation()),
        this.#item("contact", "Contato", "user", () => this.#chooseContact()),
      ]),
      group("Exemplos prontos, para quem não tem arquivos à mão", [
        this.#item("sample-photo", "Foto de documento", "photo", async () => this.#preview("photo", [await sampleDocument(phone)])),
        this.#item("sample-pdf", "PDF", "file", async () => this.#preview("document", [samplePdf(phone)])),
        this.#item("sample-voice", "Áudio", "mic", async () => this.#preview("voice", [await sampleVoice()])),
        this.#item("sample-album", "Álbum de 3 fotos", "album", async () => this.#preview("photo", await samplePhotos())),
      ]),
      group("O que o balcão não lê, para experimentar", [
        this.#item("sticker", "Figurinha", "sticker", () => actions.run(api.unsupported(phone.id, "sticker"))),
        this.#item("poll", "Enquete", "poll", () => actions.run(api.unsupported(phone.id, "poll"))),
      ]),
    );
  }

  get isOpen() {
    return !this.sheet.hidden;
  }

  open() {
    this.sheet.hidden = false;
    this.button.setAttribute("aria-expanded", "true");
    this.sheet.querySelector("button").focus({ preventScroll: true });
  }

  close({ focus = false } = {}) {
    this.sheet.hidden = true;
    this.button.setAttribute("aria-expanded", "false");
    if (focus) this.button.focus();
  }

  /** Files that were dropped or pasted: pictures go as photos, the rest as documents. */
  offer(files) {
    const pictures = files.every((file) => file.type.startsWith("image/"));
    this.#preview(pictures ? "photo" : "document", files);
  }

  async shareLocation() {
    const home = placeOf(this.#phone, clock.zone);
    const latitude = h("input", { type: "number", step: "any", min: "-90", max: "90", required: true, value: home.latitude });
    const longitude = h("input", { type: "number", step: "any", min: "-180", max: "180", required: true, value: home.longitude });
    const town = h("select", {}, PLACES.map((place) => h("option", { selected: place === home }, place.name)));
    town.addEventListener("change", () => {
      const chosen = PLACES[town.selectedIndex];
      latitude.value = chosen.latitude;
      longitude.value = chosen.longitude;
    });
    const value = await ask({
      title: "Enviar localização",
      body: [field("Centro de", town), h("div", { class: "fields" }, field("Latitude", latitude), field("Longitude", longitude))],
      actions: [{ label: "Enviar", value: "send", data: { role: "location-send" } }, CANCEL],
      anchor: this.#actions.element(),
    });
    if (value) await this.#actions.run(api.location(this.#phone.id, Number(latitude.value), Number(longitude.value)));
  }

  async shareOwnContact() {
    const value = await ask({
      title: "Compartilhar seu telefone?",
      body: [h("p", {}, "O bot vai receber seu nome e o seu número.")],
      actions: [{ label: "Compartilhar", value: "share", data: { role: "contact-send" } }, CANCEL],
      anchor: this.#actions.element(),
    });
    if (value) await this.#actions.run(api.contact(this.#phone.id));
  }

  async #chooseContact() {
    const name = h("input", { type: "text", placeholder: this.#phone.first_name, maxlength: "64" });
    const number = h("input", { type: "tel", placeholder: "o seu", maxlength: "20" });
    const value = await ask({
      title: "Enviar contato",
      body: [field("Nome", name), field("Telefone", number, "Em branco, vai o contato de quem usa este telefone.")],
      actions: [{ label: "Enviar", value: "send", data: { role: "contact-send" } }, CANCEL],
      anchor: this.#actions.element(),
    });
    if (!value) return;
    const details = {};
    if (name.value.trim()) details.first_name = name.value.trim();
    if (number.value.trim()) details.phone_number = number.value.trim();
    await this.#actions.run(api.contact(this.#phone.id, details));
  }

  #item(name, label, iconName, run) {
    const click = () => {
      this.close();
      run();
    };
    return h("button", { type: "button", class: "attach-item", dataset: { attach: name }, on: { click } }, h("span", { class: "attach-icon" }, icon(iconName)), label);
  }

  #choose(kind, accept, multiple = false) {
    const input = h("input", { type: "file", accept: accept || null, multiple });
    input.addEventListener("change", () => this.#preview(kind, [...input.files]));
    input.click();
  }

  async #record() {
    const file = await recordVoice(this.#actions.element());
    if (file) await this.#preview("voice", [file]);
  }

  async #preview(kind, chosen) {
    const files = chosen.slice(0, MOST_PARTS);
    if (!files.length) return;
    const urls = files.map((file) => URL.createObjectURL(file));
    const caption = h("textarea", { rows: "2", placeholder: "Legenda (opcional)", "aria-label": "Legenda", dataset: { role: "upload-caption" } });
    const left = chosen.length > files.length ? h("p", { class: "hint" }, `Um álbum leva até ${MOST_PARTS} arquivos; os outros ficaram de fora.`) : null;
    const value = await ask({
      title: files.length > 1 ? `Enviar ${files.length} arquivos` : "Enviar",
      body: [h("div", { class: "previews" }, files.map((file, index) => preview(kind, file, urls[index]))), left, kind === "voice" ? null : caption].filter(Boolean),
      actions: [{ label: "Enviar", value: "send", data: { role: "upload-send" } }, CANCEL],
      anchor: this.#actions.element(),
      role: "upload-dialog",
    });
    urls.forEach((url) => URL.revokeObjectURL(url));
    if (value) await this.#actions.run(api.upload(this.#phone.id, kind, files, caption.value.trim()), "Enviando…");
  }
}

function group(title, items) {
  return h("div", { class: "attach-group", role: "group", "aria-label": title }, h("p", {}, title), h("div", { class: "attach-items" }, items));
}

function preview(kind, file, url) {
  if (kind === "photo" && file.type.startsWith("image/")) return h("img", { src: url, alt: file.name });
  if (kind === "video" || file.type.startsWith("video/")) return h("video", { src: url, controls: true });
  if (kind === "voice" || file.type.startsWith("audio/")) return h("audio", { src: url, controls: true });
  return h("div", { class: "card" }, h("span", { class: "card-sign" }, icon("file")), h("span", { class: "card-words" }, h("span", { class: "card-title" }, file.name), h("span", { class: "card-note" }, fileSize(file.size))));
}
