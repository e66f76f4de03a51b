"""Game records: an opened record survives reloads and other pages, and is saved unchanged."""

import tempfile
from pathlib import Path

from player import click, press_button, rested, said, saved, saved_record, show, text

# A record as Go servers write it: names, result, rules, comments, marks, a variation, one with
# setup stones, and properties that the page does not know.
RECORD = r"""(;GM[1]FF[4]CA[UTF-8]AP[other:1]SZ[5]RU[Japanese]KM[2.5]PB[Lee \[9p\]]BR[9d]PW[Cho]
DT[2026-11-27]EV[Cup]XX[a][b]RE[W+R]C[A final.]
;B[cc]BL[55.5]C[Centre.]TR[cc]
;W[bd]
;C[A node of its own.]KO[]
(;B[db]LB[db:1];W[dd])
(;B[cb];W[dc])
(;AE[cc];B[aa]))"""


def write_records(folder):
    """A folder of two records, one in a folder of its own."""
    (folder / "2026").mkdir(parents=True)
    (folder / "2026" / "cup.sgf").write_text(RECORD, encoding="utf-8")
    (folder / "other.sgf").write_text("(;GM[1]SZ[9]PB[Lee]PW[Kim]RE[B+2.5];B[ee])", encoding="utf-8")


def properties(sgf):
    """The record without white space between its parts."""
    return "".join(line.strip() for line in sgf.replace("(\n", "(").splitlines())


def open_record(page, sgf, name="cup.sgf"):
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / name
        file.write_text(sgf, encoding="utf-8")
        page.browser.upload("#open-record", str(file))
        said(page.browser, f"read {name}")
    rested(page.browser)


def go_to_the_first_move(browser):
    place = "document.querySelector('.place')?.textContent.startsWith(arguments[0])"
    # Nothing says when a record that was opened is on the board: the button is pressed until it acts.
    browser.until(f"""[...document.querySelectorAll("button")].find((one) => one.textContent === "First").click();
        return {place}""", "move 0 of")
    press_button(browser, "Next")
    browser.until(f"return {place}", "move 1 of")
    rested(browser)


def names(browser):
    return browser.js("return [...document.querySelectorAll('.player .name')].map((one) => one.textContent)")


def test_a_record_is_kept_through_reloads_and_other_pages(page):
    browser = page.browser
    show(page, "#/play?size=9x9&white=person")
    open_record(page, RECORD)
    assert names(browser) == ["Black: Lee [9p]", "White: Cho"]
    assert text(browser, ".status strong") == "White wins by resignation"
    assert properties(saved_record(page)) == properties(RECORD)
    browser.do("/refresh")
    rested(browser)
    assert names(browser) == ["Black: Lee [9p]", "White: Cho"]
    assert properties(saved_record(page)) == properties(RECORD)
    # Another game, and back.
    browser.press("n")
    press_button(browser, "Start")
    browser.until("return !location.hash.includes('moves')")
    browser.js("history.back()")
    browser.until("return location.hash.includes('moves')")
    rested(browser)
    assert properties(saved_record(page)) == properties(RECORD)


def test_a_record_comes_back_from_the_runs(page):
    browser = page.browser
    show(page, "#/play?size=9x9&white=person")
    open_record(page, RECORD)
    browser.click("#to-runs")
    browser.until("return document.querySelector('.runs')")
    browser.click("#to-play")
    browser.until("return document.querySelector('.play') && location.hash.includes('moves')")
    rested(browser)
    assert properties(saved_record(page)) == properties(RECORD)


def test_a_variation_is_added_to_a_record(page):
    browser = page.browser
    show(page, "#/play?size=9x9&white=person")
    open_record(page, RECORD)
    go_to_the_first_move(browser)
    click(browser, "A1")
    browser.until("return location.hash.includes('moves=C3.A1')")
    rested(browser)
    written = properties(saved_record(page))
    assert written == properties(RECORD.replace("TR[cc]\n;W[bd]", "TR[cc](;W[bd]")
                                 .replace(";B[aa]))", ";B[aa]))(;W[ae]))")), written
    open_record(page, written)
    assert properties(saved_record(page)) == written


def test_a_record_that_is_cut_off_is_read_as_far_as_it_goes(page):
    browser = page.browser
    show(page, "#/play?size=9x9&white=person")
    open_record(page, RECORD[:RECORD.index(";W[dd]") + 4], "cut.sgf")
    assert browser.js("return location.hash").count("moves=C3.B2.D4"), browser.js("return location.hash")
    press_button(browser, "Next")
    assert text(browser, ".place").endswith("of 3")


def test_stones_set_up_after_a_move_end_what_is_read_and_are_saved(page):
    sgf = "(;GM[1]FF[4]CA[UTF-8]SZ[5]KM[2.5]PB[Lee]PW[Cho];B[cc];W[bd];AB[aa]PL[W];W[dd])"
    browser = page.browser
    show(page, "#/play?size=9x9&white=person")
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "late.sgf"
        file.write_text(sgf, encoding="utf-8")
        browser.upload("#open-record", str(file))
        said(browser, "stones are set up after move 2: the game is read up to it")
    rested(browser)
    name, written = saved(page)
    assert properties(written) == sgf
    assert name.startswith("Lee-against-Cho-5x5-"), name


def begin_comment(browser, comment):
    press_button(browser, "Comment")
    browser.js("document.querySelector('.comment-form textarea').value = arguments[0]", comment)


def write_comment(browser, comment):
    begin_comment(browser, comment)
    press_button(browser, "Keep the comment")
    rested(browser)


def test_a_comment_is_written_and_kept(page):
    browser = page.browser
    show(page, "#/play?size=9x9&white=person")
    open_record(page, RECORD)
    go_to_the_first_move(browser)
    write_comment(browser, "Not [the] centre.")
    browser.js("location.reload()")
    browser.until("return document.querySelector('.comment')?.textContent === 'Not [the] centre.'")
    rested(browser)
    expected = RECORD.replace("C[Centre.]TR[cc]", r"TR[cc]C[Not [the\] centre.]")
    written = saved_record(page)
    assert properties(written) == properties(expected), written
    # A comment on a game that was played here is saved, and can be removed again.
    show(page, "#/play?size=5x5&white=person&moves=C3")
    write_comment(browser, "Tengen")
    assert "B[cc]C[Tengen]" in properties(saved_record(page))
    write_comment(browser, "")
    assert "C[" not in saved_record(page)
    # What is being written stays when a move is made, and belongs to the position before.
    begin_comment(browser, "A good move")
    click(browser, "D4")
    rested(browser)
    assert browser.js("return document.querySelector('.comment-form').offsetParent !== null")
    press_button(browser, "Keep the comment on move 1")
    rested(browser)
    assert "B[cc]C[A good move];W[db]" in properties(saved_record(page))


def test_what_a_link_leaves_out_is_said(page):
    browser = page.browser
    show(page, "#/play?size=9x9&white=person")
    open_record(page, RECORD)
    press_button(browser, "Copy link")
    said(browser, "without names, comments and other variations")


def test_a_folder_of_records_is_searched_and_opened(page):
    browser = page.browser
    browser.go("about:blank")
    browser.go(page.url + "#/records")
    browser.until("return document.querySelectorAll('.runs tbody tr').length === 2")
    browser.js("""const field = document.querySelector("input[type=search]");
        field.value = "lee w+r";
        field.dispatchEvent(new Event("input"))""")
    assert browser.js("return document.querySelectorAll('.runs tbody tr').length") == 1
    assert text(browser, ".runs .note") == "1 of 2 records"
    browser.click(".runs tbody a")
    browser.until("return document.querySelector('.play') && location.hash.includes('moves')")
    rested(browser)
    assert names(browser) == ["Black: Lee [9p]", "White: Cho"]
    assert text(browser, ".place") == "move 0 of 4" and "White wins" in text(browser, ".end-of-game")
    assert properties(saved_record(page)) == properties(RECORD)
    browser.js("history.back()")
    browser.until("return document.querySelectorAll('.runs tbody tr').length === 2")


RECORDS = [
    test_a_record_is_kept_through_reloads_and_other_pages,
    test_a_variation_is_added_to_a_record,
    test_a_record_that_is_cut_off_is_read_as_far_as_it_goes,
    test_stones_set_up_after_a_move_end_what_is_read_and_are_saved,
    test_a_comment_is_written_and_kept,
]
RECORDS_BESIDE_RUNS = [
    test_what_a_link_leaves_out_is_said,
    test_a_record_comes_back_from_the_runs,
    test_a_folder_of_records_is_searched_and_opened,
]
