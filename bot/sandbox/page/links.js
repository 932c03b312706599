// Links to this bot open inside the phone, as they would in the app; all others open in a new tab.

/** The words a link to this bot sends, "" when it only points at the chat, or null when it leads elsewhere. */
export function deepLink(url, username) {
  let target;
  try {
    target = new URL(url);
  } catch {
    return null;
  }
  const isWeb = ["t.me", "telegram.me", "telegram.dog"].includes(target.hostname);
  const isApp = target.protocol === "tg:" && (target.hostname || target.pathname.replace(/^\/+/, "")) === "resolve";
  if (!isWeb && !isApp) return null;
  const name = isWeb ? target.pathname.split("/")[1] : target.searchParams.get("domain");
  if (name?.toLowerCase() !== username?.toLowerCase()) return null;
  const payload = target.searchParams.get("start");
  return payload ? `/start ${payload}` : "";
}

/** What a person pasted as an invitation: a whole link, "/start CODE" or only the code. */
export function startWords(pasted, username) {
  const words = pasted.trim();
  const fromLink = deepLink(/^[a-z]+:/i.test(words) ? words : `https://${words}`, username);
  if (fromLink !== null) return fromLink || "/start";
  if (words.startsWith("/start")) return words;
  return /^[\w-]{1,64}$/.test(words) ? `/start ${words}` : null;
}
