// The control interface of the simulation, as functions.

/** The server refused; its message is a sentence for people. */
export class Refused extends Error {}

async function call(method, path, body) {
  const isForm = body instanceof FormData;
  let response;
  try {
    response = await fetch(path, {
      method,
      headers: body && !isForm ? { "Content-Type": "application/json" } : {},
      body: body && !isForm ? JSON.stringify(body) : body,
    });
  } catch {
    throw new Refused("A simulação não respondeu. Veja se ela continua aberta no terminal.");
  }
  const answer = await response.json().catch(() => ({}));
  if (!response.ok) throw new Refused(answer.error ?? `A simulação recusou o pedido (${response.status}).`);
  return answer;
}

const post = (path, body = {}) => call("POST", path, body);
const phone = (id, action) => `/sandbox/phones/${id}/${action}`;

export const state = () => call("GET", "/sandbox/state");
export const fileUrl = (fileId) => `/sandbox/files/${encodeURIComponent(fileId)}`;

export const addPhone = (person) => post("/sandbox/phones", person);
export const changePhone = (id, changes) => call("PATCH", `/sandbox/phones/${id}`, changes);
export const send = (id, text, replyTo) => post(phone(id, "send"), replyTo ? { text, reply_to: replyTo } : { text });
export const edit = (id, messageId, text) => post(phone(id, "edit"), { message_id: messageId, text });
export const press = (id, messageId, data) => post(phone(id, "press"), { message_id: messageId, data });
export const location = (id, latitude, longitude) => post(phone(id, "location"), { latitude, longitude });
export const contact = (id, details = {}) => post(phone(id, "contact"), details);
export const unsupported = (id, kind) => post(phone(id, kind));
export const block = (id, blocked) => post(phone(id, blocked ? "block" : "unblock"));
export const read = (id) => post(phone(id, "read"));

export function upload(id, kind, files, caption) {
  const form = new FormData();
  form.append("kind", kind);
  if (caption) form.append("caption", caption);
  for (const file of files) form.append("file", file, file.name);
  return post(phone(id, "upload"), form);
}

export const moveClock = (move) => post("/sandbox/clock", move);
export const restart = () => post("/sandbox/restart");

/**
 * Follow what happens from a revision on. A lost connection is announced and the whole state asked again,
 * because the process may have been started anew behind the same address.
 */
export function follow(rev, { onEvent, onLost }) {
  const source = new EventSource(`/sandbox/events?since=${rev}`);
  source.addEventListener("message", (event) => onEvent(JSON.parse(event.data)));
  source.addEventListener("error", () => {
    source.close();
    onLost();
  });
  return () => source.close();
}
