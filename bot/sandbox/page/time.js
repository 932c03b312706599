// The simulation's clock: every date on the page is shown in its zone and measured from its "now", never from the computer's.

const LOCALE = "pt-BR";
// Zone names are written without accents.
const ZONES = { "America/Cuiaba": "Cuiabá", "America/Sao_Paulo": "São Paulo" };
const DAY = 86_400_000;

const formatters = new Map();

/** Formatters are slow to make and every message needs two, so they are kept. */
function formatter(locale, options) {
  const key = locale + JSON.stringify(options);
  if (!formatters.has(key)) formatters.set(key, new Intl.DateTimeFormat(locale, options));
  return formatters.get(key);
}

class Clock extends EventTarget {
  #base = 0;
  #readAt = 0;
  #timer = 0;
  zone = "UTC";

  set({ now, zone }) {
    this.#base = Date.parse(now);
    this.#readAt = performance.now();
    this.zone = zone ?? this.zone;
    this.#tick();
  }

  now() {
    return new Date(this.#base + performance.now() - this.#readAt);
  }

  format(date, options) {
    return formatter(LOCALE, { timeZone: this.zone, ...options }).format(date);
  }

  #tick() {
    clearTimeout(this.#timer);
    this.dispatchEvent(new Event("tick"));
    this.#timer = setTimeout(() => this.#tick(), 60_000 - (this.now().getTime() % 60_000) + 20);
  }
}

export const clock = new Clock();

const fromUnix = (unix) => new Date(unix * 1000);
const capitalised = (text) => text.charAt(0).toUpperCase() + text.slice(1);

export const hour = (date) => clock.format(date, { hour: "2-digit", minute: "2-digit" });
export const messageHour = (unix) => hour(fromUnix(unix));

/** The local date as YYYY-MM-DD. */
export function dayOf(date) {
  const parts = Object.fromEntries(
    formatter("en-US", { timeZone: clock.zone, year: "numeric", month: "2-digit", day: "2-digit" })
      .formatToParts(date)
      .map((part) => [part.type, part.value]),
  );
  return `${parts.year}-${parts.month}-${parts.day}`;
}

export const messageDay = (unix) => dayOf(fromUnix(unix));

/** "Hoje", "Ontem" or the date, with its year when it is not this one. */
export function dayName(unix) {
  const date = fromUnix(unix);
  const now = clock.now();
  const day = dayOf(date);
  if (day === dayOf(now)) return "Hoje";
  if (day === dayOf(new Date(now.getTime() - DAY))) return "Ontem";
  const sameYear = day.slice(0, 4) === dayOf(now).slice(0, 4);
  return clock.format(date, { day: "numeric", month: "long", year: sameYear ? undefined : "numeric" });
}

export function clockParts() {
  const now = clock.now();
  return {
    iso: now.toISOString(),
    weekday: capitalised(clock.format(now, { weekday: "long" })),
    shortWeekday: capitalised(clock.format(now, { weekday: "short" }).replace(".", "")),
    date: clock.format(now, { day: "2-digit", month: "2-digit", year: "numeric" }),
    hour: hour(now),
    zone: ZONES[clock.zone] ?? clock.zone.split("/").at(-1).replaceAll("_", " "),
    zoneOffset: clock.format(now, { timeZoneName: "shortOffset" }).split(" ").at(-1),
  };
}

/** A value for <input type="datetime-local">: local date at some days from now, at an hour or at the present one. */
export function localInput(days = 0, atHour = null) {
  const date = new Date(clock.now().getTime() + days * DAY);
  return `${dayOf(date)}T${atHour ?? hour(date)}`;
}
