"""A page of HTML taken apart."""

import re
from html.parser import HTMLParser


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
