"""Names of tests: each its own, and those that were expected. Standard library only."""
import re
import zlib

#: Most characters of a name: each question of a test is written down with it.
MAX_NAME = 1000
#: Begins the name of a parameter that stands for all that the artifact holds there.
EACH = 'each of '
EACHES = re.compile(r'\b%s[^\]\[-]*' % EACH)


def shortened(name):
    return name if len(name) <= MAX_NAME else '%s…%08x' % (name[:MAX_NAME - 9], zlib.crc32(name.encode('utf-8', 'surrogatepass')))


def apart(names, expected=()):
    """The names, none twice: ids of parameters that are joined can come out alike, and one test would hide another."""
    given, used, found = set(names), set(), []
    for name in names:
        own = name if name in expected else shortened(name)
        number = 1
        while own in used or number > 1 and own in given:
            number += 1
            own = '%s #%d' % (shortened(name), number)
        used.add(own)
        found.append(own)
    return found


def matched(names, expected):
    """The expected names of tests whose own name was not expected, by their own.

    Values of the artifact among parameters were not known before, so that ids made of them differ; their order is the same.
    """
    known, present, missing, strange, found = set(expected), set(names), {}, {}, {}
    for name in expected:
        if name not in present:
            missing.setdefault(name.partition('[')[0], []).append(name)
    for name in names:
        if name not in known:
            strange.setdefault(name.partition('[')[0], []).append(name)
    for base, group in strange.items():
        # How many there are of what the artifact holds is known only now: one test stands for all of them.
        for whole in sorted([each for each in missing.get(base, ()) if EACH in each], key=len, reverse=True):
            # Each counts for one of them, also a second one of its name.
            pattern = re.compile('.*'.join(map(re.escape, EACHES.split(whole))) + '( #[0-9]+)?', re.S)
            of_it = [each for each in group if each not in found and pattern.fullmatch(each)]
            found.update(dict.fromkeys(of_it, whole))
        group = [each for each in group if each not in found]
        rest = [each for each in missing.get(base, ()) if EACH not in each]
        # Of more than the reference has each counts as well: one process fails with it.
        same = rest or [name for name in expected if name.partition('[')[0] == base]
        if same and len(group) >= len(rest):
            found.update(dict.fromkeys(group[len(rest):], same[-1]), **dict(zip(group, rest)))
    return found
