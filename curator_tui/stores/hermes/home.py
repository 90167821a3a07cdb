"""Binding: which Hermes home is meant, found once, and never by anything a record says.

Here: the rule that leads from the command line and the environment to one folder, and the profiles of a root. Not here:
opening that folder (``safe_files``), what is in it (``config``, ``reading``, ``queue``).

The rule is Hermes's own (``hermes`` section 1.1); where a name leads nowhere nothing is created.
"""

from __future__ import annotations

import errno
import os
import re
import stat
from collections.abc import Iterator, Mapping
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from curator_tui.core.errors import NoStore, Unreadable, UsageError
from curator_tui.core.text import one_line, visible
from curator_tui.stores.file_errors import failed, owner_name
from curator_tui.stores.hermes.names import (
    ACTIVE_LIMIT,
    ACTIVE_PROFILE,
    DEFAULT_PROFILE,
    HERMES_FOLDER,
    HOME_SIGNS,
    HOME_VARIABLE,
    PERSON_VARIABLE,
    PROFILES,
    folder_of_person,
)
from curator_tui.stores.safe_files import Folder

PROFILE_NAME = re.compile(r"[a-z0-9][a-z0-9_-]{0,63}")


class Binding(Struct, frozen=True):
    """One bound home.

    Attributes:
        root: the root of all profiles.
        home: the folder of the bound profile; absolute, links resolved.
        profile: its name; ``default`` for the root itself.
        label: what names the root in a title line, safe to print; ``~`` in it is the registered folder of the person
            only, and the profile stands beside it.
        notes: what a person should know about whose home this is, safe to print.
    """

    root: Path
    home: Path
    profile: str
    label: str
    notes: tuple[str, ...] = ()

    def open(self) -> Folder:
        """Open the home.

        Raises:
            NoStore: it is gone.
            Unreadable: it may not be opened.
        """
        return Folder.open(self.home)


def bind(home: Path | None, profile: str | None, environ: Mapping[str, str], *, uid_home: Path | None) -> Binding:
    """Find the home that is meant.

    Args:
        home: ``--home``, or None.
        profile: ``--profile``, or None.
        environ: the environment, of which ``HERMES_HOME`` counts, and without it ``HOME``, as for ``hermes`` itself.
        uid_home: the folder of the person that the password database has registered, which counts where ``HOME`` is not
            set; None where it has none.

    Raises:
        UsageError: the profile name is none, or contradicts a home that is a profile itself.
        NoStore: there is no such home or profile, nothing says where to look, or the folder does not look like a
            Hermes home.
        Unreadable: the file that names the active profile cannot be read.
    """
    found = _found(home, profile, environ, uid_home)
    elsewhere = home is None and not environ.get(HOME_VARIABLE, "").strip()
    notes = (*(_of_another_person(environ, uid_home) if elsewhere else ()), *_of_another_owner(found.home))
    return replace(found, notes=notes)


def _found(home: Path | None, profile: str | None, environ: Mapping[str, str], uid_home: Path | None) -> Binding:
    if profile is not None and not PROFILE_NAME.fullmatch(profile):
        raise UsageError(
            f"{one_line(profile, 40)} is not a profile name.", way_out="Use small letters, digits, _ and -."
        )
    given = _given_root(home, environ, uid_home)
    root = _resolved(given)
    own = next((path for path in (given, root) if path.parent.name == PROFILES), None)
    if own is not None:
        if profile not in {None, own.name}:
            raise UsageError(
                f"{visible(str(root))} is the profile {visible(own.name)}, not {profile}.",
                way_out="Give the root as --home, or leave --profile out.",
            )
        return _bound(own.parent.parent, root, own.name, uid_home)
    name = profile or _active_profile(root)
    if name == DEFAULT_PROFILE:
        return _bound(root, root, name, uid_home)
    named = root / PROFILES / name
    if not _is_folder(named):
        known = ", ".join((DEFAULT_PROFILE, *profiles(root)))
        raise NoStore(f"{visible(str(root))} has no profile {name}.", way_out=f"Use --profile with one of: {known}.")
    return _bound(root, _resolved(named), name, uid_home)


def root_of(home: Path | None, environ: Mapping[str, str], *, uid_home: Path | None) -> Path:
    """Return the root of all profiles of the home that is meant, whichever profile is bound there.

    Raises:
        NoStore: there is no such folder, or nothing says where to look.
    """
    given = _given_root(home, environ, uid_home)
    root = _resolved(given)
    own = next((path for path in (given, root) if path.parent.name == PROFILES), None)
    return root if own is None else own.parent.parent


def profiles(root: Path) -> tuple[str, ...]:
    """Return the names of the profiles of a root beside ``default``, sorted."""
    try:
        with os.scandir(root / PROFILES) as entries:
            named = (entry for entry in entries if PROFILE_NAME.fullmatch(entry.name))
            return tuple(sorted(entry.name for entry in named if entry.is_dir()))
    except OSError:
        return ()


def _given_root(home: Path | None, environ: Mapping[str, str], uid_home: Path | None) -> Path:
    """Return what was asked for as an absolute path whose links are not resolved yet."""
    written = environ.get(HOME_VARIABLE, "").strip()
    if home is not None or written:
        return Path(os.path.abspath(home if home is not None else written))
    person = folder_of_person(environ, "" if uid_home is None else str(uid_home))
    if not person:
        raise NoStore(
            f"nothing says where your Hermes home is: {PERSON_VARIABLE} is not set, and the password database does not "
            f"know uid {os.getuid()}.",
            way_out=f"Give a Hermes home with --home or {HOME_VARIABLE}.",
        )
    return Path(os.path.abspath(os.path.join(person, HERMES_FOLDER)))


def _of_another_person(environ: Mapping[str, str], uid_home: Path | None) -> Iterator[str]:
    """Say that ``~`` is not the registered folder of the person, as under ``sudo`` that keeps ``HOME``."""
    person = environ.get(PERSON_VARIABLE)
    if person is None or uid_home is None or os.path.realpath(person or "/") == os.path.realpath(uid_home):
        return
    yield (
        f"{PERSON_VARIABLE} is {visible(person, newlines=False) or 'empty'}, and the password database says "
        f"{visible(str(uid_home), newlines=False)}: {HERMES_FOLDER} was looked for under {PERSON_VARIABLE}, as the "
        "hermes command does"
    )


def _of_another_owner(home: Path) -> Iterator[str]:
    """Say whose home root has opened, and that it stays theirs."""
    found = _status(home) if os.geteuid() == 0 else None
    if found is not None and found.st_uid != 0:
        owner = visible(owner_name(found.st_uid), newlines=False)
        yield f"you are root, and this home belongs to {owner}: files made in it are given to its owner"


def _resolved(path: Path) -> Path:
    try:
        found = path.resolve(strict=True)
    except FileNotFoundError as error:
        raise NoStore(
            f"{visible(str(path))} does not exist.", way_out=f"Give a Hermes home with --home or {HOME_VARIABLE}."
        ) from error
    except (OSError, RuntimeError, ValueError) as error:
        raise NoStore(f"{visible(str(path))} cannot be followed to a folder.") from error
    if not _is_folder(found):
        raise NoStore(f"{visible(str(path))} is not a folder.")
    return found


def _status(path: Path) -> os.stat_result | None:
    """Return what a path leads to, None where that is nothing.

    Raises:
        Unreadable: it cannot be looked at, which is not the same.
    """
    try:
        return os.stat(path)
    except (FileNotFoundError, NotADirectoryError):
        return None
    except (OSError, ValueError) as error:
        if isinstance(error, OSError) and error.errno == errno.ELOOP:
            return None
        raise failed(Unreadable, "look at", str(path), error) from error


def _is_folder(path: Path) -> bool:
    found = _status(path)
    return found is not None and stat.S_ISDIR(found.st_mode)


def _active_profile(root: Path) -> str:
    """Return the profile that ``hermes`` itself would use here; it ignores case and outer white space."""
    with Folder.open(root) as folder:
        raw = folder.read_file(ACTIVE_PROFILE, ACTIVE_LIMIT)
    name = (raw or b"").decode("utf-8", "replace").strip().lower() or DEFAULT_PROFILE
    if not PROFILE_NAME.fullmatch(name):
        raise NoStore(
            f"the file {ACTIVE_PROFILE} of {visible(str(root))} names no profile: {one_line(name, 40)}",
            way_out="Mend it with `hermes profile use`, or give --profile.",
        )
    return name


def _bound(root: Path, home: Path, profile: str, uid_home: Path | None) -> Binding:
    if all(_status(home / sign) is None for sign in HOME_SIGNS):
        raise NoStore(
            f"{visible(str(home))} does not look like a Hermes home (it has none of {', '.join(HOME_SIGNS)}).",
            way_out="Start Hermes once to make it one, or give another folder with --home.",
        )
    shown = str(root)
    if uid_home is not None and root.is_relative_to(uid_home):
        shown = "~" + shown[len(str(uid_home).rstrip("/")) :]
    return Binding(root, home, profile, visible(shown, newlines=False))
