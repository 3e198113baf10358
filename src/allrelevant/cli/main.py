"""The command's entry: what subcommands there are, and how errors look."""

from __future__ import annotations

import logging
import os
import signal
import sys
import threading
import warnings
from collections.abc import Sequence
from contextlib import suppress
from typing import Any, NoReturn

import click

from allrelevant._version import __version__
from allrelevant.base.errors import WorkerLostError
from allrelevant.cli.compare import compare
from allrelevant.cli.demo import demo
from allrelevant.cli.echo import echo
from allrelevant.cli.explore import explore
from allrelevant.cli.fit import fit
from allrelevant.cli.forest import forest
from allrelevant.cli.output import remember
from allrelevant.cli.path import path
from allrelevant.cli.questions import groups, predict_range, whatif
from allrelevant.cli.sets import sets
from allrelevant.cli.signals import end_on_signals, heard
from allrelevant.cli.stability import stability

_EXPECTED = (ValueError, ImportError, OSError, MemoryError, WorkerLostError)


class _Commands(click.Group):
    """Commands in the order in which they were added: the first ones first."""

    def list_commands(self, context: click.Context) -> list[str]:
        """Their names."""
        return [*self.commands]


@click.group(
    cls=_Commands,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog="Every command has its own --help with examples.",
)
@click.version_option(__version__, prog_name="allrelevant", message="%(prog)s %(version)s")
def cli() -> None:
    """Which features must, can and need not be used by the models that fit your data equally well.

    \b
    Start with:   allrelevant demo
    Your data:    allrelevant fit data.csv --target outcome --report report.html
    """


# A line of 80 characters has room for 59 of what a command is for.
for command, purpose in (
    (fit, "Which features are strong, weak and irrelevant."),
    (whatif, "What happens if features are forbidden, kept or bounded."),
    (groups, "Which features stand in for one another."),
    (sets, "The smallest or cheapest sets of features that are enough."),
    (predict_range, "For whom the prediction depends on the model."),
    (path, "How the answer changes from sparse models to dense ones."),
    (stability, "How often halves of the rows give the same answer."),
    (compare, "What is different in another table or fit."),
    (forest, "The same three classes for non-linear relations."),
    (explore, "The bars, live, in your browser."),
    (demo, "See it all on the breast cancer data."),
):
    command.short_help = purpose
    cli.add_command(command)


def main(arguments: Sequence[str] | None = None, *, is_program: bool = False) -> int:
    """Run the command; gives its exit code: 0, or 2 for what the caller can mend."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("default", UserWarning)
            warnings.showwarning = _warn
            code = cli.main(
                args=None if arguments is None else list(arguments),
                prog_name="allrelevant",
                standalone_mode=False,
                obj=is_program,
            )
        return int(code or 0)
    except click.ClickException as error:
        _show(error)
        return 2
    except (click.Abort, KeyboardInterrupt):
        _complain("interrupted")
        return 130
    except BrokenPipeError:
        # Whoever read our output has enough of it; Python must not complain when it ends.
        sys.stdout = None
        return 0
    except Exception as error:
        if not isinstance(error, _EXPECTED) and not _is_a_solvers(error):
            raise
        logging.getLogger(__name__).debug("failed", exc_info=True)
        _complain(str(error) or type(error).__name__)
        return 2


def run() -> NoReturn:
    """Run the command as a program."""
    end_on_signals()
    n_threads = threading.active_count()
    code = _until_ended()
    if threading.active_count() > n_threads:  # a solver that nobody waits for any more
        for stream in (sys.stdout, sys.stderr):
            if stream is not None:
                with suppress(OSError):  # a terminal that is closed
                    stream.flush()
        os._exit(code)
    sys.exit(code)


def _is_a_solvers(error: Exception) -> bool:
    """Whether a solver gave up; the engine is imported already then."""
    from allrelevant import SolverError

    return isinstance(error, SolverError)


def _until_ended() -> int:
    """Run the command; where a signal ends it, the code is the one that shells give."""
    code = 2
    try:
        code = main(is_program=True)
    except BaseException:  # what was cut short may complain in its own way
        if not heard:
            raise
    if not heard:
        return code
    if heard[0] is signal.SIGINT:  # which ends a page as it should, with 0
        if code == 2:
            _complain("interrupted")
        return 130 if code == 2 else code
    with suppress(OSError):
        _complain(f"ended by {heard[0].name}")
    return 128 + heard[0]


def _warn(message: Warning | str, category: type[Warning], *_: Any, **__: Any) -> None:
    """Show a warning on one line, without the place in our code it comes from."""
    if issubclass(category, UserWarning):
        echo(f"warning: {message}", err=True)
        remember(str(message))


def _show(error: click.ClickException) -> None:
    """Say what is wrong with a call on one line, and where to read more."""
    context = getattr(error, "ctx", None)
    # Newer versions of click take a call without a subcommand for an error that is the help.
    if context is not None and error.message == context.get_help():
        error.show()
        return
    more = "" if context is None else f" (see {context.command_path} --help)"
    _complain(error.format_message().rstrip(".") + more)


def _complain(text: str) -> None:
    """Say what is wrong on one line of standard error."""
    echo(f"allrelevant: {' '.join(text.split())}", err=True)
