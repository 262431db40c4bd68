"""Tells texts that a test compares from those that only report why it failed. Standard library only."""
import ast
import sys

from originals import lines_of

#: Packages that write objects into the reports of failed assertions.
REPORTERS = ('_pytest', 'unittest')
WRITERS = ('str', 'repr', 'format', 'join')
#: Modules that sort the items of sets and dicts that they write.
SORTERS = ('reprlib', 'pprint', '_pytest._io.pprint')
MESSAGES = {}


def writes(node):
    """True for an expression that writes an object itself."""
    return isinstance(node, ast.JoinedStr) or isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mod) or \
        isinstance(node, ast.Call) and getattr(node.func, 'id', getattr(node.func, 'attr', None)) in WRITERS


def messages(path):
    """The lines of a file in which only the message of an assertion writes objects: pytest keeps no columns of it."""
    if path not in MESSAGES:
        try:
            nodes = ast.walk(ast.parse(''.join(lines_of(path))))
        except SyntaxError:
            nodes = ()
        found = [each for each in nodes if isinstance(each, ast.Assert) and each.msg is not None and not any(map(writes, ast.walk(each.test)))]
        MESSAGES[path] = {line for each in found for line in range(each.lineno, each.end_lineno + 1)}
    return MESSAGES[path]


def is_reporting(suite):
    """True while an object is written for the report of a failed assertion, or for its message."""
    frame = sys._getframe(2)
    while frame is not None:
        path = frame.f_code.co_filename
        if path.startswith(suite):
            return frame.f_lineno in messages(path)
        if frame.f_globals.get('__name__', '').partition('.')[0] in REPORTERS:
            return True
        frame = frame.f_back
    return False


def is_sorted_for_report(suite):
    """True while the report of a failed assertion sorts the items of a set: it writes them in any order where they have none."""
    return sys._getframe(2).f_globals.get('__name__') in SORTERS and is_reporting(suite)
