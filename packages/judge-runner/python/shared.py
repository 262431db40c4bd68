"""What a tester and an artifact each have for themselves, and every call brings to the same content: the folder of a test's temporary
files, and containers that both know. Standard library only.
"""
import collections
import os

#: Containers whose content both boxes know, and the most items of one.
CHANGING = (list, dict, set, bytearray, collections.deque)
MAX_CONTAINERS, MAX_ITEMS = 64, 1000
MAX_FILES, MAX_FILE_BYTES = 500, 1_000_000


def replace(part, made):
    """Gives a container another content, in place."""
    if isinstance(part, (list, bytearray)):
        part[:] = made
    elif isinstance(part, CHANGING):
        part.clear()
        part.extend(made) if isinstance(part, collections.deque) else part.update(made)


class Shared:
    """The folder of temporary files, of which the tester has one of the same name."""

    def __init__(self, folder):
        self.folder, self.seen = folder, {}

    def arrive(self, files):
        """Makes the folder what the other side made of its own. Never follows a link out of it."""
        for path, content in files[:MAX_FILES]:
            path = os.path.normpath(path)
            if not os.path.realpath(path).startswith(self.folder + '/') or os.path.islink(path):
                continue
            if content is None:
                os.makedirs(path, exist_ok=True)
            elif content is False:
                try:
                    os.rmdir(path) if os.path.isdir(path) else os.remove(path)
                except OSError:
                    pass
            else:
                os.makedirs(os.path.dirname(path), exist_ok=True)
                with open(path, 'wb') as file:
                    file.write(bytes.fromhex(content))
        self.changed()

    def changed(self):
        """Files that are new, other or gone since the last look."""
        found = {}
        for top, folders, names in os.walk(self.folder):
            for name in folders:
                found[os.path.join(top, name)] = None
            for name in names:
                path = os.path.join(top, name)
                try:
                    told = os.lstat(path)
                except OSError:
                    continue
                if len(found) < MAX_FILES and told.st_size <= MAX_FILE_BYTES:
                    found[path] = (told.st_mtime_ns, told.st_size, told.st_ino)
        out = []
        for path, stamp in found.items():
            if path in self.seen and self.seen[path] == stamp:
                continue
            if stamp is None:
                out.append([path, None])
                continue
            try:
                with open(path, 'rb') as file:
                    out.append([path, file.read(MAX_FILE_BYTES).hex()])
            except OSError:
                pass
        # What is within a folder first.
        out += [[path, False] for path in sorted(self.seen, reverse=True) if path not in found]
        self.seen = found
        return out
