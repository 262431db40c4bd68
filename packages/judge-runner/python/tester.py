"""Launcher of a tester: runs pytest over the suite in a box without the artifact, and tells what came of each test.

One line out, one line in. `ask` is a question to the artifact, which lives in another box; `test` is a result;
`done` is the end. In the mode `same-process` the artifact is imported here, and results are worth less. Python 3.9
or newer with pytest.
"""
import importlib.metadata
import inspect
import json
import re
import sys
import tempfile
from hashlib import sha256

from inner_tests import InnerFinder, name_within, shared_folders
from launch import ANSWERS, PACKAGES, REQUESTS, forget_own, launch
from names import apart, matched
from originals import os, threading, time
from reached import unreached
from refusals import Refused
from stubs import StubModule, accept_stubs
from surroundings import MADE_BY_PYTEST, TEMPORARY
from tool_packages import close

#: Most characters of the reason for which a test fails.
MAX_REASON = 500
#: Packages that bring fixtures of these names.
PLUGINS = {'mocker': 'pytest-mock', 'benchmark': 'pytest-benchmark', 'freezer': 'pytest-freezer', 'httpx_mock': 'pytest-httpx',
           'requests_mock': 'requests-mock', 'httpserver': 'pytest-httpserver', 'faker': 'faker', 'snapshot': 'syrupy', 'datadir': 'pytest-datadir',
           'event_loop': 'pytest-asyncio', 'aiohttp_client': 'pytest-aiohttp', 'anyio_backend': 'anyio', 'time_machine': 'time-machine'}
#: Plugins of pytest's own that write somewhere, or take settings that are not the suite's.
OFF = ('cacheprovider', 'junitxml', 'pastebin', 'stepwise', 'setuponly', 'setupplan', 'legacypath', 'nose', 'faulthandler', 'unraisableexception')
LAYERS = ('smoke', 'correctness', 'edge', 'performance', 'security')


class Line:
    """The judge, one question and one answer at a time."""

    def __init__(self, requests, answer, loads):
        self.requests, self.answer, self.loads = requests, answer, loads
        self.lock = threading.RLock()
        self.test = self.guard = None

    def exchange(self, message):
        with self.lock:
            if self.test is not None:
                message['test'] = self.test
            sent = self.answer(message)
            if self.guard is not None:
                self.guard.asked(sent, message)
            line = self.requests.readline()
            if not line:
                os._exit(0)
            reply = self.loads(line)
            if self.guard is not None:
                self.guard.answered(line, reply)
        if 'over' in reply:
            os._exit(0)
        return reply


def layer_of(item):
    """The layer that a test is marked with; without one it tests correctness."""
    for marker in item.iter_markers():
        if marker.name in LAYERS:
            return marker.name
        if marker.name == 'layer' and marker.args and marker.args[0] in LAYERS:
            return marker.args[0]
    return 'correctness'


def missing_fixtures(item):
    """Fixtures that a test asks for and nothing defines."""
    info, spec = getattr(item, '_fixtureinfo', None), getattr(item, 'callspec', None)
    if info is None:
        return []
    known = {'request', *info.name2fixturedefs, *getattr(spec, 'params', ()), *getattr(spec, 'funcargs', ())}
    return [name for name in info.names_closure if name not in known]


def undeclared_by(item, function):
    """What a test needs of a plugin that is not there, as a construct of the suite, or None. `function` is pytest's class of tests."""
    for name in missing_fixtures(item):
        brings = 'add %s to `python.packages`' % PLUGINS[name] if name in PLUGINS else 'add the plugin that has it to `python.packages`'
        return 'asks for the fixture %s, which nothing defines: define it in a conftest.py, name its plugin there in pytest_plugins, or %s' % (name, brings)
    hooks = item.ihook.pytest_pyfunc_call.get_hookimpls()
    if type(item) is function and inspect.iscoroutinefunction(item.obj) and all(hook.function.__module__.startswith('_pytest.') for hook in hooks):
        mark = '' if item.get_closest_marker('asyncio') else ' and mark it with pytest.mark.asyncio'
        return 'is an async test, which no plugin runs: add pytest-asyncio to `python.packages`%s, or call asyncio.run() in it' % mark
    return None


def lines_of_suite(text, suite):
    """The places of a suite, by its folder, in a traceback that pytest has written, each with its line of code: no place of pytest or the library."""
    relative = re.sub('^%s/' % re.escape(suite), '', text, flags=re.MULTILINE)
    return '\n'.join(re.findall(r'^(?![/<])\S[^\n]*:\d+: in [^\n]*(?:\n +[^\n]*)*', relative, re.MULTILINE))


class Reporter:
    """A plugin of pytest: orders tests by layer, and reports each when its fixtures are gone."""

    def __init__(self, line, settings, link):
        self.line, self.settings, self.link = line, settings, link
        self.collected, self.errors, self.phases, self.began = [], [], {}, 0.0
        self.layers = {}
        #: File and line of each frame of the error with which the running test has failed.
        self.frames = []
        #: What comes after the line at which a test has first failed, by test.
        self.behind = {}
        #: What tests need of plugins that are not there, by test.
        self.undeclared = {}
        #: How often tests are still run that stand for all that the artifact holds, and why those failed that have been.
        self.left, self.failed = {}, {}
        #: Tests that the judge's own code has failed.
        self.refused = set()
        #: Tests that draw their inputs.
        self.drawn = frozenset()
        #: Tells what a test has changed that decides it, or None.
        self.changed = lambda: None

    def pytest_configure(self, config):
        if self.link is not None:
            share_temporary_files(config)
        for layer in LAYERS:
            config.addinivalue_line('markers', '%s: a test of this layer' % layer)
        config.addinivalue_line('markers', 'layer(name): the layer of a test')

    def pytest_collectreport(self, report):
        if report.failed:
            text = str(report.longrepr)
            # What went wrong first, then how it came about.
            decisive = [line[1:].strip() for line in text.splitlines() if line.startswith('E ')]
            more = lines_of_suite(text, self.settings['suite']) if decisive else text
            self.errors.append('\n'.join(filter(None, ['%s: %s' % (report.nodeid, ' '.join(decisive)[:500]), more[-1500:]])))

    def pytest_collection_modifyitems(self, session, config, items):
        expected = self.settings.get('expected') or []
        for item, name in zip(items, apart([item.nodeid for item in items], frozenset(expected))):
            item._nodeid = name
        self.layers = {item.nodeid: layer_of(item) for item in items}
        if self.link is not None and self.link.uses_tempfile:
            tempfile.gettempdir()  # The artifact makes its files there as well.
        items.sort(key=lambda item: LAYERS.index(self.layers[item.nodeid]))
        self.collected = [{'id': item.nodeid, 'layer': self.layers[item.nodeid]} for item in items]
        self.find_undeclared(items)
        if self.settings['collect']:
            items.clear()
            return
        names = matched([item.nodeid for item in items], expected)
        for item in items:
            if item.nodeid in names:
                self.layers[names[item.nodeid]] = self.layers[item.nodeid]
                self.undeclared[names[item.nodeid]] = self.undeclared.pop(item.nodeid, None)
                item._nodeid = names[item.nodeid]
                self.left[item.nodeid] = self.left.get(item.nodeid, 0) + 1
        self.drawn = frozenset(item.nodeid for item in items if 'judge_seed' in getattr(item, 'fixturenames', ()))

    def find_undeclared(self, items):
        import pytest
        for item in items:
            construct = undeclared_by(item, pytest.Function)
            if construct is not None:
                self.undeclared[item.nodeid] = {'file': item.location[0], 'line': (item.location[1] or 0) + 1, 'test': item.nodeid, 'construct': construct}

    def pytest_runtest_logstart(self, nodeid, location):
        self.line.exchange({'begins': [nodeid]})
        self.line.test, self.phases, self.frames, self.began = nodeid, {}, [], time.perf_counter()
        if self.link is not None:
            self.link.begin_test(nodeid, nodeid in self.drawn)

    def pytest_exception_interact(self, node, call, report):
        if call.when == 'call' and not self.frames:
            self.frames = [(str(each.path), each.lineno + 1) for each in call.excinfo.traceback]

    def pytest_fixture_setup(self, fixturedef, request):
        # What a fixture of several tests gives the artifact is given to all of them.
        if self.link is not None and fixturedef.scope != 'function':
            self.link.sharing += 1
        yield
        if self.link is not None and fixturedef.scope != 'function':
            self.link.sharing -= 1

    def pytest_assertrepr_compare(self, config, op, left, right):
        """Explains how two values differ as far as the answers allow: the assertion has failed, whatever cannot be told of them."""
        if self.link is None:
            yield
            return
        with self.link.explaining():
            outcome = yield
        if outcome.excinfo is not None and issubclass(outcome.excinfo[0], Refused):
            outcome.force_result([])

    def pytest_runtest_logreport(self, report):
        # Parts of a test are reported as it is: one that failed is not outdone by the next.
        if not getattr(self.phases.get(report.when), 'failed', False):
            self.phases[report.when] = report

    def hinted(self, reason):
        """The reason of a failure, with what the artifact lacked: a file whose path the test has given, or what the test prints and logs."""
        if self.link is None:
            return reason
        name = next(filter(self.link.guard.has_given, self.settings.get('unshared', ())), None)
        if name is not None:
            hint = "the artifact's box has no %s, which the test gives by its path: name it in `shared`, or add a reference" % name[-100:]
        elif self.link.unread is not None:
            hint = 'what the test %s is kept from the artifact, which may read what is expected: add a reference that takes it' % self.link.unread
        else:
            return reason
        return '%s (%s)' % (reason[:MAX_REASON - len(hint) - 3], hint)

    def pytest_runtest_logfinish(self, nodeid, location):
        ms = (time.perf_counter() - self.began) * 1000
        reports = [self.phases.get(when) for when in ('setup', 'call', 'teardown')]
        # No function of the language, which a test may have replaced.
        passed = True
        for report in reports:
            if report is None or report.outcome != 'passed' or 'wasxfail' in report.__dict__:
                passed = False
        reason = None
        if not passed:
            reason = 'it was not run'
            for report in reports:
                if report is None:
                    continue
                if hasattr(report, 'wasxfail'):
                    reason = 'it is expected to fail, which is no pass'
                    break
                if report.skipped:
                    reason = 'it was skipped, which is no pass'
                    if isinstance(report.longrepr, tuple):
                        reason = (reason + ': ' + report.longrepr[2].replace('Skipped: ', '', 1))[:MAX_REASON]
                    break
                if report.failed:
                    crash = getattr(report.longrepr, 'reprcrash', None)
                    reason = str(getattr(crash, 'message', report.longrepr))[:MAX_REASON]
                    if report.when == 'setup':
                        reason = 'its fixture failed: ' + reason
                    break
            if self.undeclared.get(nodeid):
                reason = 'it ' + self.undeclared[nodeid]['construct']
        refusal = None if self.link is None else self.link.end_test(passed)
        changed = self.changed()
        if changed is not None:
            refusal = 'the test has changed %s, by which tests are judged' % changed
        if refusal is not None:
            passed, reason = False, refusal[:MAX_REASON]
        elif not passed:
            reason = self.hinted(reason)
        hint = None if passed or refusal is not None or self.link is None else self.link.hint_of_values()
        if hint is not None:
            reason = '%s (%s)' % (reason[:MAX_REASON - len(hint)], hint)
        self.line.test = None
        if not passed and nodeid not in self.failed:
            self.failed[nodeid] = reason
            if refusal is not None or hint is not None:
                self.refused.add(nodeid)
            if self.link is not None and refusal is None and self.frames:
                places = self.settings['syntax'].get('places', ())
                self.behind[nodeid] = unreached(self.settings['suite'], nodeid.partition('[')[0], places, self.frames)
        self.left[nodeid] = self.left.get(nodeid, 1) - 1
        if self.left[nodeid] > 0:
            return
        reason = self.failed.get(nodeid)
        passed = nodeid not in self.failed
        result = {'id': nodeid, 'passed': passed, 'ms': ms, 'reason': reason, 'unreached': self.behind.get(nodeid, [])}
        if nodeid in self.refused:
            result['refused'] = True
        reply = self.line.exchange({'result': result})
        if 'stop' in reply:
            os._exit(0)


def share_temporary_files(config):
    """Has the library create temporary files where the artifact finds them: below the folder of pytest's own."""
    made = []

    def folder():
        if not made:
            made.append(os.path.join(str(config._tmp_path_factory.getbasetemp()), 'temporary'))
            os.makedirs(made[0], exist_ok=True)
        return made[0]
    tempfile.gettempdir = folder


def connect(settings, line):
    """Puts the artifact's modules within reach of imports: those that the suite's own files name."""
    from guard import Guard
    from modules import Finder
    from proxy import Link
    from suite_places import read_places
    from suite_syntax import read_suite
    syntax = settings.get('syntax')
    if not syntax:
        syntax, files = read_suite(settings['suite'])
        syntax['places'], known = read_places(files)
        syntax['called'] = sorted(known.called)

    def end_run(kind, reason):
        line.exchange({kind: reason[:MAX_REASON]})
        os._exit(0)
    named = set(syntax['modules']) | {'solution'}
    own = set(settings['modules'])
    # A package that lacks a module must not take tests out of the suite: they are named as if it were there.
    tops = {name.partition('.')[0] for name in own | {'solution'}} if settings['collect'] else set()
    names = {name for name in named if name in own or settings.get('any_module') or name.partition('.')[0] in tops}
    names |= {'.'.join(name.split('.')[:count]) for name in names for count in range(1, name.count('.') + 1)}
    settings.update(syntax, modules=sorted(names), syntax=syntax)
    link = None if settings['collect'] else Link(line.exchange, end_run, settings)
    if link is not None:
        line.guard = link.guard = Guard(settings['suite'], link.refuse, link)
    # Last: a module of the artifact never takes the place of the suite's, pytest's or the library's.
    finder, folders = Finder(frozenset(names), syntax['starred'], link, StubModule), shared_folders(settings['suite'], names)
    sys.meta_path.append(finder)
    if folders:
        sys.meta_path.insert(0, InnerFinder(finder, folders))
        name_within(folders)
    return link


def declared_plugins(wanted):
    """Entry points of pytest that the packages of these names have. Those of other packages are not loaded: nobody has chosen them."""
    found = {}
    for package in importlib.metadata.distributions(path=[PACKAGES]) if wanted and os.path.isdir(PACKAGES) else ():
        name = re.sub('[-_.]+', '-', package.metadata['Name'] or '').lower()
        if name in wanted and name in found:
            raise ValueError('two packages have the name ' + name)
        found[name] = [point for point in package.entry_points if point.group == 'pytest11' and name in wanted]
    return [point for points in found.values() for point in points]


def legacy_path(folder):
    try:
        # The package `py` of the machine runs texts while it is imported.
        from _pytest._py.path import LocalPath
    except ImportError:
        from _pytest.compat import LEGACY_PATH as LocalPath
    return LocalPath(folder)


class LegacyFactory:
    """Makes temporary folders for all tests of a run."""

    def __init__(self, folders):
        self.folders = folders

    def mktemp(self, basename, numbered=True):
        return legacy_path(self.folders.mktemp(basename, numbered))

    def getbasetemp(self):
        return legacy_path(self.folders.getbasetemp())


class DeclaredPlugins:
    """Registers plugins under the names by which pytest knows them, as soon as it has read its arguments."""

    def __init__(self, points):
        self.points = points

    def pytest_addoption(self, parser, pluginmanager):
        for point in self.points:
            if pluginmanager.get_plugin(point.name) is None:
                pluginmanager.register(point.load(), point.name)


def run(settings, line):
    tools = os.environ.pop('JUDGE_PACKAGES').split(':')
    # A suite may declare a pytest of its own. Else no package takes the place of ours, whatever modules it has.
    own = settings.get('own_pytest') is True
    sys.path += [PACKAGES] + tools if own else tools
    link, ours = None, sys.path[0]
    if settings['artifact'] is not None:
        sys.path.insert(0, settings['artifact'])
    else:
        link = connect(settings, line)
    sys.path[sys.path.index(ours)] = settings['suite']
    forget_own(ours)
    os.environ['PYTEST_DISABLE_PLUGIN_AUTOLOAD'] = '1'
    os.makedirs(TEMPORARY, exist_ok=True)
    os.makedirs(settings['folder'], exist_ok=True)
    os.chdir(settings['folder'])
    import pytest
    if not own and os.path.isdir(PACKAGES):
        sys.path.insert(sys.path.index(tools[0]), PACKAGES)
    close(tools, OFF)
    if settings['collect'] and settings['artifact'] is None:
        accept_stubs(pytest)
    reporter = Reporter(line, settings, link)

    class Fresh:
        """What a test draws random inputs from, so that the run can be repeated."""

        @pytest.fixture(scope='session')
        def judge_seed(self):
            return settings.get('seed') or '0'

    class LegacyPaths:
        """Temporary folders as `py.path.local`, without the rest of the plugin that brings them, which starts programs."""

        @pytest.fixture
        def tmpdir(self, tmp_path):
            return legacy_path(tmp_path)

        @pytest.fixture(scope='session')
        def tmpdir_factory(self, tmp_path_factory):
            return LegacyFactory(tmp_path_factory)

    arguments = ['-c', '/dev/null', '--rootdir', settings['suite'], '--basetemp', MADE_BY_PYTEST, '-qq', '--no-header',
                 '--no-summary', settings['suite']]
    for name in OFF:
        arguments += ['-p', 'no:' + name]
    if link is not None:
        link.guard.watch()
        reporter.changed = link.guard.deciding()
    for name in ('pytest_fixture_setup', 'pytest_assertrepr_compare'):
        setattr(type(reporter), name, pytest.hookimpl(hookwrapper=True)(getattr(type(reporter), name)))
    wanted = settings.get('plugins') or []
    try:
        code = pytest.main(arguments, plugins=[DeclaredPlugins(declared_plugins(wanted)), reporter, Fresh(), LegacyPaths()])
    except Exception as error:
        if not wanted:
            raise
        code = 4
        reporter.errors.append('a plugin of the declared packages (%s) failed: %s: %s' % (', '.join(wanted), type(error).__name__, str(error)[:500]))
    done = {'collected': reporter.collected, 'errors': reporter.errors, 'code': int(code), 'undeclared': list(filter(None, reporter.undeclared.values()))[:200]}
    if settings['artifact'] is None:
        done['syntax'] = settings['syntax']
    if link is not None and link.learning:
        done['shapes'] = link.shapes_found()
    return done


class Answers:
    """The lines to the judge. Once this process has a key, each has a mark: what else a test writes to the descriptor is no line."""

    def __init__(self, dumps):
        self.write, self.dumps = os.write, dumps
        self.key, self.count = None, 0

    def __call__(self, reply):
        text = self.dumps(reply)
        line = text + '\n'
        if self.key is not None:
            mark = sha256(('%s%d %s%s' % (self.key, self.count, text, self.key)).encode()).hexdigest()
            line = '%s %s' % (mark, line)
            self.count += 1
        line = line.encode()
        while line:
            line = line[self.write(ANSWERS, line):]
        return text


def main():
    requests = os.fdopen(REQUESTS, 'r', encoding='utf-8')
    loads = json.loads
    answer = Answers(json.dumps)
    launch(loads, requests, answer, is_alone=True)
    first = requests.readline()
    if not first:
        os._exit(0)  # The artifact did not even load.
    settings = loads(first)
    if 'analyse' in settings:
        from analysis import analyse
        answer({'findings': analyse(settings['analyse'], settings['secret'])})
        settings = loads(requests.readline())
    answer.key = settings.pop('key', None)
    line = Line(requests, answer, loads)
    try:
        told = {'done': run(settings, line)}
    except BaseException as error:
        told = {'broken': '%s: %s' % (type(error).__name__, str(error)[:500])}
    # Threads that serve the artifact may still ask something: not now, and not after this.
    with line.lock:
        answer(told)
        os._exit(0)


if __name__ == '__main__':
    # Nothing of it is found by name.
    sys.modules['__main__'] = type(sys)('__main__')
    main()
