import type { FidelityCase } from './fidelity-case.ts';

/** Packages that a program is built on: plugins, events, commands, models, states, repositories, with the tests that their authors wrote. */
export const fidelityFrameworks: readonly FidelityCase[] = [
  {
    id: 'plugin-package',
    artifact: {
      'plugkit/__init__.py': `
from .base import Plugin, PluginError, Registry, registry
from .pipeline import Pipeline, Result, Status

__all__ = ["Pipeline", "Plugin", "PluginError", "Registry", "Result", "Status", "registry"]
`,
      'plugkit/base.py': `
from __future__ import annotations

import abc
from typing import ClassVar, Iterator


class PluginError(Exception):
    def __init__(self, plugin: str, reason: str) -> None:
        super().__init__(f"{plugin}: {reason}")
        self.plugin = plugin
        self.reason = reason


class Plugin(abc.ABC):
    """Base of all plugins. Subclasses implement \`process\`."""

    name: ClassVar[str] = ""
    order: ClassVar[int] = 100

    def __init__(self, **options):
        self.options = {**self.defaults(), **options}
        self.setup()

    def __init_subclass__(cls, **kwargs):
        super().__init_subclass__(**kwargs)
        if not cls.name:
            cls.name = cls.__name__.lower()

    @classmethod
    def defaults(cls) -> dict:
        return {}

    def setup(self) -> None:
        """Hook called after construction."""

    def teardown(self) -> None:
        """Hook called when the pipeline ends."""

    @abc.abstractmethod
    def process(self, item):
        """Return the new item, or None to drop it."""

    def fail(self, reason: str):
        raise PluginError(self.name, reason)

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.name!r}>"


class Registry:
    def __init__(self) -> None:
        self._classes: dict[str, type[Plugin]] = {}

    def register(self, cls: type[Plugin]) -> type[Plugin]:
        if not (isinstance(cls, type) and issubclass(cls, Plugin)):
            raise TypeError("only Plugin subclasses can be registered")
        if cls.name in self._classes:
            raise ValueError(f"duplicate plugin {cls.name!r}")
        self._classes[cls.name] = cls
        return cls

    def create(self, name: str, **options) -> Plugin:
        if name not in self._classes:
            raise KeyError(name)
        return self._classes[name](**options)

    def names(self) -> list[str]:
        return sorted(self._classes)

    def __iter__(self) -> Iterator[type[Plugin]]:
        return iter(sorted(self._classes.values(), key=lambda c: (c.order, c.name)))

    def __len__(self) -> int:
        return len(self._classes)


registry = Registry()


@registry.register
class Strip(Plugin):
    order = 10

    def process(self, item):
        return item.strip()


@registry.register
class DropEmpty(Plugin):
    name = "drop-empty"
    order = 20

    def process(self, item):
        return item or None


@registry.register
class Truncate(Plugin):
    @classmethod
    def defaults(cls):
        return {"length": 5}

    def process(self, item):
        if self.options["length"] <= 0:
            self.fail("length must be positive")
        return item[: self.options["length"]]
`,
      'plugkit/pipeline.py': `
from __future__ import annotations

import enum
from dataclasses import dataclass, field

from .base import Plugin, PluginError


class Status(enum.Enum):
    OK = "ok"
    DROPPED = "dropped"
    FAILED = "failed"


@dataclass
class Result:
    status: Status
    value: object = None
    errors: list = field(default_factory=list)

    @property
    def ok(self) -> bool:
        return self.status is Status.OK


class Pipeline:
    def __init__(self, *plugins: Plugin) -> None:
        self.plugins = list(plugins)
        self.closed = False

    def __or__(self, plugin: Plugin) -> "Pipeline":
        return Pipeline(*self.plugins, plugin)

    def run(self, item) -> Result:
        for plugin in self.plugins:
            try:
                item = plugin.process(item)
            except PluginError as error:
                return Result(Status.FAILED, None, [str(error)])
            if item is None:
                return Result(Status.DROPPED)
        return Result(Status.OK, item)

    def run_all(self, items):
        for item in items:
            result = self.run(item)
            if result.ok:
                yield result.value

    def __enter__(self):
        return self

    def __exit__(self, *exc):
        self.closed = True
        for plugin in reversed(self.plugins):
            plugin.teardown()
        return False
`,
    },
    tests: `
import pytest

from plugkit import Pipeline, Plugin, PluginError, Registry, Result, Status, registry


class Upper(Plugin):
    def process(self, item):
        return item.upper()


class Repeat(Plugin):
    name = "repeat"

    @classmethod
    def defaults(cls):
        return {"times": 2}

    def setup(self):
        self.seen = []

    def process(self, item):
        self.seen.append(item)
        return item * self.options["times"]


class Picky(Plugin):
    def process(self, item):
        if "bad" in item:
            self.fail("bad item")
        return item


@pytest.fixture
def reg():
    return Registry()


def test_abstract_base_cannot_be_instantiated():
    with pytest.raises(TypeError, match="abstract"):
        Plugin()


def test_incomplete_subclass_cannot_be_instantiated():
    class Incomplete(Plugin):
        pass

    with pytest.raises(TypeError):
        Incomplete()


def test_name_defaults_to_class_name():
    assert Upper.name == "upper"
    assert Repeat.name == "repeat"
    assert Upper().name == "upper"


def test_options_override_defaults():
    assert Repeat().options == {"times": 2}
    assert Repeat(times=3).options == {"times": 3}
    assert Repeat(extra=True).options == {"times": 2, "extra": True}


def test_setup_hook_runs():
    plugin = Repeat()
    assert plugin.seen == []
    assert plugin.process("ab") == "abab"
    assert plugin.seen == ["ab"]


def test_repr():
    assert repr(Upper()) == "<Upper 'upper'>"


def test_subclass_relation():
    assert issubclass(Upper, Plugin)
    assert isinstance(Upper(), Plugin)
    assert not isinstance("x", Plugin)


def test_register_and_create(reg):
    reg.register(Upper)
    plugin = reg.create("upper")
    assert isinstance(plugin, Upper)
    assert plugin.process("x") == "X"
    assert len(reg) == 1


def test_register_as_decorator(reg):
    @reg.register
    class Custom(Plugin):
        name = "my-custom"

        def process(self, item):
            return item

    assert reg.names() == ["my-custom"]
    assert Custom.name == "my-custom"


def test_register_twice(reg):
    reg.register(Upper)
    with pytest.raises(ValueError, match="duplicate plugin 'upper'"):
        reg.register(Upper)


@pytest.mark.parametrize("thing", [int, "upper", None, object()])
def test_register_rejects_other_things(reg, thing):
    with pytest.raises(TypeError, match="only Plugin subclasses"):
        reg.register(thing)


def test_create_unknown(reg):
    with pytest.raises(KeyError) as info:
        reg.create("nope")
    assert info.value.args == ("nope",)


def test_iteration_is_ordered(reg):
    class Late(Plugin):
        order = 900

        def process(self, item):
            return item

    class Early(Plugin):
        order = 1

        def process(self, item):
            return item

    for cls in (Late, Upper, Early):
        reg.register(cls)
    assert list(reg) == [Early, Upper, Late]
    assert [cls.name for cls in reg] == ["early", "upper", "late"]


def test_builtin_plugins():
    assert registry.names() == ["drop-empty", "strip", "truncate"]
    assert registry.create("truncate", length=2).process("abc") == "ab"


def test_pipeline_runs_in_order():
    result = Pipeline(registry.create("strip"), Upper(), Repeat()).run("  ab ")
    assert result == Result(Status.OK, "ABAB")
    assert result.ok


def test_pipeline_or_operator():
    pipeline = Pipeline(registry.create("strip")) | Upper() | Repeat(times=3)
    assert len(pipeline.plugins) == 3
    assert pipeline.run(" x ").value == "XXX"


def test_pipeline_drops():
    pipeline = Pipeline(registry.create("strip"), registry.create("drop-empty"))
    assert pipeline.run("   ").status is Status.DROPPED
    assert pipeline.run(" a ").value == "a"


def test_pipeline_reports_failure():
    result = Pipeline(Picky(), Upper()).run("a bad one")
    assert result.status is Status.FAILED
    assert result.errors == ["picky: bad item"]
    assert not result.ok


def test_unexpected_errors_propagate():
    class Broken(Plugin):
        def process(self, item):
            raise ZeroDivisionError("oops")

    with pytest.raises(ZeroDivisionError, match="oops"):
        Pipeline(Broken()).run("x")


def test_run_all_is_lazy():
    repeat = Repeat()
    results = Pipeline(repeat).run_all(iter("abc"))
    assert repeat.seen == []
    assert next(results) == "aa"
    assert repeat.seen == ["a"]
    assert list(results) == ["bb", "cc"]


def test_teardown_in_reverse_order():
    order = []

    class Recorder(Plugin):
        def process(self, item):
            return item

        def teardown(self):
            order.append(self.options["id"])

    with Pipeline(Recorder(id=1), Recorder(id=2)) as pipeline:
        pipeline.run("x")
        assert not pipeline.closed
    assert order == [2, 1]
    assert pipeline.closed


def test_fail_raises_plugin_error():
    with pytest.raises(PluginError) as info:
        Upper().fail("no reason")
    assert info.value.plugin == "upper"
    assert info.value.reason == "no reason"
    assert str(info.value) == "upper: no reason"
`,
    breaks: [`for plugin in reversed(self.plugins):`, `for plugin in self.plugins:`],
  },
  {
    id: 'event-package',
    artifact: {
      'signalbus/__init__.py': `
"""A small event bus with priorities and wildcard topics."""
from .bus import EventBus, Subscription, StopPropagation
from .events import Event, EventLog

__all__ = ["Event", "EventBus", "EventLog", "StopPropagation", "Subscription"]
`,
      'signalbus/bus.py': `
from __future__ import annotations

import fnmatch
import logging
from contextlib import contextmanager
from typing import Any, Callable

from .events import Event, EventLog

logger = logging.getLogger("signalbus")
Handler = Callable[[Event], Any]


class StopPropagation(Exception):
    """Raised by a handler to stop later handlers."""


class Subscription:
    def __init__(self, bus: "EventBus", pattern: str, handler: Handler, priority: int, once: bool) -> None:
        self.bus = bus
        self.pattern = pattern
        self.handler = handler
        self.priority = priority
        self.once = once
        self.active = True

    def matches(self, topic: str) -> bool:
        return fnmatch.fnmatchcase(topic, self.pattern)

    def cancel(self) -> None:
        if self.active:
            self.active = False
            self.bus._subscriptions.remove(self)

    def __enter__(self) -> "Subscription":
        return self

    def __exit__(self, *exc) -> None:
        self.cancel()


class EventBus:
    def __init__(self, log: EventLog | None = None, strict: bool = False) -> None:
        self.log = log
        self.strict = strict
        self._subscriptions: list[Subscription] = []
        self._muted = 0

    def subscribe(self, pattern: str, handler: Handler, *, priority: int = 0, once: bool = False) -> Subscription:
        if not callable(handler):
            raise TypeError(f"handler must be callable, not {type(handler).__name__}")
        subscription = Subscription(self, pattern, handler, priority, once)
        self._subscriptions.append(subscription)
        self._subscriptions.sort(key=lambda s: -s.priority)
        return subscription

    def on(self, pattern: str, **options):
        def decorate(handler: Handler) -> Handler:
            self.subscribe(pattern, handler, **options)
            return handler

        return decorate

    def emit(self, topic: str, **payload: Any) -> list[Any]:
        event = Event(topic, payload)
        if self._muted:
            return []
        if self.log is not None:
            self.log.append(event)
        results = []
        for subscription in list(self._subscriptions):
            if not subscription.active or not subscription.matches(topic):
                continue
            if subscription.once:
                subscription.cancel()
            try:
                results.append(subscription.handler(event))
            except StopPropagation:
                break
            except Exception:
                if self.strict:
                    raise
                logger.exception("handler for %s failed", topic)
        return results

    @contextmanager
    def muted(self):
        self._muted += 1
        try:
            yield self
        finally:
            self._muted -= 1

    def handlers(self, topic: str) -> list[Handler]:
        return [s.handler for s in self._subscriptions if s.matches(topic)]

    def __len__(self) -> int:
        return len(self._subscriptions)

    def __contains__(self, topic: str) -> bool:
        return any(s.matches(topic) for s in self._subscriptions)
`,
      'signalbus/events.py': `
from __future__ import annotations

import itertools
from dataclasses import dataclass, field
from typing import Any, Iterator

_ids = itertools.count(1)


@dataclass(frozen=True)
class Event:
    topic: str
    payload: dict = field(default_factory=dict)
    id: int = field(default_factory=lambda: next(_ids), compare=False)

    def with_payload(self, **extra: Any) -> "Event":
        return Event(self.topic, {**self.payload, **extra})


class EventLog:
    """Keeps the last \`limit\` events."""

    def __init__(self, limit: int = 100) -> None:
        if limit < 1:
            raise ValueError("limit must be at least 1")
        self.limit = limit
        self._events: list[Event] = []

    def append(self, event: Event) -> None:
        self._events.append(event)
        del self._events[: -self.limit]

    def __len__(self) -> int:
        return len(self._events)

    def __iter__(self) -> Iterator[Event]:
        return iter(list(self._events))

    def __getitem__(self, index):
        return self._events[index]

    def topics(self) -> list[str]:
        return [event.topic for event in self._events]
`,
    },
    tests: `
import logging
from unittest import mock

import pytest

from signalbus import Event, EventBus, EventLog, StopPropagation


@pytest.fixture
def log():
    return EventLog(limit=3)


@pytest.fixture
def bus(log):
    return EventBus(log)


def test_handler_receives_event(bus):
    handler = mock.Mock()
    bus.subscribe("user.created", handler)
    bus.emit("user.created", name="ada")
    handler.assert_called_once()
    (event,), _ = handler.call_args
    assert event.topic == "user.created"
    assert event.payload == {"name": "ada"}


def test_handler_called_with_equal_event(bus):
    handler = mock.Mock(return_value=None)
    bus.subscribe("a", handler)
    bus.emit("a", n=1)
    handler.assert_called_once_with(Event("a", {"n": 1}))


def test_results_are_collected_in_priority_order(bus):
    bus.subscribe("x", lambda e: "low", priority=-1)
    bus.subscribe("x", lambda e: "high", priority=10)
    bus.subscribe("x", lambda e: "mid")
    assert bus.emit("x") == ["high", "mid", "low"]


@pytest.mark.parametrize(
    "pattern, topic, expected",
    [
        ("user.*", "user.created", True),
        ("user.*", "order.created", False),
        ("*", "anything", True),
        ("a.?", "a.b", True),
        ("a.?", "a.bc", False),
    ],
)
def test_wildcards(bus, pattern, topic, expected):
    calls = []
    bus.subscribe(pattern, calls.append)
    bus.emit(topic)
    assert bool(calls) is expected
    assert (topic in bus) is expected


def test_decorator_returns_function(bus):
    @bus.on("tick")
    def handler(event):
        return event.payload["n"] + 1

    assert bus.emit("tick", n=41) == [42]
    assert handler(Event("tick", {"n": 1})) == 2
    assert bus.handlers("tick") == [handler]


def test_once(bus):
    handler = mock.Mock(return_value="ok")
    bus.subscribe("a", handler, once=True)
    assert bus.emit("a") == ["ok"]
    assert bus.emit("a") == []
    assert handler.call_count == 1
    assert len(bus) == 0


def test_cancel_is_idempotent(bus):
    sub = bus.subscribe("a", print)
    assert sub.active
    sub.cancel()
    sub.cancel()
    assert not sub.active
    assert "a" not in bus


def test_subscription_as_context_manager(bus):
    seen = []
    with bus.subscribe("a", seen.append) as sub:
        bus.emit("a", n=1)
        assert sub.pattern == "a"
    bus.emit("a", n=2)
    assert [e.payload["n"] for e in seen] == [1]


def test_stop_propagation(bus):
    def stopper(event):
        raise StopPropagation

    late = mock.Mock()
    bus.subscribe("a", stopper, priority=1)
    bus.subscribe("a", late)
    assert bus.emit("a") == []
    late.assert_not_called()


def test_errors_are_logged(bus, caplog):
    def broken(event):
        raise RuntimeError("boom")

    bus.subscribe("a", broken)
    bus.subscribe("a", lambda e: 1)
    with caplog.at_level(logging.ERROR, logger="signalbus"):
        assert bus.emit("a") == [1]
    assert "handler for a failed" in caplog.text
    record = caplog.records[0]
    assert record.levelname == "ERROR"
    assert record.exc_info[0] is RuntimeError


def test_strict_bus_raises():
    bus = EventBus(strict=True)
    error = RuntimeError("boom")
    bus.subscribe("a", mock.Mock(side_effect=error))
    with pytest.raises(RuntimeError) as info:
        bus.emit("a")
    assert info.value is error


def test_muted_is_reentrant(bus, log):
    handler = mock.Mock()
    bus.subscribe("a", handler)
    with bus.muted():
        with bus.muted() as inner:
            assert inner is bus
        bus.emit("a")
    handler.assert_not_called()
    assert len(log) == 0
    bus.emit("a")
    assert handler.called


def test_log_keeps_last_events(bus, log):
    for topic in "abcd":
        bus.emit(topic)
    assert log.topics() == ["b", "c", "d"]
    assert len(log) == 3
    assert log[-1].topic == "d"
    assert [e.topic for e in log] == ["b", "c", "d"]


def test_log_limit_is_validated():
    with pytest.raises(ValueError, match="at least 1"):
        EventLog(0)


def test_handler_must_be_callable(bus):
    with pytest.raises(TypeError, match="must be callable, not str"):
        bus.subscribe("a", "not a function")


def test_event_equality_ignores_id():
    first, second = Event("a", {"x": 1}), Event("a", {"x": 1})
    assert first == second
    assert first.id != second.id
    assert first != Event("b", {"x": 1})


def test_event_is_frozen():
    event = Event("a")
    with pytest.raises(AttributeError):
        event.topic = "b"


def test_with_payload_copies():
    event = Event("a", {"x": 1})
    other = event.with_payload(y=2)
    assert other.payload == {"x": 1, "y": 2}
    assert event.payload == {"x": 1}


def test_handler_may_subscribe_during_emit(bus):
    seen = []

    def first(event):
        seen.append("first")
        bus.subscribe("a", lambda e: seen.append("nested"))

    bus.subscribe("a", first)
    bus.emit("a")
    assert seen == ["first"]
    bus.emit("a")
    assert seen.count("nested") == 1
`,
    breaks: [`key=lambda s: -s.priority`, `key=lambda s: s.priority`],
  },
  {
    id: 'command-line-package',
    artifact: {
      'todo.py': `
"""A command-line todo list in the style of click, without dependencies."""
import argparse
import json
import os
import sys
from pathlib import Path


class UsageError(Exception):
    exit_code = 2

    def __init__(self, message, hint=None):
        super().__init__(message)
        self.hint = hint

    def show(self, file=None):
        print(f"Error: {self}", file=file or sys.stderr)
        if self.hint:
            print(f"Hint: {self.hint}", file=file or sys.stderr)


class Context:
    def __init__(self, store, verbose=False):
        self.store = store
        self.verbose = verbose


class Command:
    def __init__(self, name, callback, help=""):
        self.name = name
        self.callback = callback
        self.help = help

    def invoke(self, ctx, args):
        return self.callback(ctx, *args)


class Group:
    def __init__(self, name):
        self.name = name
        self.commands = {}

    def command(self, name=None):
        def decorator(function):
            key = name or function.__name__.replace("_", "-")
            self.commands[key] = Command(key, function, (function.__doc__ or "").strip())
            return function

        return decorator

    def get(self, name):
        try:
            return self.commands[name]
        except KeyError:
            close = sorted(c for c in self.commands if c[:1] == name[:1])
            hint = f"did you mean {close[0]}?" if close else None
            raise UsageError(f"no such command: {name}", hint) from None


class Store:
    def __init__(self, path):
        self.path = Path(path)

    def load(self):
        if not self.path.exists():
            return []
        return json.loads(self.path.read_text(encoding="utf-8"))

    def save(self, items):
        self.path.parent.mkdir(parents=True, exist_ok=True)
        self.path.write_text(json.dumps(items, indent=2), encoding="utf-8")


app = Group("todo")


@app.command()
def add(ctx, *words):
    """Add an item."""
    if not words:
        raise UsageError("nothing to add")
    items = ctx.store.load()
    items.append({"text": " ".join(words), "done": False})
    ctx.store.save(items)
    print(f"added #{len(items)}")


@app.command("list")
def list_items(ctx, *flags):
    """List all items."""
    items = ctx.store.load()
    if not items:
        print("nothing to do")
    for number, item in enumerate(items, 1):
        mark = "x" if item["done"] else " "
        print(f"{number:>3} [{mark}] {item['text']}")


@app.command()
def done(ctx, number):
    """Mark an item as done."""
    items = ctx.store.load()
    try:
        items[int(number) - 1]["done"] = True
    except (ValueError, IndexError):
        raise UsageError(f"no item {number}") from None
    ctx.store.save(items)


@app.command()
def clear_done(ctx):
    """Remove done items."""
    items = ctx.store.load()
    kept = [item for item in items if not item["done"]]
    ctx.store.save(kept)
    print(f"removed {len(items) - len(kept)}")


def default_path():
    return Path(os.environ.get("TODO_FILE", "~/.todo.json")).expanduser()


def build_parser():
    parser = argparse.ArgumentParser(prog="todo")
    parser.add_argument("--file", type=Path, default=None)
    parser.add_argument("-v", "--verbose", action="store_true")
    parser.add_argument("command", nargs="?", default="list")
    parser.add_argument("args", nargs="*")
    return parser


def main(argv=None):
    options = build_parser().parse_args(sys.argv[1:] if argv is None else argv)
    ctx = Context(Store(options.file or default_path()), options.verbose)
    try:
        app.get(options.command).invoke(ctx, options.args)
    except UsageError as error:
        error.show()
        return error.exit_code
    return 0


if __name__ == "__main__":
    sys.exit(main())
`,
    },
    tests: `
import io
import json
import sys

import pytest

import todo
from todo import Command, Group, Store, UsageError, main


@pytest.fixture
def path(tmp_path):
    return tmp_path / "data" / "todo.json"


@pytest.fixture
def run(path, capsys):
    def invoke(*args):
        code = main(["--file", str(path), *args])
        captured = capsys.readouterr()
        return code, captured.out, captured.err

    return invoke


def test_empty_list(run):
    assert run("list") == (0, "nothing to do\\n", "")


def test_add_creates_file(run, path):
    code, out, _ = run("add", "buy", "milk")
    assert code == 0
    assert out.strip() == "added #1"
    assert path.exists()
    assert json.loads(path.read_text()) == [{"text": "buy milk", "done": False}]


def test_add_and_list(run):
    run("add", "one")
    run("add", "two")
    _, out, _ = run()
    assert out.splitlines() == ["  1 [ ] one", "  2 [ ] two"]


def test_done_marks_item(run, path):
    run("add", "one")
    assert run("done", "1")[0] == 0
    assert "[x] one" in run("list")[1]


@pytest.mark.parametrize("number", ["2", "x", "99"])
def test_done_with_bad_number(run, number):
    run("add", "one")
    code, out, err = run("done", number)
    assert code == 2
    assert out == ""
    assert err == f"Error: no item {number}\\n"


def test_clear_done(run, path):
    for word in ("a", "b", "c"):
        run("add", word)
    run("done", "2")
    assert run("clear-done")[1] == "removed 1\\n"
    assert [item["text"] for item in json.loads(path.read_text())] == ["a", "c"]


def test_unknown_command_gives_hint(run):
    code, _, err = run("adds")
    assert code == 2
    assert "no such command: adds" in err
    assert "Hint: did you mean add?" in err


def test_help_exits(capsys):
    with pytest.raises(SystemExit) as info:
        main(["--help"])
    assert info.value.code == 0
    assert "usage: todo" in capsys.readouterr().out


def test_bad_option(capsys):
    with pytest.raises(SystemExit) as excinfo:
        main(["--nope"])
    assert excinfo.value.code == 2
    assert "unrecognized arguments: --nope" in capsys.readouterr().err


def test_default_path_from_environment(monkeypatch, tmp_path):
    monkeypatch.setenv("TODO_FILE", str(tmp_path / "x.json"))
    assert todo.default_path() == tmp_path / "x.json"


def test_default_path_in_home(monkeypatch, tmp_path):
    monkeypatch.delenv("TODO_FILE", raising=False)
    monkeypatch.setenv("HOME", str(tmp_path))
    assert todo.default_path().name == ".todo.json"
    assert todo.default_path().parent == tmp_path


def test_main_uses_sys_argv(monkeypatch, path, capsys):
    monkeypatch.setattr(sys, "argv", ["todo", "--file", str(path), "add", "from argv"])
    assert main() == 0
    assert capsys.readouterr().out == "added #1\\n"


def test_group_command_decorator():
    group = Group("test")

    @group.command()
    def say_hello(ctx, name):
        """Say hello."""
        return f"hello {name}"

    @group.command("bye")
    def whatever(ctx):
        return "bye"

    assert sorted(group.commands) == ["bye", "say-hello"]
    command = group.get("say-hello")
    assert isinstance(command, Command)
    assert command.help == "Say hello."
    assert command.invoke(None, ["ada"]) == "hello ada"
    assert group.get("bye").help == ""


def test_group_get_unknown():
    with pytest.raises(UsageError, match="no such command: x") as info:
        Group("empty").get("x")
    assert info.value.hint is None
    assert info.value.exit_code == 2
    assert info.value.__cause__ is None


def test_usage_error_show_to_file():
    stream = io.StringIO()
    UsageError("bad", hint="try again").show(file=stream)
    assert stream.getvalue() == "Error: bad\\nHint: try again\\n"


def test_store_round_trip(tmp_path):
    store = Store(tmp_path / "deep" / "er" / "s.json")
    assert store.load() == []
    store.save([{"text": "ü", "done": True}])
    assert store.load() == [{"text": "ü", "done": True}]
    assert store.path.parent.is_dir()


def test_store_rejects_garbage(tmp_path):
    file = tmp_path / "bad.json"
    file.write_text("{not json")
    with pytest.raises(json.JSONDecodeError):
        Store(file).load()


def test_commands_have_help():
    for name, command in todo.app.commands.items():
        assert command.name == name
        assert command.help, f"{name} has no help"


def test_main_with_patched_store(monkeypatch, capsys):
    items = [{"text": "patched", "done": False}]
    monkeypatch.setattr(todo.Store, "load", lambda self: items)
    assert main(["list"]) == 0
    assert "patched" in capsys.readouterr().out
`,
    breaks: [`print(f"removed {len(items) - len(kept)}")`, `print(f"removed {len(items)}")`],
  },
  {
    id: 'model-package',
    artifact: {
      'fields.py': `
"""Declarative models with validating descriptors."""
import re


class ValidationError(ValueError):
    def __init__(self, errors):
        self.errors = dict(errors)
        super().__init__("; ".join(f"{k}: {v}" for k, v in self.errors.items()))


class Field:
    type = object

    def __init__(self, *, default=..., required=True, validators=()):
        self.default = default
        self.required = required and default is ...
        self.validators = list(validators)
        self.name = None

    def __set_name__(self, owner, name):
        self.name = name

    def __get__(self, instance, owner=None):
        if instance is None:
            return self
        return instance.__dict__.get(self.name)

    def __set__(self, instance, value):
        instance.__dict__[self.name] = self.clean(value)

    def clean(self, value):
        value = self.convert(value)
        for validator in self.validators:
            validator(value)
        return value

    def convert(self, value):
        if not isinstance(value, self.type):
            raise ValueError(f"expected {self.type.__name__}, got {type(value).__name__}")
        return value


class Integer(Field):
    type = int

    def __init__(self, *, min=None, max=None, **options):
        super().__init__(**options)
        self.min, self.max = min, max

    def convert(self, value):
        if isinstance(value, str) and re.fullmatch(r"-?\\d+", value):
            value = int(value)
        value = super().convert(value)
        if self.min is not None and value < self.min:
            raise ValueError(f"must be at least {self.min}")
        if self.max is not None and value > self.max:
            raise ValueError(f"must be at most {self.max}")
        return value


class String(Field):
    type = str

    def __init__(self, *, max_length=None, pattern=None, **options):
        super().__init__(**options)
        self.max_length = max_length
        self.pattern = pattern and re.compile(pattern)

    def convert(self, value):
        value = super().convert(value).strip()
        if self.max_length and len(value) > self.max_length:
            raise ValueError(f"longer than {self.max_length} characters")
        if self.pattern and not self.pattern.fullmatch(value):
            raise ValueError("has the wrong form")
        return value


class ListOf(Field):
    type = list

    def __init__(self, item, **options):
        super().__init__(**options)
        self.item = item

    def convert(self, value):
        return [self.item.clean(v) for v in super().convert(value)]


class Model:
    _fields = {}

    def __init_subclass__(cls, **kwargs):
        super().__init_subclass__(**kwargs)
        own = {k: v for k, v in vars(cls).items() if isinstance(v, Field)}
        cls._fields = {**cls._fields, **own}

    def __init__(self, **values):
        errors = {}
        for name in values:
            if name not in self._fields:
                errors[name] = "unknown field"
        for name, field in self._fields.items():
            if name in values:
                try:
                    setattr(self, name, values[name])
                except ValueError as error:
                    errors[name] = str(error)
            elif field.required:
                errors[name] = "is required"
            elif field.default is not ...:
                default = field.default() if callable(field.default) else field.default
                self.__dict__[name] = default
        if errors:
            raise ValidationError(errors)
        self.validate()

    def validate(self):
        """Hook for checks across fields."""

    def to_dict(self):
        return {name: getattr(self, name) for name in self._fields}

    @classmethod
    def from_dict(cls, data):
        return cls(**{k: v for k, v in data.items() if k in cls._fields})

    def __eq__(self, other):
        if type(self) is not type(other):
            return NotImplemented
        return self.to_dict() == other.to_dict()

    def __repr__(self):
        inner = ", ".join(f"{k}={v!r}" for k, v in self.to_dict().items())
        return f"{type(self).__name__}({inner})"


def one_of(*choices):
    def validator(value):
        if value not in choices:
            raise ValueError(f"must be one of {', '.join(map(str, choices))}")

    return validator
`,
    },
    tests: `
import pytest

from fields import Field, Integer, ListOf, Model, String, ValidationError, one_of


class User(Model):
    name = String(max_length=10)
    age = Integer(min=0, max=150)
    role = String(default="user", validators=[one_of("user", "admin")])
    tags = ListOf(String(), default=list)


class Range(Model):
    low = Integer(default=0)
    high = Integer()

    def validate(self):
        if self.low > self.high:
            raise ValidationError({"low": "is above high"})


def make_user(**overrides):
    return User(**{"name": "Ada", "age": 36, **overrides})


def test_values_and_defaults():
    user = make_user()
    assert user.name == "Ada"
    assert user.age == 36
    assert user.role == "user"
    assert user.tags == []


def test_default_factory_is_not_shared():
    first, second = make_user(), make_user()
    first.tags.append("x")
    assert second.tags == []
    assert first.tags == ["x"]


def test_converts():
    user = make_user(age="41", name="  Grace ")
    assert user.age == 41
    assert user.name == "Grace"


def test_collects_all_errors():
    with pytest.raises(ValidationError) as info:
        User(age=-1, colour="red")
    assert info.value.errors == {
        "colour": "unknown field",
        "name": "is required",
        "age": "must be at least 0",
    }


def test_error_message():
    with pytest.raises(ValidationError, match="^age: must be at most 150$"):
        make_user(age=200)


def test_validation_error_is_value_error():
    with pytest.raises(ValueError):
        make_user(name=None)


@pytest.mark.parametrize(
    "field, value, message",
    [
        ("name", 5, "expected str, got int"),
        ("name", "x" * 11, "longer than 10 characters"),
        ("age", "many", "expected int, got str"),
        ("role", "root", "must be one of user, admin"),
        ("tags", "abc", "expected list, got str"),
    ],
)
def test_invalid_values(field, value, message):
    with pytest.raises(ValidationError) as info:
        make_user(**{field: value})
    assert info.value.errors[field] == message


def test_assignment_is_validated():
    user = make_user()
    user.age = "50"
    assert user.age == 50
    with pytest.raises(ValueError, match="expected int"):
        user.age = "old"
    assert user.age == 50


def test_class_access_returns_field():
    assert isinstance(User.age, Integer)
    assert User.age.max == 150
    assert User.name.name == "name"


def test_to_dict():
    assert make_user(tags=[" a ", "b"]).to_dict() == {"name": "Ada", "age": 36, "role": "user", "tags": ["a", "b"]}


def test_from_dict_ignores_unknown():
    assert User.from_dict({"name": "Bob", "age": 1, "extra": 0}) == make_user(name="Bob", age=1)


def test_equality():
    assert make_user() == make_user()
    assert make_user() != make_user(age=1)
    assert make_user() != {"name": "Ada"}


def test_equality_needs_same_class():
    class Other(User):
        pass

    assert Other(name="Ada", age=36) != make_user()
    assert Other(name="Ada", age=36).to_dict() == make_user().to_dict()


def test_repr():
    assert repr(Range(high=3)) == "Range(low=0, high=3)"


def test_cross_field_validation():
    assert Range(low=1, high=1).high == 1
    with pytest.raises(ValidationError) as info:
        Range(low=2, high=1)
    assert info.value.errors == {"low": "is above high"}


def test_inherited_fields():
    class Admin(User):
        level = Integer(default=1)
        role = String(default="admin")

    admin = Admin(name="Root", age=1)
    assert admin.to_dict() == {"name": "Root", "age": 1, "role": "admin", "tags": [], "level": 1}
    assert list(Admin._fields) == ["name", "age", "role", "tags", "level"]
    assert "level" not in User._fields


def test_custom_field():
    class Even(Integer):
        def convert(self, value):
            value = super().convert(value)
            if value % 2:
                raise ValueError("must be even")
            return value

    class Pair(Model):
        size = Even()

    assert Pair(size="4").size == 4
    with pytest.raises(ValidationError, match="size: must be even"):
        Pair(size=3)


def test_custom_validator():
    def no_shouting(value):
        if value.isupper():
            raise ValueError("do not shout")

    field = String(validators=[no_shouting])
    assert field.clean("hello") == "hello"
    with pytest.raises(ValueError, match="shout"):
        field.clean("HELLO")


def test_pattern():
    code = String(pattern="[A-Z]{2}-[0-9]+")
    assert code.clean(" AB-12 ") == "AB-12"
    with pytest.raises(ValueError, match="wrong form"):
        code.clean("ab-12")


def test_base_field():
    field = Field(required=False)
    assert field.clean(None) is None
    assert not field.required
`,
    leaning: ['test_from_dict_ignores_unknown'],
    breaks: [
      `        if self.max is not None and value > self.max:
            raise ValueError(f"must be at most {self.max}")
`,
      ``,
    ],
  },
  {
    id: 'state-machine-package',
    artifact: {
      'machine.py': `
"""Declarative state machines: subclass \`StateMachine\` and mark transitions."""
import enum
from functools import wraps


class TransitionError(Exception):
    def __init__(self, event, state):
        super().__init__(f"cannot {event} while {state}")
        self.event = event
        self.state = state


class State:
    def __init__(self, name=None, initial=False, final=False):
        self.name = name
        self.initial = initial
        self.final = final

    def __set_name__(self, owner, name):
        self.name = self.name or name

    def __eq__(self, other):
        if isinstance(other, str):
            return self.name == other
        if isinstance(other, State):
            return self.name == other.name
        return NotImplemented

    def __hash__(self):
        return hash(self.name)

    def __repr__(self):
        return f"State({self.name!r})"

    def __str__(self):
        return self.name


def transition(source, target):
    """Declare a method that moves from \`source\` to \`target\`."""
    sources = list(source) if isinstance(source, (list, tuple)) else [source]

    def decorator(method):
        @wraps(method)
        def wrapper(self, *args, **kwargs):
            if self.state not in sources:
                raise TransitionError(method.__name__, self.state)
            result = method(self, *args, **kwargs)
            previous, self.state = self.state, target
            self.history.append((str(previous), str(target)))
            for listener in self.listeners:
                listener(method.__name__, str(previous), str(target))
            return result

        wrapper.sources = sources
        wrapper.target = target
        return wrapper

    return decorator


class StateMachineMeta(type):
    def __new__(mcs, name, bases, namespace):
        cls = super().__new__(mcs, name, bases, namespace)
        cls.states = {}
        for base in reversed(cls.__mro__):
            for value in vars(base).values():
                if isinstance(value, State):
                    cls.states[value.name] = value
        initial = [s for s in cls.states.values() if s.initial]
        if cls.states and len(initial) != 1:
            raise TypeError(f"{name} needs exactly one initial state, not {len(initial)}")
        cls.initial = initial[0] if initial else None
        return cls


class StateMachine(metaclass=StateMachineMeta):
    def __init__(self):
        self.state = self.initial
        self.history = []
        self.listeners = []

    @property
    def finished(self):
        return self.state.final

    def allowed(self):
        names = []
        for name in dir(type(self)):
            sources = getattr(getattr(type(self), name), "sources", None)
            if sources and self.state in sources:
                names.append(name)
        return names

    def observe(self, listener):
        self.listeners.append(listener)
        return listener


class Light(enum.Enum):
    RED = 3
    GREEN = 2
    YELLOW = 1

    def next(self):
        order = list(Light)
        return order[(order.index(self) + 1) % len(order)]

    @property
    def can_go(self):
        return self is Light.GREEN
`,
    },
    tests: `
from unittest.mock import Mock

import pytest

from machine import Light, State, StateMachine, TransitionError, transition


class Door(StateMachine):
    opened = State()
    closed = State(initial=True)
    locked = State("bolted")

    @transition(source=closed, target=opened)
    def open(self):
        return "creak"

    @transition(source=opened, target=closed)
    def close(self):
        pass

    @transition(source=[closed], target=locked)
    def lock(self, code):
        if code != 42:
            raise ValueError("wrong code")
        self.code = code


@pytest.fixture
def door():
    return Door()


def test_initial_state(door):
    assert door.state == "closed"
    assert door.state is Door.closed
    assert not door.finished


def test_transition_changes_state(door):
    assert door.open() == "creak"
    assert door.state == Door.opened
    door.close()
    assert door.state == Door.closed


def test_illegal_transition(door):
    with pytest.raises(TransitionError) as excinfo:
        door.close()
    assert excinfo.value.event == "close"
    assert excinfo.value.state == "closed"
    assert str(excinfo.value) == "cannot close while closed"
    assert door.state == "closed"


def test_failed_body_keeps_state(door):
    with pytest.raises(ValueError, match="wrong code"):
        door.lock(1)
    assert door.state == "closed"
    assert door.history == []


def test_arguments_and_attributes(door):
    door.lock(code=42)
    assert door.code == 42
    assert door.state == "bolted"


def test_history(door):
    door.open()
    door.close()
    assert door.history == [("closed", "opened"), ("opened", "closed")]


def test_listeners(door):
    listener = Mock()
    assert door.observe(listener) is listener
    door.open()
    listener.assert_called_once_with("open", "closed", "opened")


def test_allowed(door):
    assert door.allowed() == ["lock", "open"]
    door.open()
    assert door.allowed() == ["close"]


def test_states_are_collected():
    assert set(Door.states) == {"opened", "closed", "bolted"}
    assert Door.initial == "closed"


def test_subclass_inherits_states():
    class Gate(Door):
        broken = State(final=True)

        @transition(source=(Door.opened, Door.closed), target=broken)
        def smash(self):
            pass

    gate = Gate()
    gate.open()
    gate.smash()
    assert gate.finished
    assert gate.allowed() == []
    assert len(Gate.states) == 4
    assert len(Door.states) == 3


def test_two_initial_states_are_refused():
    with pytest.raises(TypeError, match="exactly one initial state, not 2"):

        class Bad(StateMachine):
            a = State(initial=True)
            b = State(initial=True)


def test_no_initial_state_is_refused():
    with pytest.raises(TypeError, match="not 0"):
        type(StateMachine)("Bad", (StateMachine,), {"a": State("a")})


def test_machines_are_independent():
    first, second = Door(), Door()
    first.open()
    assert second.state == "closed"
    assert second.history == []


def test_wrapper_metadata():
    assert Door.open.__name__ == "open"
    assert Door.open.target == "opened"
    assert Door.lock.sources == [Door.closed]


class TestState:
    def test_equality(self):
        assert State("a") == State("a")
        assert State("a") == "a"
        assert State("a") != State("b")
        assert State("a") != 1

    def test_hash(self):
        assert {State("a"), State("a"), State("b")} == {State("b"), State("a")}

    def test_repr_and_str(self):
        assert repr(State("a")) == "State('a')"
        assert f"{State('a')}" == "a"


class TestLight:
    def test_cycle(self):
        assert Light.RED.next() is Light.GREEN
        assert Light.YELLOW.next() is Light.RED

    def test_members(self):
        assert [light.name for light in Light] == ["RED", "GREEN", "YELLOW"]
        assert Light(3) is Light.RED
        assert Light["GREEN"].value == 2

    @pytest.mark.parametrize("light", list(Light))
    def test_can_go(self, light):
        assert light.can_go == (light is Light.GREEN)

    def test_unknown_value(self):
        with pytest.raises(ValueError, match="99 is not a valid Light"):
            Light(99)
`,
    needsReference: true,
    breaks: [
      `            result = method(self, *args, **kwargs)
            previous, self.state = self.state, target`,
      `            previous, self.state = self.state, target
            result = method(self, *args, **kwargs)`,
    ],
  },
  {
    id: 'shop-package',
    artifact: {
      'shop/__init__.py': '',
      'shop/domain.py': `
from __future__ import annotations

import enum
from dataclasses import dataclass, field
from datetime import datetime, timezone
from decimal import Decimal


class OutOfStock(Exception):
    def __init__(self, sku, wanted, available):
        super().__init__(f"{sku}: wanted {wanted}, only {available} left")
        self.sku = sku
        self.wanted = wanted
        self.available = available


class OrderStatus(enum.Enum):
    OPEN = "open"
    PAID = "paid"
    SHIPPED = "shipped"


@dataclass(frozen=True)
class OrderLine:
    sku: str
    quantity: int
    price: Decimal

    @property
    def total(self) -> Decimal:
        return self.price * self.quantity


@dataclass
class Product:
    sku: str
    name: str
    price: Decimal
    stock: int = 0

    def take(self, quantity: int) -> None:
        if quantity > self.stock:
            raise OutOfStock(self.sku, quantity, self.stock)
        self.stock -= quantity


@dataclass
class Order:
    id: int | None
    customer: str
    lines: list[OrderLine] = field(default_factory=list)
    status: OrderStatus = OrderStatus.OPEN
    created: datetime = field(default_factory=lambda: datetime.now(timezone.utc))

    @property
    def total(self) -> Decimal:
        return sum((line.total for line in self.lines), Decimal(0))

    def add(self, line: OrderLine) -> None:
        if self.status is not OrderStatus.OPEN:
            raise ValueError(f"order is {self.status.value}")
        self.lines.append(line)
`,
      'shop/repository.py': `
from __future__ import annotations

import abc
import sqlite3
from contextlib import contextmanager
from datetime import datetime
from decimal import Decimal

from .domain import Order, OrderLine, OrderStatus, Product

SCHEMA = """
create table product (sku text primary key, name text, price text, stock integer);
create table orders (id integer primary key autoincrement, customer text, status text, created text);
create table line (order_id integer, sku text, quantity integer, price text);
"""


class NotFound(LookupError):
    pass


class AbstractRepository(abc.ABC):
    def __init__(self):
        self.seen = set()

    def get(self, sku):
        product = self._get(sku)
        if product is None:
            raise NotFound(f"no product {sku}")
        self.seen.add(sku)
        return product

    @abc.abstractmethod
    def add(self, product): ...

    @abc.abstractmethod
    def _get(self, sku): ...


class SqliteRepository(AbstractRepository):
    def __init__(self, connection):
        super().__init__()
        self.connection = connection

    def add(self, product):
        self.connection.execute(
            "insert or replace into product values (?, ?, ?, ?)",
            (product.sku, product.name, str(product.price), product.stock),
        )

    def _get(self, sku):
        row = self.connection.execute("select * from product where sku = ?", (sku,)).fetchone()
        return row and Product(row[0], row[1], Decimal(row[2]), row[3])

    def list(self):
        rows = self.connection.execute("select sku from product order by sku")
        return [self._get(sku) for (sku,) in rows.fetchall()]

    def save_order(self, order):
        cursor = self.connection.execute(
            "insert into orders (customer, status, created) values (?, ?, ?)",
            (order.customer, order.status.value, order.created.isoformat()),
        )
        order.id = cursor.lastrowid
        self.connection.executemany(
            "insert into line values (?, ?, ?, ?)",
            [(order.id, line.sku, line.quantity, str(line.price)) for line in order.lines],
        )
        return order.id

    def order(self, id):
        row = self.connection.execute("select * from orders where id = ?", (id,)).fetchone()
        if row is None:
            raise NotFound(f"no order {id}")
        lines = self.connection.execute("select sku, quantity, price from line where order_id = ?", (id,))
        return Order(row[0], row[1], [OrderLine(s, q, Decimal(p)) for s, q, p in lines], OrderStatus(row[2]),
                     datetime.fromisoformat(row[3]))


class UnitOfWork:
    def __init__(self, path=":memory:"):
        self.connection = sqlite3.connect(path)
        self.connection.executescript(SCHEMA)
        self.committed = False
        self.products = SqliteRepository(self.connection)

    def __enter__(self):
        self.committed = False
        return self

    def __exit__(self, *exc):
        if not self.committed:
            self.rollback()

    def commit(self):
        self.connection.commit()
        self.committed = True

    def rollback(self):
        self.connection.rollback()


@contextmanager
def transaction(uow):
    with uow:
        yield uow.products
        uow.commit()
`,
      'shop/services.py': `
from .domain import Order, OrderLine


def place_order(customer, items, repository, notify=None):
    """items maps sku to quantity."""
    order = Order(None, customer)
    for sku, quantity in items.items():
        product = repository.get(sku)
        product.take(quantity)
        repository.add(product)
        order.add(OrderLine(sku, quantity, product.price))
    if notify is not None:
        notify(customer, f"{len(order.lines)} lines, {order.total} EUR")
    return order
`,
    },
    tests: `
from datetime import datetime, timezone
from decimal import Decimal
from unittest.mock import Mock

import pytest

from shop.domain import Order, OrderLine, OrderStatus, OutOfStock, Product
from shop.repository import AbstractRepository, NotFound, UnitOfWork, transaction
from shop.services import place_order


class FakeRepository(AbstractRepository):
    def __init__(self, *products):
        super().__init__()
        self._products = {p.sku: p for p in products}

    def add(self, product):
        self._products[product.sku] = product

    def _get(self, sku):
        return self._products.get(sku)


@pytest.fixture
def chair():
    return Product("CHAIR", "A chair", Decimal("19.90"), stock=5)


@pytest.fixture
def uow():
    return UnitOfWork()


class TestDomain:
    def test_line_total(self):
        assert OrderLine("X", 3, Decimal("1.50")).total == Decimal("4.50")

    def test_order_total(self):
        order = Order(1, "ada", [OrderLine("X", 1, Decimal(2)), OrderLine("Y", 2, Decimal(3))])
        assert order.total == 8

    def test_empty_order_total_is_decimal(self):
        total = Order(1, "ada").total
        assert total == 0
        assert isinstance(total, Decimal)

    def test_take(self, chair):
        chair.take(2)
        assert chair.stock == 3

    def test_take_too_many(self, chair):
        with pytest.raises(OutOfStock) as info:
            chair.take(6)
        assert (info.value.sku, info.value.wanted, info.value.available) == ("CHAIR", 6, 5)
        assert chair.stock == 5

    def test_closed_order(self):
        order = Order(1, "ada", status=OrderStatus.PAID)
        with pytest.raises(ValueError, match="order is paid"):
            order.add(OrderLine("X", 1, Decimal(1)))
        assert order.lines == []

    def test_created_is_utc(self):
        order = Order(None, "ada")
        assert order.created.tzinfo is timezone.utc
        assert order.created <= datetime.now(timezone.utc)

    def test_lines_are_hashable(self):
        assert len({OrderLine("X", 1, Decimal(1)), OrderLine("X", 1, Decimal("1.0"))}) == 1


class TestPlaceOrder:
    def test_happy_path(self, chair):
        repository = FakeRepository(chair)
        order = place_order("ada", {"CHAIR": 2}, repository)
        assert order.lines == [OrderLine("CHAIR", 2, Decimal("19.90"))]
        assert order.total == Decimal("39.80")
        assert repository.get("CHAIR").stock == 3
        assert repository.seen == {"CHAIR"}

    def test_unknown_product(self):
        with pytest.raises(NotFound, match="no product TABLE"):
            place_order("ada", {"TABLE": 1}, FakeRepository())

    def test_out_of_stock_does_not_notify(self, chair):
        notify = Mock()
        with pytest.raises(OutOfStock, match="wanted 9, only 5 left"):
            place_order("ada", {"CHAIR": 9}, FakeRepository(chair), notify)
        notify.assert_not_called()

    def test_notifies(self, chair):
        notify = Mock()
        place_order("ada", {"CHAIR": 1}, FakeRepository(chair), notify=notify)
        notify.assert_called_once_with("ada", "1 lines, 19.90 EUR")


class TestSqlite:
    def test_add_and_get(self, uow, chair):
        uow.products.add(chair)
        assert uow.products.get("CHAIR") == chair
        assert uow.products.get("CHAIR") is not chair

    def test_get_missing(self, uow):
        with pytest.raises(NotFound):
            uow.products.get("X")
        assert issubclass(NotFound, LookupError)

    def test_list_is_sorted(self, uow, chair):
        uow.products.add(chair)
        uow.products.add(Product("BED", "A bed", Decimal(200)))
        assert [p.sku for p in uow.products.list()] == ["BED", "CHAIR"]

    def test_replace(self, uow, chair):
        uow.products.add(chair)
        chair.stock = 1
        uow.products.add(chair)
        assert uow.products.list() == [chair]

    def test_commit(self, uow, chair):
        with uow:
            uow.products.add(chair)
            uow.commit()
        assert uow.committed
        assert uow.products.get("CHAIR").name == "A chair"

    def test_rolls_back_without_commit(self, uow, chair):
        with uow:
            uow.products.add(chair)
        assert uow.products.list() == []

    def test_rolls_back_on_error(self, uow, chair):
        with pytest.raises(RuntimeError):
            with transaction(uow) as products:
                products.add(chair)
                raise RuntimeError
        assert not uow.committed
        assert uow.products.list() == []

    def test_transaction(self, uow, chair):
        with transaction(uow) as products:
            products.add(chair)
        assert len(uow.products.list()) == 1

    def test_order_round_trip(self, uow, chair):
        order = Order(None, "ada", created=datetime(2024, 1, 2, tzinfo=timezone.utc))
        order.add(OrderLine("CHAIR", 1, chair.price))
        id = uow.products.save_order(order)
        assert order.id == id == 1
        assert uow.products.order(id) == order

    def test_order_missing(self, uow):
        with pytest.raises(NotFound, match="no order 7"):
            uow.products.order(7)

    def test_file_database(self, tmp_path, chair):
        path = tmp_path / "shop.db"
        uow = UnitOfWork(path)
        with transaction(uow) as products:
            products.add(chair)
        assert path.exists()
        assert path.stat().st_size > 0
`,
    breaks: [
      `        if not self.committed:
            self.rollback()`,
      `        self.commit()`,
    ],
  },
];
