// Modal questions. They open over the phone they belong to, and give the focus back when they close.
import { h, iconButton } from "./dom.js";

const MARGIN = 12;

/**
 * Ask something. Resolves to the value of the button pressed, or "" when the person turned away.
 *
 * The first action is what Enter does. `validate` may return a sentence that keeps the dialog open.
 */
export function ask({ title, body = [], actions, anchor = null, role = null, validate = null, wide = false }) {
  const complaint = h("p", { class: "complaint", role: "alert", hidden: true });
  const form = h(
    "form",
    { method: "dialog" },
    h("h2", {}, title),
    h("div", { class: "dialog-body" }, body),
    complaint,
    h(
      "div",
      { class: "dialog-actions" },
      actions.map(({ label, value, kind = "", data }) =>
        value === ""
          ? h("button", { type: "button", class: `button ${kind}`, on: { click: () => dialog.close("") } }, label)
          : h("button", { type: "submit", value, class: `button ${kind || "primary"}`, dataset: data ?? {} }, label),
      ),
    ),
  );
  const dialog = h("dialog", { class: wide ? "ask wide" : "ask", "aria-label": title, dataset: role ? { role } : {} }, form);
  form.addEventListener("submit", (event) => {
    const sentence = validate?.(event.submitter?.value);
    if (!sentence) return;
    event.preventDefault();
    complaint.textContent = sentence;
    complaint.hidden = false;
  });
  return open(dialog, anchor);
}

export const CANCEL = { label: "Cancelar", value: "", kind: "plain" };

export async function confirm({ title, words, yes, anchor = null, danger = false }) {
  const value = await ask({
    title,
    body: [h("p", {}, words)],
    actions: [{ label: yes, value: "yes", kind: danger ? "danger" : "primary", data: { role: "confirm" } }, CANCEL],
    anchor,
  });
  return value === "yes";
}

export function tell({ title, words, anchor = null, role = null }) {
  return ask({ title, body: [h("p", { class: "alert-words" }, words)], actions: [{ label: "OK", value: "ok" }], anchor, role });
}

export function showPicture(url, words) {
  const dialog = h("dialog", { class: "lightbox", "aria-label": words });
  dialog.append(
    iconButton("close", "Fechar", { class: "lightbox-close", on: { click: () => dialog.close() } }),
    h("img", { src: url, alt: words }),
    words === "Foto" ? "" : h("p", {}, words),
  );
  dialog.addEventListener("click", (event) => {
    if (event.target === dialog) dialog.close();
  });
  return open(dialog, null);
}

function open(dialog, anchor) {
  document.body.append(dialog);
  const place = () => {
    const box = anchor?.getBoundingClientRect();
    dialog.classList.toggle("anchored", Boolean(box?.width));
    if (!box?.width) return;
    dialog.style.setProperty("--x", `${box.left + box.width / 2}px`);
    dialog.style.setProperty("--w", `${Math.min(box.width, innerWidth) - 2 * MARGIN}px`);
  };
  place();
  addEventListener("resize", place);
  dialog.showModal();
  return new Promise((resolve) => {
    dialog.addEventListener("close", () => {
      removeEventListener("resize", place);
      dialog.remove();
      resolve(dialog.returnValue);
    });
  });
}

/** A labelled control for a dialog's body. */
export function field(label, control, hint = null) {
  return h("label", { class: "field" }, h("span", { class: "field-label" }, label), control, hint ? h("small", {}, hint) : null);
}
