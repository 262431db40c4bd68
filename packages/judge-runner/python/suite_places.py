"""Finds the places of a suite at which tests lean on operators of the artifact's own classes: without a reference nothing vouches
for these, so that a correct program may fail there. Reads the files of the suite alone. Standard library only.

Each test is followed line by line, with its fixtures, parameters and the functions of the suite that it calls. What is followed
is where a value comes from: `Stack()` for an object that a test makes, `parse()` for what a function answers, `Stack().top` for
an attribute. A first reading of all files collects which of these are objects of which class, as the suite shows by comparing
them, asking for their type or reading their attributes; a second one notes the places.
"""
import ast

from suite_calls import FUNCTIONS, Calls
from suite_expressions import MAX_WORK, Expressions
from suite_statements import Statements
from suite_tests import Tests, fixture_name
from suite_uses import MAX_PLACES, Uses
from suite_values import Knowledge, Scope

READINGS = 4


class Reader(Tests, Statements, Expressions, Uses, Calls):
    """Follows the tests of one file."""

    def __init__(self, file, tree, known, fixtures, classes):
        self.file, self.tree, self.known, self.fixtures, self.own = file, tree, known, fixtures, classes
        self.places, self.test, self.calls, self.depth, self.raising = [], None, 0, 0, 0
        self.module = Scope()
        self.done, self.returned = set(), []
        #: Calls that the running test is believed to make of objects.
        self.followed = []
        #: The expression of a statement, of whose value nothing is done.
        self.discarded = None


def read_places(files):
    """The places of a suite that may need a reference, given its files as `(File, tree)`, as dicts of file, line, test and construct;
    and what it shows by its calls."""
    known = Knowledge()
    classes = {node.name: node for _, tree in files for node in ast.walk(tree) if isinstance(node, ast.ClassDef)}
    places = []
    for file, tree in files:
        for node in ast.walk(tree):
            if isinstance(node, FUNCTIONS):
                node.file = file
    for _ in range(READINGS):
        known.changed, places, fixtures = False, [], {}
        known.called, known.doubted = set(), set()
        readers = [Reader(file, tree, known, fixtures, classes) for file, tree in files]
        for reader in readers:
            for node in ast.walk(reader.tree):
                if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)) and fixture_name(node):
                    fixtures.setdefault(fixture_name(node), (node, reader.module))
        for reader in readers:
            reader.own_fixtures = {}
            reader.read()
            places += reader.places
        if not known.changed:
            break
    known.called = set() if known.work > MAX_WORK else known.called - known.doubted
    return places[:MAX_PLACES], known
