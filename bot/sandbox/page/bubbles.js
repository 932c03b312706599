// One message, or one album, as a row of the conversation.
import { h, icon, iconButton } from "./dom.js";
import { richText } from "./entities.js";
import { inlineKeyboard } from "./inline.js";
import { isVisual, mediaOf } from "./media.js";
import { messageHour } from "./time.js";

export const isOwn = (message) => !message.from?.is_bot;

/**
 * Make the row for messages that belong together (one, or the parts of an album).
 *
 * `actions` are the phone's: `press`, `menu`; `quoted` finds the message that one answers.
 */
export function bubbleRow(messages, { actions, quoted, pending }) {
  const first = messages[0];
  const last = messages.at(-1);
  const own = isOwn(first);
  const worded = messages.find((message) => message.text || message.caption) ?? last;
  const words = worded.text ?? worded.caption;
  const visual = messages.every(isVisual);

  const bubble = h("div", { class: "bubble" });
  bubble.classList.toggle("visual", visual);
  bubble.classList.toggle("wordless", visual && !words);
  if (first.reply_to_message) bubble.append(quote(quoted(first.reply_to_message.message_id) ?? first.reply_to_message));
  const media = messages.map((message) => mediaOf(message)).filter(Boolean);
  if (media.length) {
    media.forEach((element, index) => (element.dataset.messageId = messages[index].message_id));
    bubble.append(h("div", { class: visual ? `gallery of-${Math.min(media.length, 4)}` : "cards" }, media));
  }
  const body = words ? richText(words, worded.entities ?? worded.caption_entities) : unknown(media);
  if (body) bubble.append(body);
  // Inside the words, so that the hour takes what is left of their last line.
  (body ?? bubble).append(foot(last, own));

  const keyboard = last.reply_markup?.inline_keyboard;
  const row = h(
    "article",
    {
      class: `row ${own ? "own" : "theirs"}`,
      tabindex: "-1",
      "aria-label": `${own ? "Você" : (first.from?.first_name ?? "Bot")}, ${messageHour(first.date)}`,
      dataset: { messageId: last.message_id },
    },
    h(
      "div",
      { class: "stack" },
      h("div", { class: "bubble-line" }, bubble, menuButton(last, actions)),
      keyboard?.length ? inlineKeyboard(last, keyboard, { press: actions.press, pending }) : null,
    ),
  );
  row.classList.toggle("pictured", visual);
  row.classList.toggle("with-keyboard", Boolean(keyboard?.length));
  return row;
}

function unknown(media) {
  return media.length ? null : h("em", { class: "text muted" }, "Mensagem de um tipo que esta simulação não mostra");
}

function foot(message, own) {
  return h(
    "span",
    { class: "foot" },
    message.edit_date ? h("span", { class: "edited" }, "editada") : null,
    h("time", { datetime: new Date(message.date * 1000).toISOString() }, messageHour(message.date)),
    own ? icon("checks") : null,
  );
}

function quote(message) {
  return h(
    "div",
    { class: "quote" },
    h("strong", {}, isOwn(message) ? "Você" : (message.from?.first_name ?? "Bot")),
    h("span", {}, summary(message)),
  );
}

function menuButton(message, actions) {
  const button = iconButton("down", "Ações da mensagem", { class: "row-menu", tabindex: "-1", "aria-haspopup": "menu" });
  button.addEventListener("click", () => actions.menu(message, button));
  return button;
}

/** A message in a few words, for quotes and for the bar over the composer. */
export function summary(message) {
  const kinds = [
    ["photo", "Foto"],
    ["video", "Vídeo"],
    ["voice", "Mensagem de voz"],
    ["audio", "Áudio"],
    ["document", "Documento"],
    ["location", "Localização"],
    ["contact", "Contato"],
  ];
  const words = message.text ?? message.caption ?? kinds.find(([key]) => message[key])?.[1] ?? "Mensagem";
  return words.length > 120 ? `${words.slice(0, 119)}…` : words;
}
