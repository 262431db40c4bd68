"""Tells which places of a test a failure has left behind it: what comes later in the test was not reached. Standard library only."""
import ast

from originals import open_file, os

FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
#: Statements whose parts may run before what stands above them has failed, or after.
REPEATED = (ast.For, ast.AsyncFor, ast.While, ast.Try)
#: What goes on after a failure.
GOING_ON = ('subTest', 'subtests', 'check')


def holds(node, line):
    return node.lineno <= line <= node.end_lineno


def innermost(tree, kinds, line):
    found = [node for node in ast.walk(tree) if isinstance(node, kinds) and holds(node, line)]
    return min(found, key=lambda node: node.end_lineno - node.lineno, default=None)


def unreached(suite, test, places, frames):
    """The places of a test, as lists of file and line, that come after the line at which it failed.

    places: all places of the suite. frames: file and line of each frame of the error. Whatever is not certain counts as reached.
    """
    own = [each for each in places if each['test'] == test]
    file, name = test.partition('::')[0], test.rpartition('::')[2]
    try:
        with open_file(os.path.join(suite, file), encoding='utf-8') as source:
            tree = ast.parse(source.read())
    except (OSError, SyntaxError, ValueError):
        return []
    found = []
    for path, line in frames:
        function = innermost(tree, FUNCTIONS, line) if path == os.path.join(suite, file) else None
        if function is None or function.name != name:
            continue
        if any(getattr(node, 'attr', getattr(node, 'id', None)) in GOING_ON for node in ast.walk(function)):
            return []
        end = innermost(function, ast.stmt, line).end_lineno
        around = [node for node in ast.walk(function) if isinstance(node, REPEATED) and holds(node, line)]
        found += [[file, each['line']] for each in own if each['file'] == file and end < each['line'] <= function.end_lineno
                  and not any(holds(node, each['line']) for node in around)]
    return found
