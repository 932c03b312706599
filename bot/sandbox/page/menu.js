// A menu that opens at its button: arrows, Home, End and Escape work as in any application.
import { h, icon } from "./dom.js";

const GAP = 6;

/** Open a menu of `{ icon, label, checked, danger, data, run }`; `{ heading }` names what follows. */
export function openMenu(button, items) {
  const menu = h("div", { class: "menu", role: "menu", popover: "auto" });
  for (const item of items) {
    if (item.heading) {
      menu.append(h("p", { class: "menu-heading", role: "presentation" }, item.heading));
      continue;
    }
    const isRadio = item.checked !== undefined;
    menu.append(
      h(
        "button",
        {
          type: "button",
          class: item.danger ? "menu-item danger" : "menu-item",
          role: isRadio ? "menuitemradio" : "menuitem",
          "aria-checked": isRadio ? String(item.checked) : null,
          tabindex: "-1",
          dataset: item.data ?? {},
          on: {
            click: () => {
              menu.hidePopover();
              item.run();
            },
          },
        },
        icon(isRadio && item.checked ? "check" : item.icon),
        h("span", {}, item.label),
      ),
    );
  }
  const entries = [...menu.querySelectorAll("button")];
  menu.addEventListener("keydown", (event) => {
    const at = entries.indexOf(document.activeElement);
    const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: entries.length - 1 }[event.key];
    if (event.key === "Tab") menu.hidePopover();
    if (to === undefined) return;
    event.preventDefault();
    entries[(to + entries.length) % entries.length].focus();
  });
  menu.addEventListener("toggle", (event) => {
    const isOpen = event.newState === "open";
    button.setAttribute("aria-expanded", String(isOpen));
    if (isOpen) return;
    if (!document.activeElement || document.activeElement === document.body) button.focus();
    menu.remove();
  });

  document.body.append(menu);
  menu.showPopover();
  const at = button.getBoundingClientRect();
  const size = menu.getBoundingClientRect();
  const below = at.bottom + GAP + size.height <= innerHeight;
  menu.style.top = `${below ? at.bottom + GAP : Math.max(GAP, at.top - GAP - size.height)}px`;
  menu.style.left = `${Math.min(Math.max(GAP, at.right - size.width), innerWidth - size.width - GAP)}px`;
  entries[0]?.focus();
}
