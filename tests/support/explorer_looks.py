"""No rule of axe-core is broken: in all widths, light and dark."""

from pathlib import Path

AXE = Path(__file__).parents[2] / "web" / "node_modules" / "axe-core" / "axe.min.js"

LOOKS = [(width, scheme) for width in (390, 1000, 1440) for scheme in ("light", "dark")]


def broken(page):
    """What axe-core finds, by rule and element."""
    found = page.evaluate("async () => (await axe.run()).violations")
    return [(one["id"], node["html"][:90]) for one in found for node in one["nodes"][:3]]


def look(page, looks=LOOKS):
    """In all widths and both schemes; the page is the same one."""
    page.evaluate(AXE.read_text(encoding="utf-8"))  # in no file of ours: the page stays offline
    found = []
    for width, scheme in looks:
        page.set_viewport_size({"width": width, "height": 900})
        page.emulate_media(color_scheme=scheme)
        found += [(width, scheme, *one) for one in broken(page)]
    assert found == []
