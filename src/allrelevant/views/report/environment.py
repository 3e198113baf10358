"""Where templates of pages are found."""

from __future__ import annotations

from jinja2 import Environment, PackageLoader, StrictUndefined, Template


def template_named(name: str) -> Template:
    """A template of this package; what it is given is escaped."""
    environment = Environment(
        loader=PackageLoader("allrelevant.views.report", "."),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    return environment.get_template(name)
