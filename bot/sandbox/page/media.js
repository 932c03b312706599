// What a message carries besides text: pictures, files, sound, places, people.
import * as api from "./api.js";
import { fileSize, h, hash, icon, initials, fullName, seconds, svg } from "./dom.js";
import { showPicture } from "./dialogs.js";

const PICTURE_WIDTH = 320;
const WAVE_BARS = 34;

/** The element for a message's medium, or null when it is text alone. */
export function mediaOf(message) {
  if (message.photo) return photo(message);
  if (message.video) return video(message.video);
  if (message.voice) return sound(message.voice, "Mensagem de voz");
  if (message.audio) return sound(message.audio, message.audio.title ?? message.audio.file_name ?? "Áudio");
  if (message.document) return documentCard(message.document);
  if (message.location) return place(message.location);
  if (message.contact) return person(message.contact);
  if (message.poll) return poll(message.poll);
  if (message.sticker) return h("div", { class: "sticker" }, message.sticker.emoji ?? icon("sticker"), h("small", {}, "Figurinha"));
  return null;
}

export const isVisual = (message) => Boolean(message.photo || message.video);

function photo(message) {
  const sizes = message.photo;
  const best = sizes.find((size) => size.width >= PICTURE_WIDTH * 2) ?? sizes.at(-1);
  const url = api.fileUrl(best.file_id);
  const picture = h("img", { src: url, alt: message.caption ?? "Foto", width: best.width, height: best.height, decoding: "async" });
  return h(
    "button",
    {
      type: "button",
      class: "picture",
      "aria-label": message.caption ? `Abrir foto: ${message.caption}` : "Abrir foto",
      on: { click: () => showPicture(api.fileUrl(sizes.at(-1).file_id), message.caption ?? "Foto") },
    },
    picture,
  );
}

function video(file) {
  return h("video", {
    class: "picture",
    src: api.fileUrl(file.file_id),
    controls: true,
    preload: "metadata",
    width: file.width || null,
    height: file.height || null,
    "aria-label": file.file_name ?? "Vídeo",
  });
}

function documentCard(file) {
  const name = file.file_name ?? "documento";
  const ending = name.includes(".") ? name.split(".").at(-1).slice(0, 4).toUpperCase() : "";
  const details = [ending, fileSize(file.file_size)].filter(Boolean).join(" · ");
  return h(
    "a",
    { class: "card", href: api.fileUrl(file.file_id), target: "_blank", rel: "noopener", download: inBrowser(file) ? null : name },
    h("span", { class: "card-sign", dataset: { kind: ending.toLowerCase() } }, icon("file")),
    h("span", { class: "card-words" }, h("span", { class: "card-title" }, name), h("span", { class: "card-note" }, details)),
  );
}

const inBrowser = (file) => /^(application\/pdf|image\/(png|jpeg|webp|gif))$/.test(file.mime_type ?? "");

function sound(file, title) {
  const audio = h("audio", { src: api.fileUrl(file.file_id), preload: "none" });
  const play = h("button", { type: "button", class: "play", "aria-label": `Ouvir: ${title}` }, icon("play"));
  const time = h("span", { class: "card-note" }, seconds(file.duration));
  const wave = waveform(file.file_unique_id ?? file.file_id);
  const seek = h("input", { type: "range", min: "0", max: "1000", value: "0", "aria-label": "Posição no áudio" });
  const length = () => (Number.isFinite(audio.duration) ? audio.duration : file.duration);

  const show = () => {
    const share = length() ? Math.min(1, audio.currentTime / length()) : 0;
    seek.value = String(Math.round(share * 1000));
    wave.querySelectorAll("rect").forEach((bar, index) => bar.classList.toggle("past", index < share * WAVE_BARS));
    time.textContent = audio.paused && !audio.currentTime ? seconds(length()) : `${seconds(audio.currentTime)} / ${seconds(length())}`;
  };
  const button = (name, label) => {
    play.replaceChildren(icon(name));
    play.setAttribute("aria-label", `${label}: ${title}`);
  };
  play.addEventListener("click", () => {
    if (!audio.paused) return audio.pause();
    document.querySelectorAll("audio").forEach((other) => other.pause());
    return audio.play().catch(() => (time.textContent = "este navegador não toca este som"));
  });
  seek.addEventListener("input", () => {
    if (length()) audio.currentTime = (Number(seek.value) / 1000) * length();
  });
  audio.addEventListener("play", () => button("pause", "Pausar"));
  audio.addEventListener("pause", () => button("play", "Ouvir"));
  audio.addEventListener("timeupdate", show);
  audio.addEventListener("ended", () => {
    audio.currentTime = 0;
    show();
  });

  const isVoice = title === "Mensagem de voz";
  return h(
    "div",
    { class: "sound", role: "group", "aria-label": title },
    audio,
    play,
    h("span", { class: "card-words" }, isVoice ? null : h("span", { class: "card-title" }, title), h("span", { class: "wave" }, wave, seek), time),
  );
}

/** Bars that look like speech and are always the same for the same file. */
function waveform(seed) {
  const drawing = svg("svg", { viewBox: `0 0 ${WAVE_BARS * 5} 28`, preserveAspectRatio: "none", "aria-hidden": "true" });
  for (let i = 0; i < WAVE_BARS; i += 1) {
    const envelope = 0.45 + 0.55 * Math.abs(Math.sin((i + (hash(seed) % 9)) / 3.1));
    const height = Math.max(3, ((hash(seed + i) % 100) / 100) * envelope * 26);
    drawing.append(svg("rect", { x: i * 5, y: 14 - height / 2, width: 3, height, rx: 1.5 }));
  }
  return drawing;
}

function place({ latitude, longitude }) {
  const spot = `${latitude.toFixed(5)}, ${longitude.toFixed(5)}`;
  return h(
    "a",
    {
      class: "place",
      href: `https://www.openstreetmap.org/?mlat=${latitude}&mlon=${longitude}#map=17/${latitude}/${longitude}`,
      target: "_blank",
      rel: "noopener noreferrer",
      "aria-label": `Localização ${spot}: abrir no mapa`,
    },
    drawnMap(`${latitude.toFixed(3)},${longitude.toFixed(3)}`),
    h("span", { class: "card-note" }, spot),
  );
}

/** A map that is only a drawing: nothing is asked from the network. */
function drawnMap(seed) {
  const at = (name, range) => hash(seed + name) % range;
  const map = svg("svg", { viewBox: "0 0 280 130", class: "map", preserveAspectRatio: "xMidYMid slice", "aria-hidden": "true" });
  const turned = svg("g", { transform: `rotate(${at("turn", 30) - 15} 140 65)` });
  turned.append(svg("rect", { class: "park", x: 20 + at("park", 60), y: -10 + at("parky", 70), width: 62, height: 44, rx: 6 }));
  turned.append(svg("path", { class: "river", d: `M-60 ${100 + at("river", 40)} C 60 ${70 + at("bend", 40)}, 160 ${150 + at("bend2", 30)}, 360 ${90 + at("end", 40)}` }));
  for (let i = 0; i < 9; i += 1) {
    const wide = i % 3 === 1 ? "road" : "street";
    turned.append(svg("path", { class: wide, d: `M${-60 + i * 50 + at(`v${i}`, 16)} -60V220` }));
    if (i < 6) turned.append(svg("path", { class: wide, d: `M-60 ${-40 + i * 40 + at(`h${i}`, 12)}H360` }));
  }
  const pin = svg("g", { class: "map-pin", transform: "translate(140 66)" });
  pin.append(svg("ellipse", { cx: 0, cy: 1, rx: 8, ry: 3 }), svg("path", { d: "M0 0C-10-14-14-19-14-26a14 14 0 0 1 28 0c0 7-4 12-14 26z" }), svg("circle", { cx: 0, cy: -26, r: 5 }));
  map.append(turned, pin);
  return map;
}

function person(contact) {
  return h(
    "div",
    { class: "card" },
    h("span", { class: "card-sign round" }, initials(contact)),
    h("span", { class: "card-words" }, h("span", { class: "card-title" }, fullName(contact)), h("span", { class: "card-note" }, contact.phone_number)),
  );
}

function poll({ question, options = [] }) {
  return h(
    "div",
    { class: "poll" },
    h("strong", {}, question),
    h("small", {}, "Enquete"),
    h("ul", {}, options.map((option) => h("li", {}, option.text))),
  );
}
