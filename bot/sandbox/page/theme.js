// Light, dark, or whatever the system says; remembered in this browser.
import { setIcon } from "./dom.js";

const KEY = "balcao-theme";
const ORDER = ["system", "light", "dark"];
const NAMES = { system: "do sistema", light: "claro", dark: "escuro" };

export function bindTheme(button) {
  const show = (theme) => {
    if (theme === "system") delete document.documentElement.dataset.theme;
    else document.documentElement.dataset.theme = theme;
    setIcon(button, `theme-${theme}`);
    button.setAttribute("aria-label", `Tema ${NAMES[theme]}. Trocar o tema`);
    button.title = `Tema ${NAMES[theme]}`;
  };

  let current = document.documentElement.dataset.theme ?? "system";
  show(current);
  button.addEventListener("click", () => {
    current = ORDER[(ORDER.indexOf(current) + 1) % ORDER.length];
    show(current);
    try {
      localStorage.setItem(KEY, current);
    } catch {
      // Not remembered, but shown all the same.
    }
  });
}
