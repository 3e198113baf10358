"""Where templates of pages are found."""

from __future__ import annotations

from jinja2 import Environment, PackageLoader, StrictUndefined, Template
from markupsafe import Markup, escape


def template_named(name: str) -> Template:
    """A template of this package; what it is given is escaped."""
    environment = Environment(
        loader=PackageLoader("allrelevant.views.report", "."),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters["breakable"] = _breakable
    return environment.get_template(name)


def _breakable(name: str) -> Markup:
    """A name that may go on in the next line after an underscore, and not amid a word."""
    return Markup("_<wbr>").join(map(escape, name.split("_")))
