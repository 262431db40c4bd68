"""Launcher and worker of the judge: with the files beside it the only program in the box beside the artifact.

It reads one JSON line per request on fd 3 and answers with one line on fd 4. First it narrows the system
calls of its own process to the profile it is sent, then it reads the artifact without running it, then it loads
it and calls functions. From the moment the artifact is loaded nothing here is trusted: whatever leaves the box
is an answer, and answers are judged elsewhere. Python 3.9 or newer, standard library only.
"""
import json
import os
import sys

from codec import Unplain, decode, encode
from launch import ANSWERS, REQUESTS, launch

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
    for name in ('codec', 'launch', 'analysis'):
        sys.modules.pop(name, None)  # The artifact may have modules of these names.
    return __import__(request['load'])


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


def main():
    write, flush = os.write, sys.stdout.flush
    requests = os.fdopen(REQUESTS, 'r', encoding='utf-8')
    dumps, loads = json.dumps, json.loads

    def answer(reply):
        line = dumps(reply).encode() + b'\n'
        while line:
            line = line[write(ANSWERS, line):]

    launch(loads, requests, answer)
    module = None
    for line in requests:
        request = loads(line)
        try:
            if 'analyse' in request:
                from analysis import analyse
                reply = {'findings': analyse(request['analyse'], request['secret'])}
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
