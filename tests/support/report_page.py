"""A page of HTML taken apart, and results to make reports of."""

import re
from datetime import date
from html.parser import HTMLParser

from plots_fakes import make_result, make_several

from allrelevant.views.report import render_report

DAY = date(2026, 1, 2)


class Page(HTMLParser):
    """All tags, attributes and text of a page, and whether tags are closed in order."""

    VOID = ("meta", "link", "img", "br", "hr", "input")

    def __init__(self, html):
        super().__init__()
        self.tags, self.texts, self.open, self.mismatched = [], [], [], []
        self.feed(html)

    def handle_starttag(self, tag, attributes):
        self.tags.append((tag, dict(attributes)))
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attributes):
        self.tags.append((tag, dict(attributes)))

    def handle_endtag(self, tag):
        if not self.open or self.open.pop() != tag:
            self.mismatched.append(tag)

    def handle_data(self, text):
        if self.open and self.open[-1] != "style":
            self.texts.append(text)

    @property
    def text(self):
        return re.sub(r"\s+", " ", " ".join(self.texts))


def page(result, **details):
    return Page(render_report(result, day=DAY, **details))


def with_category(**changes):
    known = {"intervals": [[0.2, 0.5], [0.2, 0.6]], "classes": [2, 0]} | changes
    return make_several("b", 0.63, 2, 0, 0, names=["a", "b"], **known)


def sure_result(**changes):
    """Strong x0, weak x1 and irrelevant x2, of which the last two could be either."""
    content = {
        "classes": [2, 1, 0],
        "intervals": [[0.3, 0.5], [0.0, 0.215], [0.0, 0.098]],
        "noise_thresholds": [0.1, 0.2, 0.1],
        "p_values": [1e-7, 0.0039, 0.0071],
        "q_values": [3e-7, 0.0058, 0.0071],
        "borderline": [False, True, True],
        "baseline": {"level": 0.0042, "fdr": 0.1},
    }
    return make_result(1, 1, 1, **(content | changes))
