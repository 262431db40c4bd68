"""What a tester and an artifact each have for themselves, and every call brings to the same content: the folder of a test's temporary
files, and containers that both know. Standard library only.
"""
import base64
import os
import stat
from time import CLOCK_REALTIME, clock_gettime_ns as clock

from originals import collections

#: Containers whose content both boxes know, and the most items of one.
CHANGING = (list, dict, set, bytearray, collections.deque)
MAX_CONTAINERS, MAX_ITEMS = 64, 1000
#: Most files of one message, and of a folder; most bytes of a file.
MAX_TOLD, MAX_FILES, MAX_FILE_BYTES = 500, 5000, 4_000_000
#: Content of one message, in base64, after which no more is told.
MAX_BYTES = 12_000_000
#: Two changes within one tick of a kernel's clock may have the same time: 10 ms at most.
TICK_NS = 20_000_000
#: A test may replace these, and counts who calls them.
scandir, lstat, mkdir, rmdir, remove, chmod, utime, open_file = os.scandir, os.lstat, os.mkdir, os.rmdir, os.remove, os.chmod, os.utime, open


def replace(part, made):
    """Gives a container the content of another one, in place."""
    if made is part:
        return
    if isinstance(part, (list, bytearray)):
        part[:] = made
    elif isinstance(part, CHANGING):
        part.clear()
        part.extend(made) if isinstance(part, collections.deque) else part.update(made)
        if type(part) is type(made) is collections.defaultdict:
            part.default_factory = made.default_factory


def stamp_of(told):
    """What tells a path from what it was: a file may be written anew with its old time."""
    kind = stat.S_IFMT(told.st_mode)
    # A file with two names is none that can be told: what is written to one is in the other as well.
    if kind == stat.S_IFREG and told.st_nlink > 1:
        kind = stat.S_IFLNK
    return (kind, told.st_mode) if kind == stat.S_IFDIR else (kind, told.st_mode, told.st_size, told.st_mtime_ns, told.st_ctime_ns)


def content_of(path, stamp):
    """Returns the content of a file, or None for what has none that can be told."""
    if stamp[0] != stat.S_IFREG or stamp[2] > MAX_FILE_BYTES:
        return None
    try:
        with open_file(path, 'rb') as file:
            return file.read(MAX_FILE_BYTES)
    except OSError:
        return None


def noted(path, stamp):
    """Returns what is kept of a path: of a file that has just changed its content as well, as its next change may have the same stamp."""
    is_recent = stamp[0] == stat.S_IFREG and clock(CLOCK_REALTIME) - stamp[4] < TICK_NS
    return stamp, content_of(path, stamp) if is_recent else None


def mode_of(path):
    try:
        return lstat(path).st_mode
    except OSError:
        return None


def make_folder(path):
    if mode_of(path) is None:
        make_folder(os.path.dirname(path))
        mkdir(path)


def remove_all(path):
    if not stat.S_ISDIR(lstat(path).st_mode):
        remove(path)
        return
    for entry in list(scandir(path)):
        remove_all(entry.path)
    rmdir(path)


class Shared:
    """The folder of temporary files, of which the tester has one of the same name.

    A path is told with its content, None for a folder, False for what is gone and True for what is there and cannot be told: a link, or a large
    file. Its mode goes with a folder, mode and time of change in milliseconds with a content.
    """

    def __init__(self, folder):
        self.folder, self.seen = folder, {}

    def arrive(self, files):
        """Makes the folder what the other side made of its own, and returns a path that could not be told, or None. Never follows a link out of
        it. Raises OSError or ValueError for what no folder has."""
        untold = None
        #: Modes of folders, once what is in them has arrived.
        modes = {}
        for path, content, *more in files[:2 * MAX_FILES + 1]:
            path = os.path.normpath(path)
            if not self.is_inside(path):
                continue
            if content is True:
                untold = untold or path
                continue
            self.open(os.path.dirname(path), modes)
            known = mode_of(path)
            if known is not None and (content is False or stat.S_ISLNK(known) or stat.S_ISDIR(known) != (content is None)):
                remove_all(path)
            if content is None:
                make_folder(path)
                modes.update((path, mode) for mode, _ in more)
            elif content is not False:
                make_folder(os.path.dirname(path))
                if mode_of(path) is not None:
                    chmod(path, stat.S_IRUSR | stat.S_IWUSR)
                with open_file(path, 'wb') as file:
                    file.write(base64.b64decode(content, validate=True))
                for mode, changed in more:
                    chmod(path, mode)
                    utime(path, ns=(changed * 1_000_000, changed * 1_000_000))
            # What else has changed meanwhile, by other threads, is told with the next message.
            while path != self.folder:
                self.note(path)
                path = os.path.dirname(path)
        for path, mode in modes.items():
            if mode_of(path) is not None:
                chmod(path, mode)
                self.note(path)
        return untold

    @staticmethod
    def open(path, modes):
        """Lets a folder be written to for a while."""
        mode = mode_of(path)
        if mode is not None and stat.S_ISDIR(mode) and mode & stat.S_IRWXU != stat.S_IRWXU:
            modes.setdefault(path, stat.S_IMODE(mode))
            chmod(path, stat.S_IMODE(mode) | stat.S_IRWXU)

    def note(self, path):
        try:
            self.seen[path] = noted(path, stamp_of(lstat(path)))
        except OSError:
            for known in [known for known in self.seen if (known + '/').startswith(path + '/')]:
                del self.seen[known]

    def is_inside(self, path):
        """True for a path below the folder, with no link between."""
        if not path.startswith(self.folder + '/'):
            return False
        above = os.path.dirname(path)
        while above != self.folder:
            if stat.S_ISLNK(mode_of(above) or 0):
                return False
            above = os.path.dirname(above)
        return True

    def look(self):
        """Returns what is in the folder, and whether that is all."""
        found, pending = {}, [self.folder]
        while pending:
            try:
                entries = sorted(scandir(pending.pop()), key=lambda entry: entry.name)
            except OSError:
                continue
            for entry in entries:
                try:
                    told = lstat(entry.path)
                except OSError:
                    continue
                if len(found) == MAX_FILES:
                    return found, False
                found[entry.path] = stamp_of(told)
                if stat.S_ISDIR(told.st_mode):
                    pending.append(entry.path)
        return found, True

    def changed(self):
        """What is new, other or gone since the last look: first what is gone, and what is within a folder before it."""
        found, is_whole = self.look()
        gone = [path for path, known in self.seen.items() if found.get(path, (None,))[0] != known[0][0] and (is_whole or mode_of(path) is None)]
        out, size, files = [[path, False] for path in sorted(gone, reverse=True)], 0, 0
        if not is_whole:  # Nobody knows what has changed, whatever was told before.
            out.append([os.path.join(self.folder, 'more'), True])
        for path, stamp in sorted(found.items()):
            if self.is_same(path, stamp):
                continue
            files += 1
            is_full = files > MAX_TOLD or size > MAX_BYTES
            told = [path, True] if is_full else self.told(path, stamp)
            is_gone = told[1] is True and mode_of(path) is None
            size += len(told[1]) if isinstance(told[1], str) else 0
            # A thread may have removed it meanwhile.
            out.append([path, False] if is_gone else told)
            if is_full or is_gone:
                del found[path]  # Its content is told with the next message.
        self.seen = {path: noted(path, stamp) for path, stamp in found.items()}
        return out

    def is_same(self, path, stamp):
        known, content = self.seen.get(path, (None, None))
        return known == stamp and (content is None or content_of(path, stamp) == content)

    @staticmethod
    def told(path, stamp):
        if stamp[0] == stat.S_IFDIR:
            return [path, None, [stat.S_IMODE(stamp[1]) & 0o777, 0]]
        content = content_of(path, stamp)
        if content is None:
            return [path, True]
        return [path, base64.b64encode(content).decode(), [stat.S_IMODE(stamp[1]) & 0o777, stamp[3] // 1_000_000]]
