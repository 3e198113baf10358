"""The command's entry: what subcommands there are, and how errors look."""

from __future__ import annotations

import logging
import os
import signal
import sys
import threading
import warnings
from collections.abc import Sequence
from contextlib import AbstractContextManager, nullcontext, suppress
from typing import Any, NoReturn

import click
from joblib import parallel_config

from allrelevant import SolverError, __version__
from allrelevant.backends.watch import watch
from allrelevant.base.errors import WorkerLostError
from allrelevant.cli.demo import demo
from allrelevant.cli.echo import echo
from allrelevant.cli.explore import explore
from allrelevant.cli.fit import fit
from allrelevant.cli.forest import forest
from allrelevant.cli.output import remember
from allrelevant.cli.questions import groups, predict_range, whatif
from allrelevant.cli.sets import sets
from allrelevant.cli.signals import end_on_signals, heard
from allrelevant.cli.stability import stability

__all__ = ["cli", "main", "run"]

_EXPECTED = (ValueError, ImportError, OSError, MemoryError, SolverError, WorkerLostError)


@click.group(
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


for command in (fit, whatif, groups, sets, predict_range, stability, forest, explore, demo):
    cli.add_command(command)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; gives its exit code: 0, or 2 for what the caller can mend."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("default", UserWarning)
            warnings.showwarning = _warn
            code = cli.main(
                args=None if arguments is None else list(arguments),
                prog_name="allrelevant",
                standalone_mode=False,
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
    except _EXPECTED as error:
        logging.getLogger(__name__).debug("failed", exc_info=True)
        _complain(str(error) or type(error).__name__)
        return 2


def run() -> NoReturn:
    """Run the command as a program."""
    end_on_signals()
    n_threads = threading.active_count()
    with _watching_workers():
        code = _until_ended()
    if threading.active_count() > n_threads:  # a solver that nobody waits for any more
        for stream in (sys.stdout, sys.stderr):
            if stream is not None:
                with suppress(OSError):  # a terminal that is closed
                    stream.flush()
        os._exit(code)
    sys.exit(code)


def _watching_workers() -> AbstractContextManager[Any]:
    """Have workers end with us from the first moment on; else they learn of it with their work."""
    try:
        return parallel_config(backend="loky", initializer=watch, initargs=(os.getpid(),))
    except TypeError:  # joblib before 1.5
        return nullcontext()


def _until_ended() -> int:
    """Run the command; where a signal ends it, the code is the one that shells give."""
    code = 2
    try:
        code = main()
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
