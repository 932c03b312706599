// The clock and what concerns the whole simulation.
import * as api from "./api.js";
import { Refused } from "./api.js";
import { CANCEL, ask, confirm, field } from "./dialogs.js";
import { h, setIcon } from "./dom.js";
import { showHelp } from "./help.js";
import { bindTheme } from "./theme.js";
import { clock, clockParts, localInput } from "./time.js";

const LANGUAGES = [
  ["pt-br", "Português"],
  ["en", "English"],
  ["es", "Español"],
];
const ROLES = ["Motorista", "Passageira", "Servidora", "Visitante"];
const JUMPS = [
  ["amanhã às 8h", 1, "08:00"],
  ["em 30 dias", 30, "08:00"],
  ["em 6 meses", 182, "08:00"],
  ["em 1 ano", 365, "08:00"],
];
const NOTICE_TIME = 6000;

const part = (role) => document.querySelector(`.topbar [data-role="${role}"]`);

export function bindTopbar({ onPhone }) {
  for (const button of document.querySelectorAll("[data-icon]")) setIcon(button, button.dataset.icon);
  bindTheme(part("theme"));
  part("plus-1").addEventListener("click", () => move({ add_days: 1 }));
  part("plus-7").addEventListener("click", () => move({ add_days: 7 }));
  part("go-to").addEventListener("click", goTo);
  part("restart").addEventListener("click", restart);
  part("add-phone").addEventListener("click", async () => {
    const phone = await addPhone();
    if (phone) onPhone(phone);
  });
  part("help").addEventListener("click", showHelp);
  bindTools();
  clock.addEventListener("tick", showClock);
}

/** On a narrow screen the tools wait behind one button. */
function bindTools() {
  const button = part("tools");
  const tools = document.getElementById("tools");
  const show = (open) => {
    tools.classList.toggle("open", open);
    button.setAttribute("aria-expanded", String(open));
  };
  setIcon(button, "more");
  button.addEventListener("click", () => {
    show(!tools.classList.contains("open"));
    if (tools.classList.contains("open")) tools.querySelector("button").focus();
  });
  document.addEventListener("click", (event) => {
    if (!button.contains(event.target)) show(false);
  });
  tools.addEventListener("keydown", (event) => {
    if (event.key !== "Escape") return;
    show(false);
    button.focus();
  });
}

function showClock() {
  const { iso, weekday, shortWeekday, date, hour, zone, zoneOffset } = clockParts();
  const time = part("clock-now");
  time.dateTime = iso;
  time.title = `Hora de ${zone} (${zoneOffset})`;
  time.replaceChildren(
    h("span", { class: "clock-hour" }, hour),
    h("span", { class: "clock-short", "aria-hidden": "true" }, shortWeekday),
    h("span", { class: "clock-day" }, h("span", { class: "clock-long" }, `${weekday}, `), date),
    h("span", { class: "clock-zone" }, `${zone}, ${zoneOffset}`),
  );
}

async function move(step) {
  busy(true);
  try {
    clock.set(await api.moveClock(step));
  } catch (error) {
    notice(error);
  } finally {
    busy(false);
  }
}

function busy(isBusy) {
  document.querySelector(".progress").hidden = !isBusy;
  document.querySelector(".clock").setAttribute("aria-busy", String(isBusy));
  for (const role of ["plus-1", "plus-7", "go-to", "restart"]) part(role).disabled = isBusy;
}

async function goTo() {
  const earliest = localInput();
  const when = h("input", { type: "datetime-local", value: localInput(1, "08:00"), min: earliest, required: true, dataset: { role: "go-to-when" } });
  const jumps = h(
    "div",
    { class: "jumps", role: "group", "aria-label": "Saltos" },
    JUMPS.map(([label, days, at]) => h("button", { type: "button", class: "pill", on: { click: () => (when.value = localInput(days, at)) } }, label)),
  );
  const value = await ask({
    title: "Ir para…",
    body: [h("p", {}, "O relógio só anda para a frente. O que vencer no caminho acontece na ordem: lembretes, prazos, avisos."), field(`Data e hora (${clockParts().zone})`, when), jumps],
    actions: [{ label: "Ir", value: "go", data: { role: "go-to-send" } }, CANCEL],
    validate: () => (when.value >= earliest ? null : "Escolha uma data depois de agora."),
  });
  if (value) await move({ to: when.value });
}

async function restart() {
  const sure = await confirm({
    title: "Recomeçar?",
    words: "Tudo volta ao começo: as conversas, os pedidos, os telefones acrescentados e o relógio.",
    yes: "Recomeçar",
    danger: true,
  });
  if (!sure) return;
  busy(true);
  try {
    await api.restart();
  } catch (error) {
    notice(error);
  } finally {
    busy(false);
  }
}

async function addPhone() {
  const name = h("input", { type: "text", required: true, maxlength: "64", autocomplete: "off", placeholder: "Nome de quem usa", dataset: { role: "new-name" } });
  const role = h("select", { dataset: { role: "new-label" } }, ROLES.map((label) => h("option", {}, label)));
  const language = h("select", {}, LANGUAGES.map(([code, label]) => h("option", { value: code }, label)));
  const value = await ask({
    title: "Adicionar telefone",
    body: [field("Nome", name), h("div", { class: "fields" }, field("Papel", role, "Só uma etiqueta: quem é o quê, o bot decide."), field("Idioma", language))],
    actions: [{ label: "Adicionar", value: "add", data: { role: "new-add" } }, CANCEL],
    validate: () => (name.value.trim() ? null : "Escreva um nome."),
  });
  if (!value) return null;
  try {
    return await api.addPhone({ first_name: name.value.trim(), language_code: language.value, label: role.value });
  } catch (error) {
    notice(error);
    return null;
  }
}

function notice(error) {
  if (!(error instanceof Refused)) throw error;
  const toast = h("div", { class: "toast" }, error.message);
  document.querySelector(".page-toasts").append(toast);
  setTimeout(() => toast.remove(), NOTICE_TIME);
}
