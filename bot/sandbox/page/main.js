// Opens the page: asks for the state, draws it, and follows what happens.
import * as api from "./api.js";
import { showHelp } from "./help.js";
import { Rail } from "./rail.js";
import { State } from "./state.js";
import { clock } from "./time.js";
import { bindTopbar } from "./topbar.js";

const FIRST_WAIT = 400;
const LONGEST_WAIT = 5000;

const state = new State();
const railElement = document.querySelector(".rail");
const rail = new Rail(railElement, document.querySelector(".switcher"), state);
const offline = document.querySelector(".offline");
let stop = () => {};
let wait = FIRST_WAIT;

state.addEventListener("clock", ({ detail }) => clock.set(detail));
state.addEventListener("loaded", () => rail.load());
state.addEventListener("phone_added", ({ detail }) => rail.add(detail.phone, detail));
state.addEventListener("message", ({ detail }) => rail.view(detail.phone.id).take(detail.message, detail.isNew));
state.addEventListener("deleted", ({ detail }) => rail.view(detail.phone.id).refill());
state.addEventListener("phone", ({ detail }) => rail.update(detail.phone));
state.addEventListener("callback", ({ detail }) => rail.view(detail.phone.id).answered(detail.answer));
clock.addEventListener("tick", () => rail.tick());

/** Load the whole state and follow from there; when the connection is lost, do so again. */
async function connect() {
  stop();
  try {
    state.load(await api.state());
  } catch (error) {
    if (!(error instanceof api.Refused)) throw error;
    lost();
    return;
  }
  wait = FIRST_WAIT;
  offline.hidden = true;
  railElement.setAttribute("aria-busy", "false");
  stop = api.follow(state.rev, {
    onEvent: (event) => (event.type === "reset" ? connect() : state.apply(event)),
    onLost: lost,
  });
}

function lost() {
  offline.hidden = false;
  setTimeout(connect, wait);
  wait = Math.min(LONGEST_WAIT, wait * 2);
}

document.addEventListener("keydown", (event) => {
  if (event.altKey && /^Digit[1-9]$/.test(event.code)) {
    event.preventDefault();
    rail.go(Number(event.code.slice(-1)));
  } else if (event.key === "?" && !event.target.closest("input, textarea, dialog")) {
    showHelp();
  }
});

bindTopbar({ onPhone: (phone) => state.addPhone(phone) });
connect();
