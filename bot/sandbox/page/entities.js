// Telegram's text entities as elements. Offsets count UTF-16 units, which is how JavaScript counts too.
import { h } from "./dom.js";

const BLOCKS = new Set(["pre", "blockquote", "expandable_blockquote"]);
const SAFE_URL = /^(https?|tg|mailto|tel):/i;
const COLLAPSED_LINES = 3;

/** Render a text with its entities; what the sender did not mark (addresses, commands) is found as the real clients do. */
export function richText(text, entities = []) {
  const root = h("div", { class: "text", dir: "auto" });
  fill(root, text, 0, text.length, withFound(text, entities));
  return root;
}

function withFound(text, entities) {
  const taken = entities.filter((entity) => entity.type !== "blockquote" && entity.type !== "expandable_blockquote");
  const free = (start, end) => taken.every((entity) => end <= entity.offset || start >= entity.offset + entity.length);
  const found = [];
  const look = (pattern, type) => {
    for (const match of text.matchAll(pattern)) {
      const start = match.index + match[0].length - match[1].length;
      if (free(start, start + match[1].length)) found.push({ type, offset: start, length: match[1].length });
    }
  };
  look(/(?:^|[\s(«"])(https?:\/\/[^\s<>"»]*[^\s<>"».,;:!?)])/gu, "url");
  look(/(?:^|[\s(«"])((?:t\.me|telegram\.me)\/[^\s<>"»]*[^\s<>"».,;:!?)])/gu, "url");
  look(/(?:^|[\s(«"])(\/[a-z][a-z0-9_]{0,31})(?![\w/])/giu, "bot_command");
  return [...entities, ...found];
}

function fill(parent, text, start, end, entities) {
  const queue = [...entities].sort((a, b) => a.offset - b.offset || b.length - a.length);
  let position = start;
  let afterBlock = false;
  const plain = (until) => {
    let piece = text.slice(position, until);
    if (afterBlock && piece.startsWith("\n")) piece = piece.slice(1);
    if (piece) parent.append(piece);
    position = until;
  };

  while (queue.length) {
    const entity = queue.shift();
    const from = Math.max(entity.offset, position);
    const to = Math.min(entity.offset + entity.length, end);
    if (to <= from) continue;
    plain(from);
    const element = elementFor(entity, text.slice(from, to));
    const inside = queue.filter((other) => other.offset < to);
    fill(element.querySelector(":scope > .inside") ?? element, text, from, to, inside);
    // An entity that only overlaps this one goes on after it.
    for (const other of inside) if (other.offset + other.length <= to) queue.splice(queue.indexOf(other), 1);
    parent.append(element);
    position = to;
    afterBlock = BLOCKS.has(entity.type);
  }
  plain(end);
}

function elementFor(entity, covered) {
  switch (entity.type) {
    case "bold":
      return h("strong");
    case "italic":
      return h("em");
    case "underline":
      return h("u");
    case "strikethrough":
      return h("s");
    case "code":
      return h("code", { class: "copyable", title: "Copiar", dataset: { copy: covered } });
    case "pre":
      return h("pre", { tabindex: "0" }, h("code", { class: "inside" }));
    case "spoiler":
      return spoiler();
    case "blockquote":
      return h("blockquote");
    case "expandable_blockquote":
      return expandable(covered);
    case "text_link":
      return link(entity.url, covered);
    case "url":
      return link(/^[a-z]+:/i.test(covered) ? covered : `https://${covered}`, covered);
    case "mention":
      return link(`https://t.me/${covered.slice(1)}`, covered);
    case "email":
      return link(`mailto:${covered}`, covered);
    case "phone_number":
      return link(`tel:${covered.replace(/[^+\d]/g, "")}`, covered);
    case "bot_command":
      return h("button", { type: "button", class: "as-link", dataset: { command: covered } });
    case "text_mention":
    case "hashtag":
    case "cashtag":
      return h("span", { class: "tag" });
    default:
      return h("span");
  }
}

function link(url, covered) {
  if (!SAFE_URL.test(url)) return h("span", { title: url });
  const shown = covered === url || url.endsWith(covered);
  return h("a", { href: url, target: "_blank", rel: "noopener noreferrer", title: shown ? null : url });
}

function spoiler() {
  const show = () => {
    element.classList.add("shown");
    for (const name of ["role", "tabindex", "aria-label"]) element.removeAttribute(name);
  };
  const element = h("span", {
    class: "spoiler",
    role: "button",
    tabindex: "0",
    "aria-label": "Texto escondido: mostrar",
    on: {
      click: show,
      keydown: (event) => {
        if (event.key === "Enter" || event.key === " ") show();
      },
    },
  });
  return element;
}

function expandable(covered) {
  const quote = h("blockquote", { class: "expandable" }, h("div", { class: "inside" }));
  if (covered.split("\n").length <= COLLAPSED_LINES && covered.length < 140) return quote;
  const toggle = h("button", { type: "button", class: "expand", "aria-expanded": "false" }, "mostrar tudo");
  toggle.addEventListener("click", () => {
    const open = quote.classList.toggle("open");
    toggle.setAttribute("aria-expanded", String(open));
    toggle.textContent = open ? "mostrar menos" : "mostrar tudo";
  });
  quote.classList.add("folded");
  quote.append(toggle);
  return quote;
}
