"""Launcher and worker of the judge: with the files beside it the only program in the box beside the artifact.

It reads one JSON line per request on fd 3 and answers with one line on fd 4. First it narrows the system
calls of its own process to the profile it is sent, then it reads the artifact without running it, then it loads
it and calls functions. From the moment the artifact is loaded nothing here is trusted: whatever leaves the box
is an answer, and answers are judged elsewhere. Python 3.9 or newer, standard library only.
"""
import os
import sys

from codec import Unplain, decode, encode
from launch import ANSWERS, PACKAGES, REQUESTS, launch
from lines import make

CONVERSIONS = {'list': list, 'tuple': tuple, 'set': set, 'sorted': sorted, 'len': len}


def describe(error):
    """The classes of an exception by name, most derived first, and its text."""
    names = [str(kind.__name__)[:200] for kind in type(error).__mro__][:50]
    try:
        text = str(error)[:500]
    except BaseException:  # Even this is the artifact's code.
        text = ''
    return {'raised': {'mro': names, 'message': text}}


def load(request):
    sys.path[0] = request['folder']  # In the place of this file's own folder.
    sys.path.append(PACKAGES)
    for name in ('codec', 'launch', 'lines', 'analysis'):
        sys.modules.pop(name, None)  # The artifact may have modules of these names.
    module = __import__(request['load'])
    for name in request['load'].split('.')[1:]:
        module = getattr(module, name)
    return module


def call(module, request):
    function = module
    for name in request['fn'].split('.'):
        try:
            function = getattr(function, name)
        except AttributeError:
            return {'missing': request['fn']}
    answer = function(*decode(request['args']))
    if 'as' in request:
        answer = CONVERSIONS[request['as']](answer)
    return {'value': encode(answer)}


def cover(folder, packages):
    """Begins to count which lines run. Nothing in the artifact's files can switch it off or leave lines out."""
    before = set(sys.modules)
    sys.path += packages
    try:
        import coverage
    except ImportError:
        return None
    finally:
        sys.path[:] = [entry for entry in sys.path if entry not in packages]
    counter = coverage.Coverage(data_file=None, config_file=False, source=[folder])
    counter.clear_exclude()
    counter.start()
    # The artifact finds what it would find without it.
    own = [name for name in set(sys.modules) - before if name.split('.')[0] == 'coverage']
    return counter, {name: sys.modules.pop(name) for name in own}, packages


def covered(counting, folder):
    counter, own, packages = counting
    counter.stop()
    sys.modules.update(own)
    sys.path += packages
    statements = missing = 0
    for top, _, names in os.walk(folder):
        for name in names:
            if name.endswith('.py'):
                _, lines, _, gone, _ = counter.analysis2(os.path.join(top, name))
                statements += len(lines)
                missing += len(gone)
    return {'statements': statements, 'missing': missing}


def main():
    write, flush = os.write, sys.stdout.flush
    packages = os.environ.pop('JUDGE_PACKAGES', '').split(':')
    requests = os.fdopen(REQUESTS, 'r', encoding='utf-8')
    dumps, loads = make()

    def answer(reply):
        line = dumps(reply).encode() + b'\n'
        while line:
            line = line[write(ANSWERS, line):]

    launch(loads, requests, answer)
    module = counting = None
    for line in requests:
        request = loads(line)
        try:
            if 'analyse' in request:
                from analysis import analyse
                reply = {'findings': analyse(request['analyse'], request['secret'])}
            elif 'cover' in request:
                counting = cover(request['cover'], packages)
                reply = {'covering': counting is not None}
            elif 'covered' in request:
                reply = covered(counting, request['covered'])
            elif 'serve' in request:
                from objects import serve
                serve(request, requests, answer, loads)
                break
            elif 'load' in request:
                module = load(request)
                reply = {'loaded': True}
            else:
                reply = call(module, request)
        except Unplain as error:
            reply = {'unplain': str(error)}
        except BaseException as error:  # SystemExit and KeyboardInterrupt are failures like any other.
            reply = describe(error)
        reply['id'] = request['id']
        answer(reply)
    try:
        flush()
    finally:
        # Nothing that the artifact registered for the end gets a say.
        os._exit(0)


if __name__ == '__main__':
    main()
