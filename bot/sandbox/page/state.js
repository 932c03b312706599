// What the page knows: phones, their messages, the bot and the clock. Views listen; only events from the server change it.

const KEPT_MESSAGES = 300;

export class State extends EventTarget {
  rev = 0;
  bot = {};
  limits = {};
  phones = new Map();

  load(snapshot) {
    this.rev = snapshot.rev;
    this.bot = snapshot.bot;
    this.limits = snapshot.limits ?? {};
    this.phones = new Map(snapshot.phones.map((phone) => [phone.id, phone]));
    this.#tell("clock", snapshot.clock);
    this.#tell("loaded", {});
  }

  apply(event) {
    if (event.rev <= this.rev) return;
    this.rev = event.rev;
    const phone = this.phones.get(event.phone);
    if (event.type === "phone_added") {
      this.addPhone(event.phone, { quiet: event.quiet });
    } else if (event.type === "clock") {
      this.#tell("clock", event);
    } else if (phone && (event.type === "message" || event.type === "edited")) {
      this.put(phone.id, event.message);
    } else if (phone && event.type === "deleted") {
      const gone = new Set(event.message_ids);
      phone.messages = phone.messages.filter((message) => !gone.has(message.message_id));
      this.#tell("deleted", { phone });
    } else if (phone && event.type === "phone") {
      this.change(phone.id, event.changes);
    } else if (phone && event.type === "callback") {
      this.#tell("callback", { phone, answer: event });
    }
  }

  /** Add a message or replace the one with its id: the answer to a request and the event both arrive, in any order. */
  put(phoneId, message) {
    const phone = this.phones.get(phoneId);
    if (!phone) return;
    const known = phone.messages.findIndex((other) => other.message_id === message.message_id);
    if (known >= 0) {
      phone.messages[known] = message;
    } else {
      phone.messages.push(message);
      if (phone.messages.length > KEPT_MESSAGES) phone.messages.shift();
    }
    this.#tell("message", { phone, message, isNew: known < 0 });
  }

  change(phoneId, changes) {
    const phone = this.phones.get(phoneId);
    if (!phone) return;
    Object.assign(phone, changes);
    this.#tell("phone", { phone, changes });
  }

  /** Add a phone, unless the event that tells of it came first. A quiet one does not take the place of another. */
  addPhone(phone, { quiet = false } = {}) {
    if (this.phones.has(phone.id)) return;
    phone.messages ??= [];
    this.phones.set(phone.id, phone);
    this.#tell("phone_added", { phone, quiet });
  }

  #tell(type, detail) {
    this.dispatchEvent(new CustomEvent(type, { detail }));
  }
}
