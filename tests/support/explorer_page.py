"""What people do on the explorer's page, and what they see of it."""

SETTLED = "() => !document.querySelector('[aria-busy]') && !document.querySelector('.stale')"


def row(page, name):
    return page.locator(f'.row[data-name="{name}"]')


def wait(page):
    page.wait_for_function(SETTLED)


def wait_for_status(page, words):
    page.locator(".status").filter(has_text=words).wait_for()


def press(page, name, word):
    row(page, name).locator(f".toggle.{word}").click()


def forbid(page, name):
    press(page, name, "forbid")
    row(page, name).locator(".forbid[aria-pressed=true]").wait_for()
    wait(page)


def kind(page, name):
    return row(page, name).locator(".kind").inner_text()


def ends(page, name):
    """Both ends of a bar in pixels."""
    box = row(page, name).locator("rect.bar").bounding_box()
    return box["x"], box["x"] + box["width"]


def all_kinds(page):
    return page.locator(".row[data-j] .kind").all_inner_texts()


def is_pressed(page, name, word="forbid"):
    return row(page, name).locator(f".toggle.{word}").get_attribute("aria-pressed") == "true"


def drag(page, name, end, by):
    grip = row(page, name).locator(f"[data-end={end}] .target").bounding_box()
    x, y = grip["x"] + grip["width"] / 2, grip["y"] + grip["height"] / 2
    page.mouse.move(x, y)
    page.mouse.down()
    for step in range(1, 6):
        page.mouse.move(x + by * step / 5, y)
    page.mouse.up()
    wait(page)


def download(page, button):
    with page.expect_download() as waiting:
        page.locator(button).click()
    return waiting.value
