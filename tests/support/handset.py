"""One phone of the sandbox's page in a real browser, used as a person uses it: reading, typing and pressing."""

from __future__ import annotations

import re

from playwright.sync_api import Locator, Page, expect

PATIENCE = 15_000  # milliseconds


class Handset:
    """The phone of somebody, by the label on it ("Motorista")."""

    def __init__(self, page: Page, label: str) -> None:
        self.page = page
        state = page.request.get("/sandbox/state").json()
        self.id = next(phone["id"] for phone in state["phones"] if phone["label"] == label)
        self.element: Locator = page.locator(f"[data-phone='{self.id}']")
        self.messages = self.element.locator(".theirs[data-message-id]")

    def comes_up(self) -> None:
        """Bring the phone into sight, where not all of them fit."""
        # a new size of the window is laid out in the frames after it
        self.page.evaluate("() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")
        tab = self.page.locator(f"[data-tab='{self.id}']")
        if not self.element.is_visible() and tab.count():
            tab.click()

    def sees(self, text: str) -> Locator:
        """Wait for the newest message to say something."""
        self.comes_up()
        expect(self.messages.last).to_contain_text(text, timeout=PATIENCE)
        return self.messages.last

    def has(self, text: str) -> Locator:
        """Wait for some message that says something; the newest of them."""
        self.comes_up()
        found = self.messages.filter(has_text=text).last
        expect(found).to_be_visible(timeout=PATIENCE)
        return found

    def taps(self, label: str) -> None:
        """Press the newest button with exactly this label, or else the newest that has it in it; wait for an answer."""
        self.comes_up()
        buttons = self.element.locator("button[data-callback]")
        exact = buttons.filter(has_text=re.compile(rf"^\s*{re.escape(label)}\s*$"))
        found = buttons.filter(has_text=label)
        expect(found.last).to_be_visible(timeout=PATIENCE)
        (exact if exact.count() else found).last.click(timeout=PATIENCE)
        expect(self.element.locator(".waiting")).to_have_count(0, timeout=PATIENCE)

    def writes(self, text: str) -> None:
        """Type a text and send it."""
        self.comes_up()
        self.element.locator("[data-role='composer']").fill(text)
        self.element.locator("[data-role='send']").click()
        expect(self.element.locator(".own[data-message-id]").last).to_contain_text(text.strip(), timeout=PATIENCE)

    def attaches(self, item: str, *, caption: str = "") -> None:
        """Send one of the ready samples through the attach sheet."""
        self.comes_up()
        sent = self.element.locator(".own[data-message-id]")
        before = sent.count()
        self.element.locator("[data-role='attach']").click()
        self.element.locator(f"[data-attach='{item}']").click()
        dialog = self.page.locator("[data-role='upload-dialog']")
        if caption:
            dialog.locator("[data-role='upload-caption']").fill(caption)
        dialog.locator("[data-role='upload-send']").click()
        expect(dialog).to_have_count(0, timeout=PATIENCE)
        expect(sent.nth(before)).to_be_visible(timeout=PATIENCE)
