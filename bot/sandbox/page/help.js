// What this page is, and how to use it without a mouse.
import { ask } from "./dialogs.js";
import { h } from "./dom.js";

const KEYS = [
  ["Alt + 1 … 9", "ir para um telefone"],
  ["Enter", "enviar; Shift + Enter quebra a linha"],
  ["/", "no campo vazio, mostra os comandos do bot"],
  ["↑", "no campo vazio, corrige a última mensagem enviada"],
  ["↑ ↓", "na conversa, andam de mensagem em mensagem"],
  ["Enter", "na mensagem escolhida: responder, copiar, editar"],
  ["Esc", "fecha o que estiver aberto"],
  ["?", "esta ajuda"],
];

export function showHelp() {
  return ask({
    title: "Como usar esta página",
    body: [
      h("p", {}, "Cada telefone é de uma pessoa que conversa com o mesmo bot. Nada sai deste computador: as mensagens, os arquivos e o relógio só existem aqui."),
      h("p", {}, "Avance o relógio para ver chegarem os lembretes e vencerem os prazos. “Recomeçar” devolve tudo ao começo."),
      h("table", { class: "keys" }, h("tbody", {}, KEYS.map(([key, words]) => h("tr", {}, h("th", { scope: "row" }, h("kbd", {}, key)), h("td", {}, words))))),
    ],
    actions: [{ label: "Entendi", value: "ok" }],
    wide: true,
  });
}
