// The list of the bot's commands: opened by its button, or by typing "/".
import { h, setIcon } from "./dom.js";

export class Commands {
  #commands = [];
  #shown = [];
  #selected = 0;
  #pick;

  constructor(id, pick) {
    this.#pick = pick;
    this.list = h("ul", { class: "commands", id: `commands-${id}`, role: "listbox", "aria-label": "Comandos do bot", hidden: true });
    this.button = h("button", {
      type: "button",
      class: "commands-button",
      "aria-label": "Comandos do bot",
      title: "Comandos do bot",
      "aria-expanded": "false",
      "aria-controls": `commands-${id}`,
      dataset: { role: "commands" },
    });
    setIcon(this.button, "menu");
    this.button.append(h("span", {}, "Menu"));
  }

  set(commands) {
    this.#commands = commands ?? [];
    this.button.hidden = this.#commands.length === 0;
    if (this.isOpen) this.#draw();
  }

  get isOpen() {
    return !this.list.hidden;
  }

  /** Show the commands that begin with what was typed; hides the list when there is none. */
  open(typed = "/") {
    const start = typed.slice(1).toLowerCase();
    this.#shown = this.#commands.filter(({ command }) => command.startsWith(start));
    this.#selected = 0;
    this.#draw();
    this.list.hidden = this.#shown.length === 0;
    this.button.setAttribute("aria-expanded", String(this.isOpen));
  }

  close() {
    this.list.hidden = true;
    this.button.setAttribute("aria-expanded", "false");
  }

  get activeId() {
    return this.isOpen ? `${this.list.id}-${this.#selected}` : null;
  }

  /** Take a key meant for the open list; true when it was. */
  key(event) {
    if (!this.isOpen) return false;
    if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      const step = event.key === "ArrowDown" ? 1 : -1;
      this.#selected = (this.#selected + step + this.#shown.length) % this.#shown.length;
      this.#mark();
    } else if (event.key === "Enter" || event.key === "Tab") {
      if (event.shiftKey) return false;
      this.#pick(this.#shown[this.#selected].command, event.key === "Tab");
      this.close();
    } else if (event.key === "Escape") {
      this.close();
    } else {
      return false;
    }
    event.preventDefault();
    event.stopPropagation();
    return true;
  }

  #draw() {
    this.list.replaceChildren(
      ...this.#shown.map(({ command, description }, index) =>
        h(
          "li",
          {
            id: `${this.list.id}-${index}`,
            role: "option",
            dataset: { command },
            on: {
              click: () => {
                this.close();
                this.#pick(command, false);
              },
            },
          },
          h("strong", {}, `/${command}`),
          h("span", {}, description),
        ),
      ),
    );
    this.#mark();
  }

  #mark() {
    [...this.list.children].forEach((item, index) => {
      item.setAttribute("aria-selected", String(index === this.#selected));
      if (index === this.#selected) item.scrollIntoView({ block: "nearest" });
    });
  }
}
