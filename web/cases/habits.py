"""What people know from other Go programs: walking, variations, records, marks and sounds."""

import re
import subprocess
import tempfile
import time
import xml.etree.ElementTree as ET
from pathlib import Path

from player import (
    address, click, empty_points, moves, press_button, rested, said, saved, saved_record, show, text,
)
from webdriver import Firefox, Skipped

LEFT, UP, RIGHT, DOWN, ENTER = "\ue012", "\ue013", "\ue014", "\ue015", "\ue007"
PAGE_UP, PAGE_DOWN, END, HOME, ESCAPE, TAB, SHIFT = (
    "\ue00e", "\ue00f", "\ue010", "\ue011", "\ue00c", "\ue004", "\ue008")
GAME = "C3.B2.D4.B4.D2.C4.B3.C2.D3.A3.E3.A2"
PASTE = """const data = new DataTransfer();
    if (typeof arguments[0] === "string") data.setData("text/plain", arguments[0]);
    else data.items.add(new File([new Uint8Array(arguments[0])], "dropped.sgf"));
    const event = arguments[1] === "paste"
        ? new ClipboardEvent("paste", { clipboardData: data, bubbles: true, cancelable: true,
            // As Firefox names it.
            data: arguments[0], dataType: "text/plain" })
        : new DragEvent(arguments[1], { dataTransfer: data, bubbles: true, cancelable: true });
    document.body.dispatchEvent(event);
    return event.defaultPrevented;"""
SGF = ("(;GM[1]FF[4]SZ[5]KM[2.5]PB[Lee]PW[Cho]RE[B+R]LB[aa:A][bb:12]TR[cc]SQ[dd]C[Begin.]"
       ";B[cc];W[bd](;B[dd]CR[dd]MA[ae];W[bb])(;B[db]C[Other.](;W[dd])(;W[bb];B[bc])))")


def at(browser, number):
    browser.until("return document.querySelector('.place').textContent.startsWith("
                  "`move ${arguments[0]} of `)", number, what=f"move {number}")


def line(browser, wanted):
    browser.until("return (new URLSearchParams(location.hash.split('?')[1]).get('moves') ?? '')"
                  " === arguments[0]", wanted, what=f"the line {wanted}")


def test_keys_walk_through_the_game(page):
    browser = page.browser
    show(page, f"#/play?white=person&moves={GAME}")
    for key, number in [(LEFT, 11), (PAGE_UP, 1), (RIGHT, 2), (HOME, 0), (LEFT, 0),
                        (PAGE_DOWN, 10), (END, 12), (RIGHT, 12), (LEFT, 11)]:
        browser.press(key)
        at(browser, number)
    assert address(browser)["at"] == "11"
    # Quick presses all count.
    browser.press(*[LEFT] * 5, *[RIGHT] * 2)
    at(browser, 8)


def test_arrows_walk_over_the_points_where_the_keyboard_is_there(page):
    browser = page.browser
    show(page, "#/play?white=person&moves=C3.B2")
    cursor = """return document.querySelector('.goban.with-cursor') !== null
        && document.querySelector('.goban .cursor').id.split('-')[2]"""
    browser.press(ENTER)
    assert browser.js(cursor) == "C3"
    browser.press(RIGHT, UP)
    assert browser.js(cursor) == "D4"
    at(browser, 2)
    browser.do("/actions", actions=[{"type": "key", "id": "keys", "actions": [
        {"type": kind, "value": key} for kind, key in [
            ("keyDown", SHIFT), ("keyDown", LEFT), ("keyUp", LEFT), ("keyUp", SHIFT)]]}])
    at(browser, 1)
    browser.press(RIGHT, ENTER)
    line(browser, "C3.E4")
    browser.press(ESCAPE, LEFT)
    at(browser, 1)
    assert browser.js(cursor) is False
    # Tab leads to the points too, a click does not.
    show(page, "#/play?white=person&moves=C3.B2")
    browser.js("document.querySelector('.skip').focus()")
    for _ in range(12):
        browser.press(TAB)
        if browser.js(cursor):
            break
    browser.press(LEFT, LEFT, ENTER)
    line(browser, "C3.B2.A3")
    click(browser, "E5")
    line(browser, "C3.B2.A3.E5")
    browser.press(LEFT)
    at(browser, 3)


def test_the_wheel_walks_through_the_game(page):
    browser = page.browser
    show(page, f"#/play?white=person&moves={GAME}")
    box = browser.js("""const own = document.querySelector(".goban").getBoundingClientRect();
        return [own.x + own.width / 2, own.y + own.height / 2]""")

    def wheel(pixels):
        browser.cdp("Input.dispatchMouseEvent", type="mouseWheel", x=box[0], y=box[1],
                    deltaX=0, deltaY=pixels)

    for number in (11, 10, 9):
        wheel(-100)
        at(browser, number)
    wheel(100)
    at(browser, 10)
    # A touchpad turns by little steps.
    for _ in range(10):
        wheel(10)
    at(browser, 11)
    assert browser.js("return scrollY") == 0


def test_variations_are_kept(page):
    browser = page.browser
    show(page, "#/play?white=person&moves=C3.B2.D4")
    browser.press(LEFT, LEFT)
    at(browser, 1)
    click(browser, "B4")
    line(browser, "C3.B4")
    browser.until("return document.querySelectorAll('.tree g').length === 5")
    browser.press(UP)
    line(browser, "C3.B2.D4")
    at(browser, 2)
    browser.press(DOWN)
    line(browser, "C3.B4")
    click(browser, "E5")
    line(browser, "C3.B4.E5")
    # All variations exist after a reload, though the address holds one line.
    browser.do("/refresh")
    browser.until("return document.querySelectorAll('.tree g').length === 6")
    line(browser, "C3.B4.E5")
    # The tree leads everywhere by the mouse, and the buttons by the keyboard.
    browser.js("""[...document.querySelectorAll(".tree g")]
        .find((one) => one.textContent === "3 D4")
        .dispatchEvent(new PointerEvent("click", { bubbles: true }))""")
    line(browser, "C3.B2.D4")
    at(browser, 3)
    browser.press(LEFT)
    at(browser, 2)
    press_button(browser, "B4")
    line(browser, "C3.B4.E5")
    at(browser, 2)
    press_button(browser, "Make main line")
    browser.until("return [...document.querySelectorAll('.others button')]"
                  ".map((one) => one.textContent).join() === 'B4,B2'")
    press_button(browser, "Remove this move")
    line(browser, "C3.B2.D4")
    at(browser, 1)
    assert browser.js("return document.querySelectorAll('.tree g').length") == 4
    said(browser, "brings the moves back")
    browser.js("history.back()")
    browser.until("return document.querySelectorAll('.tree g').length === 6")
    line(browser, "C3.B4.E5")


def test_a_person_tries_another_move_against_a_bot(page):
    browser = page.browser
    show(page, "#/play?white=two-ply")
    click(browser, "C3")
    browser.until("return location.hash.split('moves=')[1]?.split('&')[0].split('.').length === 2")
    first = moves(browser)
    # The bot waits while the person looks back, and answers the next move.
    browser.press(LEFT, LEFT)
    at(browser, 0)
    click(browser, "B3")
    browser.until("return location.hash.split('moves=')[1]?.split('&')[0].split('.').length === 2"
                  " && location.hash.includes('moves=B3.')")
    press_button(browser, "First")
    at(browser, 0)
    press_button(browser, "C3")
    line(browser, ".".join(first))


def test_variations_and_marks_of_a_record(page):
    browser = page.browser
    show(page, "#/play?white=person")
    assert browser.js(PASTE, SGF, "paste") is True
    said(browser, "read what was pasted")
    line(browser, "C3.B2.D2.B4")
    browser.press(HOME)
    at(browser, 0)
    assert text(browser, ".comment") == "Begin."
    labels = browser.js("""return Object.fromEntries(["A5", "B4", "C3", "D2"].map((point) => [point,
        document.querySelector(`.goban [id$='-${point}']`).ariaLabel]))""")
    assert labels["A5"] == "A5, empty, marked A" and labels["B4"].endswith("marked 12"), labels
    assert labels["C3"].endswith("marked by a triangle"), labels
    assert labels["D2"].endswith("marked by a square"), labels
    assert browser.js("return document.querySelectorAll('figure:first-child .signs .sign').length") == 2
    assert browser.js("return [...document.querySelectorAll('figure:first-child .signs text')]"
                      ".map((one) => one.textContent).join()") == "A,12"
    browser.press(RIGHT, RIGHT, RIGHT)
    at(browser, 3)
    assert browser.js("return document.querySelectorAll('figure:first-child .signs .sign').length") == 2
    browser.press(DOWN)
    line(browser, "C3.B2.D4.D2")
    assert text(browser, ".comment") == "Other."
    browser.press(RIGHT, DOWN, RIGHT)
    line(browser, "C3.B2.D4.B4.B3")
    at(browser, 5)
    # The saved file is the whole record, including moves played here.
    click(browser, "A1")
    line(browser, "C3.B2.D4.B4.B3.A1")
    sgf = saved_record(page)
    assert "PB[Lee]" in sgf and "RE[B+R]" in sgf and "LB[aa:A][bb:12]" in sgf, sgf
    assert sgf.replace("\n", "").count("(;") == 5 and ";W[ae]" in sgf, sgf
    browser.js(PASTE, sgf, "paste")
    line(browser, "C3.B2.D2.B4")
    assert browser.js("return document.querySelectorAll('.tree g').length") == 10
    # Another program reads the saved file.
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "saved.sgf"
        file.write_text(sgf)
        scored = subprocess.run([page.tengen, "score", file], capture_output=True, text=True)
        assert scored.returncode == 0, scored.stderr


def test_a_record_is_dropped_in_its_charset(page):
    browser = page.browser
    show(page, "#/play?white=person")
    record = "(;CA[GBK]SZ[9]PB[柯潔]PW[聂卫平];B[ee];W[gc])".encode("gbk")
    assert browser.js(PASTE, list(record), "dragover") is True
    assert browser.js("return document.body.classList.contains('dropping')")
    assert browser.js(PASTE, list(record), "drop") is True
    said(browser, "read dropped.sgf")
    line(browser, "E5.G7")
    assert text(browser, ".player .name") == "Black: 柯潔"
    assert not browser.js("return document.body.classList.contains('dropping')")
    browser.js(PASTE, "no record", "drop")
    said(browser, "invalid SGF")
    line(browser, "E5.G7")


def test_help_tells_the_keys(page):
    browser = page.browser
    show(page, "#/play?white=person")
    browser.press("?")
    told = browser.until("return document.querySelector('dialog.help[open]')?.textContent")
    assert "undo and redo" in told and "wheel over the board" in told
    browser.press(ESCAPE)
    browser.until("return !document.querySelector('dialog')")
    browser.click("#letter-keys")
    browser.js("document.activeElement.blur()")
    browser.press("?")
    assert not browser.js("return document.querySelector('dialog')")
    press_button(browser, "Keys")
    told = browser.until("return document.querySelector('dialog.help[open]')?.textContent")
    assert "are off: a checkbox" in told
    press_button(browser, "Close")
    browser.click("#letter-keys")


def test_handicap_stones(page):
    browser = page.browser
    show(page)
    browser.press("n")
    offered = """const select = [...document.querySelectorAll("dialog .field")]
            .find((one) => one.textContent.startsWith("Handicap")).querySelector("select");
        return [...select.options].map((one) => one.value).join()"""
    browser.until(f"{offered.replace('return ', 'return document.querySelector(`dialog`) && ')}")
    assert browser.js(offered) == "0"
    browser.js("""const columns = document.querySelector("dialog select");
        columns.value = "9"; columns.dispatchEvent(new Event("change"))""")
    browser.until(f"{offered.replace('join()', 'join() === arguments[0]')}", "0,2,3,4,5,6,7,8,9")
    browser.js("""const fields = [...document.querySelectorAll("dialog .field")];
        const of = (name) => fields.find((one) => one.textContent.startsWith(name)).querySelector("select");
        of("Handicap").value = "4";
        of("Rules").value = "aga";
        of("White").value = "two-ply";""")
    press_button(browser, "Start")
    browser.until("return location.hash.includes('handicap=4') && location.hash.includes('moves=')")
    state = address(browser)
    assert (state["komi"], state["first"]) == ("0.5", "white"), state
    stones = set(empty_points(browser)) ^ {f"{c}{r}" for c in "ABCDEFGHJ" for r in range(1, 10)}
    assert {"C3", "G3", "C7", "G7"} < stones and len(stones) == 5
    press_button(browser, "Area")
    browser.until("return /komi 0.5 and 3 for handicap/.test("
                  "document.querySelector('.status').textContent)")
    sgf = saved_record(page)
    assert "HA[4]" in sgf and "AB[" in sgf, sgf


# Black's wall stands at C, White's at D; the black stone E5 is dead, the white one A1 too.
DEAD = "#/play?white=person&komi=0.5&setup=..XOX/..XO./..XO./..XO./O.XO.&moves=pass.pass"


def test_dead_stones_are_marked_at_the_end(page):
    browser = page.browser
    show(page, DEAD)
    status = "return document.querySelector('.status').textContent"
    stands = browser.js(status)
    assert "A click on a chain marks it dead" in stands, stands
    official = re.search(r"RE\[([^\]]*)\]", saved_record(page))[1]
    assert official != "B+4.5" and f": {official}" in stands, (official, stands)
    click(browser, "A1")
    browser.until(f"{status.replace('.textContent', '.textContent.includes(arguments[0])')}",
                  "Without the stones marked dead: Black 16, White 5,")
    click(browser, "E5")
    # 15 for Black, 10 for White and komi.
    browser.until(f"{status.replace('.textContent', '.textContent.includes(arguments[0])')}",
                  "Black 15, White 10, komi 0.5: B+4.5")
    # Headline, text and record have one result.
    shown = browser.js(status)
    assert shown.startswith("Black wins by 4.5") and f"With no stones marked dead: {official}" in shown, shown
    browser.until("return document.querySelectorAll('figure:first-child .dead').length === 2")
    label = "return document.querySelector(\".goban [id$='-A1']\").ariaLabel"
    assert "marked dead" in browser.js(label)
    record = saved_record(page)
    assert "RE[B+4.5]" in record, record
    click(browser, "A1")
    browser.until("return document.querySelectorAll('figure:first-child .dead').length === 1")
    browser.press(LEFT)
    at(browser, 1)
    assert browser.js("return document.querySelectorAll('figure:first-child .dead').length") == 0
    # A click is a move again.
    click(browser, "B5")
    line(browser, "pass.B5")


def moments_of_moves(browser, count):
    """Waits for `count` moves and presses *Pause*; returns the milliseconds between successive
    moves, as the page sees them. Pressed from outside, *Pause* might come after the game."""
    return browser.js("""return new Promise((done) => {
        const place = document.querySelector(".place");
        const moments = [];
        const watch = new MutationObserver(() => {
            if (moments.push(performance.now()) < arguments[0]) return;
            watch.disconnect();
            [...document.querySelectorAll("button")].find((one) => one.textContent === "Pause").click();
            done(moments.slice(1).map((one, at) => one - moments[at]));
        });
        watch.observe(place, { childList: true, characterData: true, subtree: true });
    })""", count)


def test_speed_and_single_steps_of_two_bots(page):
    browser = page.browser
    show(page, "#/play?white=person")
    browser.js("localStorage.setItem('tengen-settings', '{\"pace\":500}')")
    browser.do("/refresh")
    show(page, "#/play?size=9x9&black=random&white=random")
    assert browser.js("return document.getElementById('pace').value") == "500"
    gaps = moments_of_moves(browser, 4)
    # The page measures when a move is made, this test when the move is drawn.
    assert min(gaps) > 400, gaps
    rested(browser)
    slow = len(moves(browser))
    for step in range(1, 4):
        press_button(browser, "Step")
        browser.until("return location.hash.split('moves=')[1].split('&')[0].split('.').length"
                      " === arguments[0]", slow + step)
    time.sleep(0.7)
    assert len(moves(browser)) == slow + 3
    browser.press("s")
    browser.until("return location.hash.split('moves=')[1].split('&')[0].split('.').length"
                  " === arguments[0]", slow + 4)
    browser.js("""const pace = document.getElementById("pace");
        pace.value = "0"; pace.dispatchEvent(new Event("change"))""")
    press_button(browser, "Go on")
    gaps = moments_of_moves(browser, 14)
    assert min(gaps) < 400, gaps
    rested(browser)
    # Before the end of the game, a step begins a variation or follows the game.
    press_button(browser, "First")
    at(browser, 0)
    press_button(browser, "Step")
    at(browser, 1)


def test_the_board_is_saved_as_a_picture(page):
    browser = page.browser
    show(page, "#/play?white=person")
    browser.js(PASTE, SGF, "paste")
    said(browser, "read what was pasted")
    _, picture = saved(page, ".svg", "#save-picture")
    root = ET.fromstring(picture)
    space = "{http://www.w3.org/2000/svg}"
    assert root.tag == f"{space}svg" and root.get("width"), root.attrib
    assert "class=" not in picture and "var(" not in picture and "style" not in picture
    stones = [one for one in root.iter(f"{space}circle") if "url(#" in one.get("fill", "")]
    assert len(stones) == 4
    grounds = [one.get("fill") for one in root.iter(f"{space}rect")]
    assert grounds == ["rgb(227, 190, 124)"], grounds
    # The saved picture looks the same without the page: it has the same colours where stones lie.
    look = """return new Promise((done, fail) => {
        const image = new Image();
        image.onerror = () => fail(new Error("no picture"));
        image.onload = () => {
            const canvas = document.createElement("canvas");
            canvas.width = image.width;
            canvas.height = image.height;
            const draw = canvas.getContext("2d", { willReadFrequently: true });
            draw.drawImage(image, 0, 0);
            const margin = (image.width - 160) / 2;
            const at = (column, row) => [...draw.getImageData(
                margin + 40 * column + 9, margin + 40 * row + 9, 1, 1).data].slice(0, 3);
            done({ black: at(2, 2), white: at(1, 3), wood: at(4, 4) });
        };
        image.src = "data:image/svg+xml;charset=utf-8," + encodeURIComponent(arguments[0]);
    })"""
    seen = browser.js(look, picture)
    assert max(seen["black"]) < 90 and min(seen["white"]) > 180, seen
    assert seen["wood"] == [227, 190, 124], seen


def test_sound_is_off_at_first(page):
    browser = page.browser
    if isinstance(browser, Firefox):
        raise Skipped("Firefox lets nobody listen to the page")
    show(page, "#/play?white=person")
    browser.js("""globalThis.sounds = 0;
        const real = OscillatorNode.prototype.start;
        OscillatorNode.prototype.start = function (...all) {
            globalThis.sounds += 1;
            return real.apply(this, all);
        };""")
    heard = "return globalThis.sounds"
    click(browser, "C3")
    line(browser, "C3")
    rested(browser)
    assert browser.js(heard) == 0
    browser.click("#sound")
    assert browser.js(heard) == 1
    click(browser, "B2")
    line(browser, "C3.B2")
    rested(browser)
    assert browser.js(heard) == 2
    browser.js("document.activeElement.blur()")
    browser.press("p")
    line(browser, "C3.B2.pass")
    rested(browser)
    assert browser.js(heard) == 2
    browser.click("#sound")
    assert browser.js("return JSON.parse(localStorage.getItem('tengen-settings')).sound") is False


HABITS = [value for name, value in list(globals().items()) if name.startswith("test_")]
