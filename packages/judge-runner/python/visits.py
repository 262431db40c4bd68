"""Visits of a test to one of its places, told apart by what is asked. Standard library only.

Where a place holds an object at some visits and a plain value at others, the number of a visit says little: it is the artifact that decides how
often it raises an error, answers None or calls a function of the test first. So visits have a key: the object that is asked, by where it came
from, and what the question gives that can be compared. Only among those with one key the number decides.
"""
import bisect
import itertools
import json

from answer_paths import clashing, shortened, tree_of
from originals import held

json = held(json)
#: Most changes between objects and plain values at one place of a test, after which visits are not told apart.
MAX_RUNS = 500


class Visits:
    """Answers of the reference at one place in one test."""

    def __init__(self):
        self.objects, self.plain = set(), set()
        #: Visits by key with the same paths of objects, one after the other, as `[count, paths]`; None where they are too many.
        self.runs, self.size = {}, 0

    def add(self, objects, plain, key, is_counted):
        self.objects |= objects
        self.plain |= plain
        if not is_counted or self.runs is None:
            return
        runs = self.runs.setdefault(key, [])
        if runs and runs[-1][1] == objects:
            runs[-1][0] += 1
            return
        runs.append([1, objects])
        self.size += 1
        # Those of plain values alone are only kept while there are few: an unknown key is not believed either.
        if self.size > MAX_RUNS:
            self.runs = {key: each for key, each in self.runs.items() if any(paths for _, paths in each)}
            self.size = sum(map(len, self.runs.values()))
            self.runs = self.runs if self.size <= MAX_RUNS else None

    def told(self):
        """Paths that hold objects at all visits, and by key and number those that do at some; as JSON."""
        mixed = clashing(self.objects, self.plain)
        told = {}
        for key, runs in (self.runs or {}).items() if mixed else ():
            shown = []
            for count, paths in runs:
                here = sorted(paths & mixed)
                if shown and shown[-1][1] == here:
                    shown[-1][0] += count
                else:
                    shown.append([count, here])
            if any(paths for _, paths in shown):
                told[key] = shown
        return json.dumps([sorted(self.objects - mixed), told])


class Believed:
    """What is believed at one place in one test."""

    def __init__(self, told):
        self.always, keyed = told
        self.keyed = {key: (list(itertools.accumulate(count for count, _ in runs)), [paths for _, paths in runs]) for key, runs in keyed.items()}
        self.tree = tree_of(self.always)

    def at(self, key, number, is_drawn):
        """The tree of the paths of objects at a visit, from 0. A test that draws its inputs (`is_drawn`) has them at other visits."""
        if is_drawn:
            return tree_of([*self.always, *(path for _, runs in self.keyed.values() for paths in runs for path in paths)])
        ends, runs = self.keyed.get(key, ((), ()))
        at = bisect.bisect_right(ends, number)
        return tree_of([*self.always, *runs[at]]) if at < len(runs) else self.tree


class Keys:
    """Makes keys of questions. Objects of the artifact are known by where they came from, those of the test by the order in which it gives them."""

    def __init__(self):
        #: Where objects of the artifact came from, by number.
        self.origins = {}
        #: Numbers that the running test has given first, counted from here.
        self.start = 0

    def came(self, number, place, key, visit, path):
        if type(number) is int:
            self.origins.setdefault(number, digest([place, key, visit, path]))

    def of_artifact(self, number):
        return self.origins.get(number, '') if type(number) is int else ''

    def of_test(self, number):
        return number - self.start if type(number) is int and number > self.start else 0

    def of(self, op):
        """The key of a question about an object of the artifact."""
        return digest([self.of_artifact(op.get('of')), self.plainly(op.get('args', ())), self.plainly(op.get('kwargs', ()))])

    def of_call(self, number, told):
        """The key of a call of something of the test's by the artifact, with its arguments as they arrive."""
        return digest([self.of_test(number), self.plainly(told, is_answer=True)])

    def plainly(self, part, is_answer=False):
        """What boxes tell each other, without numbers that one of them chooses."""
        if type(part) in (list, tuple):
            return [self.plainly(each, is_answer) for each in part]
        if type(part) is not dict:
            return part
        if len(part) == 1:
            (tag, content), = part.items()
            if tag == '$back':
                return self.plainly(content[1], is_answer)
            if tag == '$own':
                return self.plainly(content[1], is_answer) if len(content) > 1 else 'own'
            if tag in ('$handle', '$method', '$named', '$sub', '$error', '$enum'):
                return [tag] if is_answer else [tag, self.of_artifact(content)]
            if tag == '$derived':
                own = content[0] if type(content[0]) is int else content[0]['$class'][0]
                return [tag, self.of_test(own), self.plainly(content[1:], is_answer)]
            if tag in ('$callback', '$local', '$class', '$enumeration', '$awaitable', '$generator', '$iterator', '$exception'):
                number = content[0] if type(content) is list else content
                return [tag, self.of_test(number)]
        return {name: self.plainly(each, is_answer) for name, each in part.items()}


def digest(part):
    return shortened(json.dumps(part, sort_keys=True))
