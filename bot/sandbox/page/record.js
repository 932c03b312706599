// A voice message from the microphone; a file or the sample serve where there is none.
import { ask } from "./dialogs.js";
import { h, icon, seconds } from "./dom.js";
import { toOggOpus } from "./oggopus.js";
import { sampleVoice } from "./samples.js";

/** Let the person record or choose a voice message; null when they gave up. */
export async function recordVoice(anchor) {
  const taker = new Recorder();
  const time = h("output", { class: "record-time" }, "0:00");
  const status = h("p", { class: "hint", role: "status" }, "Toque no microfone para gravar.");
  const toggle = h("button", { type: "button", class: "record", "aria-label": "Começar a gravar" }, icon("mic"));
  let chosen = null;
  const input = h("input", { type: "file", accept: "audio/*", "aria-label": "Arquivo de áudio" });
  input.addEventListener("change", () => (chosen = input.files[0] ?? null));

  taker.onTime = (elapsed) => (time.textContent = seconds(elapsed));
  toggle.addEventListener("click", async () => {
    if (taker.isOn) {
      await taker.stop();
      toggle.replaceChildren(icon("mic"));
      toggle.setAttribute("aria-label", "Gravar de novo");
      status.textContent = "Gravado. Continue, ou grave de novo.";
    } else if (await taker.start()) {
      toggle.replaceChildren(icon("stop"));
      toggle.setAttribute("aria-label", "Parar de gravar");
      status.textContent = "Gravando…";
    } else {
      status.textContent = "Não há microfone, ou o navegador não o liberou. Escolha um arquivo ou use o áudio de exemplo.";
    }
    toggle.classList.toggle("on", taker.isOn);
  });

  const value = await ask({
    title: "Mensagem de voz",
    body: [h("div", { class: "recorder" }, toggle, time), status, h("label", { class: "field" }, h("span", { class: "field-label" }, "ou um arquivo"), input)],
    actions: [
      { label: "Continuar", value: "use" },
      { label: "Usar exemplo", value: "sample", kind: "plain" },
      { label: "Cancelar", value: "", kind: "plain" },
    ],
    validate: (pressed) => (pressed === "use" && !chosen && !taker.isOn && !taker.file ? "Grave, escolha um arquivo ou use o áudio de exemplo." : null),
    anchor,
  });
  await taker.stop();
  if (value === "sample") return sampleVoice();
  return value === "use" ? (chosen ?? taker.file) : null;
}

class Recorder {
  #media = null;
  #timer = 0;
  file = null;
  onTime = () => {};

  get isOn() {
    return this.#media !== null;
  }

  async start() {
    if (!globalThis.MediaRecorder || !navigator.mediaDevices) return false;
    let stream;
    try {
      stream = await navigator.mediaDevices.getUserMedia({ audio: true });
    } catch {
      return false;
    }
    const media = new MediaRecorder(stream);
    const pieces = [];
    media.addEventListener("dataavailable", (event) => pieces.push(event.data));
    this.finished = new Promise((resolve) => {
      media.addEventListener("stop", async () => {
        stream.getTracks().forEach((track) => track.stop());
        this.file = await asVoice(new Blob(pieces, { type: media.mimeType }));
        resolve();
      });
    });
    media.start();
    this.#media = media;
    const begun = performance.now();
    this.#timer = setInterval(() => this.onTime((performance.now() - begun) / 1000), 250);
    return true;
  }

  async stop() {
    if (!this.#media) return;
    clearInterval(this.#timer);
    this.#media.stop();
    this.#media = null;
    await this.finished;
  }
}

/** Browsers record WebM or MP4; phones send Ogg with Opus, so that is what the bot gets wherever it can be made. */
async function asVoice(blob) {
  const context = new AudioContext();
  try {
    return await toOggOpus(await context.decodeAudioData(await blob.arrayBuffer()), "voz.ogg");
  } catch {
    return new File([blob], blob.type.includes("mp4") ? "voz.m4a" : "voz.webm", { type: blob.type });
  } finally {
    context.close();
  }
}
