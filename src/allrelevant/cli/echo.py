"""What commands say, without characters that would steer a terminal."""

from __future__ import annotations

from typing import Any

import click

from allrelevant.base.names import visible


def echo(text: str, *, nl: bool = True, err: bool = False, **style: Any) -> None:
    """Print text; what steers a terminal, or turns the writing around, is written out."""
    plain = "\n".join(visible(line, keep="\t") for line in text.split("\n"))
    click.echo(click.style(plain, **style) if style else plain, nl=nl, err=err)
