"""Find the values of settings: the environment, then files of secrets, then wild.toml, then the usual value."""

import os
import re
import stat
import tomllib
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cached_property
from pathlib import Path
from typing import Any

from django.core.exceptions import ImproperlyConfigured

from config.variables.declared import BY_NAME, OTHER_NAMES, SETTINGS, Setting
from config.variables.kinds import Address, Raw
from config.variables.wrong_value import WrongValue
from engine.sentences import Sentence, sentence

BASE_DIR = Path(__file__).resolve().parent.parent.parent
FILE_NAME = "wild.toml"
ENVIRONMENT = "the environment"
# Docker mounts secrets there for one container, readable for all its users.
CONTAINER_SECRETS = Path("/run/secrets")


class SettingFault(ImproperlyConfigured):
    """A sentence without its last point that names the setting and says what to do."""

    def __init__(self, words: Sentence) -> None:
        super().__init__(words)
        self.words = words


@dataclass(frozen=True)
class Given:
    """A setting as it was written. source: where, in words. file: the file that has it, if any."""

    raw: Raw
    source: str
    file: Path | None = None


class Machine:
    """The settings of this machine."""

    def __init__(self, environ: Mapping[str, str] | None = None) -> None:
        self._environ = os.environ if environ is None else environ
        self.data_folder = Path(self._environ.get("WILD_DATA") or BASE_DIR / "var").resolve()
        self.file = self.data_folder / FILE_NAME

    def given(self, name: str) -> Given | None:
        """Return where a setting is set, and its text; None if it isn't. Empty text is not set.

        Raises SettingFault for a file that can't be read.
        """
        setting = BY_NAME[name]
        if text := self._environ.get(name, "").strip():
            return Given(text, ENVIRONMENT)
        if setting.kind.is_secret and (path := self._environ.get(f"{name}_FILE", "").strip()):
            return Given(_read(f"{name}_FILE", Path(path)), f"{name}_FILE", Path(path))
        if setting.in_file and name in self._file.table and self._file.table[name] != "":
            return Given(self._file.table[name], FILE_NAME, self.file)
        return None

    def value(self, name: str) -> Any:
        """Return the value of a setting, or its usual one. Raises SettingFault."""
        given, setting = self.given(name), BY_NAME[name]
        if given is None or given.raw == "":
            return setting.usual
        try:
            return setting.kind.read(given.raw)
        except WrongValue as wrong:
            words = wrong.of(name)
            if given.source == FILE_NAME:
                words = _in_line(self.file, self._line_of(name), words)
            raise SettingFault(words) from None

    def text(self, name: str) -> str:
        return str(self.value(name))

    def flag(self, name: str) -> bool:
        return bool(self.value(name))

    def number(self, name: str) -> int:
        return int(self.value(name))

    def hosts(self, name: str) -> list[str]:
        return list(self.value(name))

    def address(self, name: str) -> Address | None:
        value = self.value(name)
        return value if isinstance(value, Address) else None

    def faults(self) -> list[Sentence]:
        """Return what is wrong with the settings, a sentence each."""
        return [*self._file.faults, *self._value_faults(), *self._contradictions()]

    def refuse_faults(self) -> None:
        """Raise SettingFault for the first fault, before anything is read or written."""
        for fault in self.faults():
            raise SettingFault(fault)

    def names_given(self) -> frozenset[str]:
        return frozenset(setting.name for setting in SETTINGS if self.given(setting.name) is not None)

    def warnings(self) -> list[Sentence]:
        """Return what is probably not meant, a sentence each."""
        return [*self._unknown_variables(), *self._overridden_files(), *self._exposed_files()]

    @cached_property
    def _file(self) -> "_File":
        return _File.read(self.file)

    def _line_of(self, name: str) -> int:
        return self._file.line_of(name)

    def _value_faults(self) -> Iterator[Sentence]:
        for setting in SETTINGS:
            try:
                self.value(setting.name)
            except SettingFault as fault:
                yield fault.words

    def _contradictions(self) -> Iterator[Sentence]:
        with suppress(SettingFault):
            address = self.address("WILD_URL")
            if address and self.given("WILD_HTTPS") and self.flag("WILD_HTTPS") != (address.scheme == "https"):
                yield sentence(
                    "WILD_HTTPS contradicts WILD_URL, which begins with %(scheme)s://: remove WILD_HTTPS",
                    scheme=address.scheme,
                )

    def _unknown_variables(self) -> Iterator[Sentence]:
        known = {*BY_NAME, *OTHER_NAMES, *(f"{setting.name}_FILE" for setting in _secrets())}
        for name in sorted(self._environ):
            if name.startswith("WILD_") and name not in known:
                if nearest := _nearest(name):
                    yield sentence(
                        "%(name)s is not a setting, so it has no effect; the nearest is %(nearest)s",
                        name=name,
                        nearest=nearest,
                    )
                else:
                    yield sentence(
                        "%(name)s is not a setting, so it has no effect; docs/operations.md lists them", name=name
                    )

    def _overridden_files(self) -> Iterator[Sentence]:
        for setting in _secrets():
            if self._environ.get(setting.name, "").strip() and self._environ.get(f"{setting.name}_FILE", "").strip():
                yield sentence("%(name)s is set, so %(name)s_FILE has no effect: remove one of them", name=setting.name)

    def _exposed_files(self) -> Iterator[Sentence]:
        files: dict[Path, str] = {}
        for setting in _secrets():
            try:
                given = self.given(setting.name)
            except SettingFault:
                continue
            if given is not None and given.file is not None and CONTAINER_SECRETS not in given.file.parents:
                files.setdefault(given.file, setting.name)
        for file, name in files.items():
            if os.name == "posix" and file.stat().st_mode & stat.S_IROTH:
                yield sentence(
                    "Every user of this machine can read %(file)s, which has %(name)s: run chmod 600 %(file)s",
                    file=file,
                    name=name,
                )


@dataclass(frozen=True)
class _File:
    """wild.toml. table: its known settings."""

    text: str
    table: dict[str, Raw]
    faults: list[Sentence]

    @classmethod
    def read(cls, path: Path) -> "_File":
        try:
            text = path.read_text(encoding="utf-8")
        except FileNotFoundError:
            return cls("", {}, [])
        except NotADirectoryError:  # the data folder is a file, which is another fault
            return cls("", {}, [])
        except (OSError, UnicodeDecodeError) as error:
            why = getattr(error, "strerror", None) or sentence("it is not UTF-8 text")
            return cls("", {}, [sentence("%(file)s cannot be read: %(why)s", file=path, why=why)])
        try:
            table = tomllib.loads(text)
        except tomllib.TOMLDecodeError as error:
            return cls(text, {}, [_syntax_fault(path, text, str(error))])
        file = cls(text, {}, [])
        for name, value in table.items():
            if fault := _name_fault(name) or _type_fault(name, value):
                file.faults.append(_in_line(path, file.line_of(name), fault))
            else:
                file.table[name] = value
        return file

    def line_of(self, name: str) -> int:
        pattern = re.compile(rf"\s*(\[+\s*)?[\"']?{re.escape(name)}[\"']?\s*[=.\]]")
        lines = self.text.splitlines()
        return next((number for number, line in enumerate(lines, start=1) if pattern.match(line)), 1)


def _in_line(path: Path, line: int, fault: Sentence) -> Sentence:
    return sentence("%(file)s, line %(line)d: %(fault)s", file=path, line=line, fault=fault)


def _syntax_fault(path: Path, text: str, message: str) -> Sentence:
    """Turn a message of tomllib into a sentence, without a value that may be secret."""
    if place := re.search(r"\(at line (\d+), column \d+\)", message):
        line = int(place[1])
    else:
        line = max(1, len(text.splitlines()))
    reason = message.partition(" (at ")[0]
    if "value" not in reason.lower():
        return sentence("%(file)s, line %(line)d, is not TOML: %(reason)s", file=path, line=line, reason=reason)
    return sentence(
        "%(file)s, line %(line)d, is not TOML: %(reason)s, such as text in quotes, a number, true or false",
        file=path,
        line=line,
        reason=reason,
    )


def _name_fault(name: str) -> Sentence | None:
    if name not in BY_NAME:
        if nearest := _nearest(name):
            return sentence("%(name)s is not a setting; the nearest is %(nearest)s", name=name, nearest=nearest)
        return sentence("%(name)s is not a setting; docs/operations.md lists them", name=name)
    if not BY_NAME[name].in_file:
        return sentence("%(name)s cannot be set in this file, which it leads to; set the variable %(name)s", name=name)
    return None


def _type_fault(name: str, value: object) -> Sentence | None:
    if isinstance(value, str | int | bool):
        return None
    return sentence("%(setting)s takes text in quotes, a whole number, true or false", setting=name)


def _nearest(name: str) -> str:
    return next(iter(get_close_matches(name.upper(), [setting.name for setting in SETTINGS], n=1)), "")


def _secrets() -> list[Setting]:
    return [setting for setting in SETTINGS if setting.kind.is_secret]


def _read(variable: str, path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8").strip()
    except OSError as error:
        words = sentence(
            "%(variable)s names %(file)s, which cannot be read: %(why)s",
            variable=variable,
            file=path,
            why=error.strerror or error,
        )
        raise SettingFault(words) from None
    except UnicodeDecodeError:
        words = sentence("%(variable)s names %(file)s, which is not UTF-8 text", variable=variable, file=path)
        raise SettingFault(words) from None


def prefer(name: str, text: str) -> None:
    """Set the usual value of a setting for this process and those it starts; a value that is set counts more."""
    if Machine().given(name) is None:
        os.environ[name] = text
