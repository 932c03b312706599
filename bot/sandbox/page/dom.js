// The few helpers that build elements. Data only ever becomes text nodes or attributes, never markup.

const SVG = "http://www.w3.org/2000/svg";

/** Make an element: `h("button", { class: "x", on: { click } }, "words", child)`; null children and attributes are left out. */
export function h(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (name === "on") {
      for (const [type, listener] of Object.entries(value)) element.addEventListener(type, listener);
    } else if (name === "dataset") {
      Object.assign(element.dataset, value);
    } else {
      element.setAttribute(name, value === true ? "" : value);
    }
  }
  element.append(...children.flat().filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}

export function svg(tag, attributes = {}, ...children) {
  const element = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...children);
  return element;
}

export function icon(name) {
  return svg("svg", { class: "icon", "aria-hidden": "true" }, svg("use", { href: `/page/icons.svg#${name}` }));
}

/** Put an icon first in an element, in the place of the one it had. */
export function setIcon(element, name) {
  element.querySelector(":scope > .icon")?.remove();
  element.prepend(icon(name));
}

export function iconButton(name, label, attributes = {}) {
  const { class: extra = "", ...rest } = attributes;
  return h("button", { type: "button", class: `icon-button ${extra}`, "aria-label": label, title: label, ...rest }, icon(name));
}

/** A small stable number for a string: tints, waveforms, drawn maps. */
export function hash(text) {
  let value = 2166136261;
  for (let i = 0; i < text.length; i += 1) value = Math.imul(value ^ text.charCodeAt(i), 16777619);
  return value >>> 0;
}

export function fileSize(bytes) {
  if (!bytes) return "";
  const units = ["B", "KB", "MB", "GB"];
  const power = Math.min(3, Math.floor(Math.log(bytes) / Math.log(1024)));
  const number = (bytes / 1024 ** power).toLocaleString("pt-BR", { maximumFractionDigits: power ? 1 : 0 });
  return `${number} ${units[power]}`;
}

export function seconds(value) {
  const whole = Math.max(0, Math.floor(Number.isFinite(value) ? value : 0));
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, "0")}`;
}

export function initials(person) {
  const words = [person.first_name, person.last_name].filter(Boolean).join(" ").split(/\s+/).filter(Boolean);
  const ends = words.length > 1 ? [words[0], words[words.length - 1]] : words;
  return ends.map((word) => [...word][0]).join("").toUpperCase();
}

export function fullName(person) {
  return [person.first_name, person.last_name].filter(Boolean).join(" ");
}
