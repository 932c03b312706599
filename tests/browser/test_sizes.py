"""The page on a small and on a large screen, in light and dark, by finger and by keyboard."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from PIL import Image
from playwright.sync_api import Page, ViewportSize, expect

from tests.browser.conftest import SMALL, WIDE
from tests.support.handset import PATIENCE, Handset

README = Path(__file__).parents[2] / "docs" / "images"
README_PICTURES = "BALCAO_README_PICTURES"
"""Set, the pictures of the README are taken anew."""


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("size", [SMALL, WIDE], ids=["small", "wide"])
def test_everything_fits_the_screen(page: Page, pictures: Path, size: ViewportSize, theme: str) -> None:
    """Whatever is opened on the page, nothing has to be scrolled sideways and nothing is cut off."""
    page.set_viewport_size(size)
    page.emulate_media(color_scheme="dark" if theme == "dark" else "light")

    def looks(name: str) -> None:
        fits(page)
        page.screenshot(path=pictures / f"{size['width']}-{theme}-{name}.png", animations="disabled")

    for label in ("Motorista", "Passageira", "Servidora"):
        Handset(page, label).comes_up()
        looks(label.lower())
    bia = Handset(page, "Servidora")
    bia.element.locator("[data-role='commands']").click()
    looks("commands")
    page.keyboard.press("Escape")
    bia.element.locator("[data-role='attach']").click()
    looks("attach")
    bia.element.locator("[data-attach='sample-photo']").click()
    expect(page.locator("[data-role='upload-dialog']")).to_be_visible(timeout=PATIENCE)
    looks("upload")
    page.keyboard.press("Escape")
    bia.element.locator("[data-role='phone-menu']").click()
    looks("phone-menu")
    page.keyboard.press("Escape")
    page.locator("[data-role='go-to']").click()
    looks("go-to")
    page.keyboard.press("Escape")
    for role in ("add-phone", "restart", "help"):
        if not page.locator(f"[data-role='{role}']").is_visible():
            page.locator("[data-role='tools']").click()
        page.locator(f"[data-role='{role}']").click()
        looks(role)
        page.keyboard.press("Escape")


def test_the_counter_is_used_without_a_mouse(page: Page) -> None:
    """João chooses his phone, writes, walks to a button and presses it, opens and leaves a sheet: all by keyboard."""
    joao = Handset(page, "Motorista")
    page.keyboard.press("Alt+1")
    expect(joao.element.locator("[data-role='composer']")).to_be_focused()
    page.keyboard.type("Cáceres")
    page.keyboard.press("Enter")
    joao.sees("O que você quer fazer?")
    for _ in range(60):
        page.keyboard.press("Shift+Tab")
        if page.evaluate("document.activeElement.textContent").startswith("Quero reclamar"):
            break
    page.keyboard.press("Enter")
    joao.sees("O que você quer contar?")
    page.keyboard.press("Alt+1")
    attach = joao.element.locator("[data-role='attach']")
    attach.focus()
    page.keyboard.press("Enter")
    expect(joao.element.locator("[data-attach='photo']")).to_be_focused()
    page.keyboard.press("Escape")
    expect(attach).to_be_focused()
    page.keyboard.press("Alt+3")
    expect(Handset(page, "Servidora").element.locator("[data-role='composer']")).to_be_focused()


def test_nothing_lies_over_what_is_being_read(page: Page) -> None:
    """Four phones side by side: neither a passing word nor the way to the end covers a message of the counter."""
    page.set_viewport_size({"width": 1500, "height": 800})
    bia = Handset(page, "Servidora")
    bia.writes("/fila")
    bia.sees("Ouvidoria:")
    bia.writes("/nada")
    bia.sees("Não conheço o comando")
    page.evaluate(
        """() => document.querySelectorAll('.toasts').forEach((one) => {
            const toast = document.createElement('div');
            toast.className = 'toast';
            toast.textContent = 'Esta tela já passou.';
            one.append(toast);
        })"""
    )
    bia.element.locator(".log").hover()
    page.mouse.wheel(0, -2000)
    expect(bia.element.locator(".to-bottom")).to_be_visible(timeout=PATIENCE)

    covered = page.evaluate(
        """() => [...document.querySelectorAll('[data-phone]')].flatMap((phone) => {
            const box = (name) => [...phone.querySelectorAll(name)].map((one) => one.getBoundingClientRect());
            const [log] = box('.log');
            const toasts = box('.toast').filter((toast) => toast.bottom > log.top);
            const [way] = box('.to-bottom');
            return [...toasts, ...box('.row:not(.own) .stack').filter((stack) => way.width && stack.right > way.left)];
        }).length"""
    )
    assert covered == 0


def test_the_button_of_a_message_lies_over_none_of_its_words(page: Page) -> None:
    """On a narrow phone the first line reaches to the edge: it ends before the button that appears there."""
    page.set_viewport_size(SMALL)
    joao = Handset(page, "Motorista")
    joao.comes_up()
    joao.writes("pelotas")
    joao.sees("O que você quer fazer?")
    joao.writes("o ônibus da linha 12 está atrasado de novo")
    joao.sees("Toque no assunto")

    covered = page.evaluate(
        """() => [...document.querySelectorAll('.theirs')].flatMap((row) => {
            const [menu, text] = [row.querySelector('.row-menu'), row.querySelector('.bubble > .text')];
            if (!menu?.offsetWidth || !text?.firstChild) return [];
            const [button, words] = [menu.getBoundingClientRect(), document.createRange()];
            words.selectNodeContents(text.firstChild);
            return [...words.getClientRects()].filter(
                (line) => line.right > button.left + 3 && line.top < button.bottom - 6 && line.bottom > button.top + 6,
            );
        }).length"""
    )
    assert covered == 0


def test_the_readme_shows_the_page_as_it_is(page: Page, pictures: Path) -> None:
    """The pictures show a driver at work, a passenger who is asked and the queues of who serves."""
    folder = README if os.environ.get(README_PICTURES) else pictures
    folder.mkdir(parents=True, exist_ok=True)
    joao = Handset(page, "Motorista")
    joao.taps("Cáceres")
    joao.taps("Sou motorista")
    joao.sees("Para quem é o cadastro?")
    joao.taps("Motorista de aplicativo")
    for step in range(1, 8):
        joao.sees(f"Passo {step} de 7")
        joao.taps("Pular")
    joao.sees("Confira as suas respostas")
    joao.taps("Ver o resultado")
    joao.taps("Começar")
    joao.sees("Enviar agora")
    joao.taps("Enviar agora")
    joao.sees("Mande agora")
    joao.attaches("sample-photo")
    joao.sees("até aqui")
    page.set_viewport_size({"width": 1440, "height": 900})
    page.mouse.move(0, 0)
    page.screenshot(path=folder / "phones.png", animations="disabled")
    page.set_viewport_size(SMALL)
    page.emulate_media(color_scheme="dark")
    joao.comes_up()
    page.screenshot(path=folder / "phone-dark.png", animations="disabled")
    for name in ("phones.png", "phone-dark.png"):
        with Image.open(folder / name) as taken:
            taken.convert("RGB").point(lambda level: level & 0xFC).save(folder / name, optimize=True)
        assert (folder / name).stat().st_size < 400_000


def fits(page: Page) -> None:
    """Check that neither the page nor what lies over it reaches beyond the screen."""
    wide = page.evaluate(
        """() => [...document.querySelectorAll('body, main, dialog[open], .topbar, .frame, .attach, .commands-list')]
            .filter((one) => one.offsetParent !== null || one === document.body || one.open)
            .map((one) => [one.className || one.tagName, one.getBoundingClientRect(), one.scrollWidth, one.clientWidth])
            .filter(([, box, scroll, client]) => box.left < -1 || box.right > innerWidth + 1 || scroll > client + 1)
            .map(([name]) => name)
            .concat(document.documentElement.scrollWidth > innerWidth ? ['page'] : [])"""
    )
    assert wide == []
