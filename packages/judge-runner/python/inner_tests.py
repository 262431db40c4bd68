"""Tests that stand within the package that they test (`toolz/tests/test_it.py`): the suite has the folder, and the artifact the package. Standard library only."""
import os

#: Folders in which packages are kept.
SOURCES = ('', 'src')


def package_of(file, files):
    """The package from which the relative imports of a file of the suite start, or None: its own packages, and the one around these, which the suite
    does not have. `files`: paths of all files of the suite."""
    folders = file.split(os.sep)[:-1]
    start = len(folders)
    while start > 0 and os.path.join(*folders[:start], '__init__.py') in files:
        start -= 1
    return None if start == len(folders) else '.'.join(folders[max(start - 1, 0):])


def absolute_of(package, level, module):
    """The module that `from ..module import name` means within a package, or None where it leads out of that."""
    parts = package.split('.')
    if level > len(parts):
        return None
    return '.'.join(parts[:len(parts) - level + 1] + ([module] if module else []))


def is_own_relative(file, level, module, files):
    """True where `from ..module import name` finds a file of the suite."""
    folder = os.path.normpath(os.path.join(os.path.dirname(file), *['..'] * (level - 1)))
    path = os.path.normpath(os.path.join(folder, *(module or '').split('.')))
    return path + '.py' in files or os.path.join(path, '__init__.py') in files


def shared_folders(suite, names):
    """The folders of the suite that are packages of the artifact as well, by the package's name."""
    found = {}
    for name in {each.partition('.')[0] for each in names}:
        for source in SOURCES:
            folder = os.path.join(suite, source, name)
            if os.path.isdir(folder) and not os.path.exists(os.path.join(folder, '__init__.py')):
                found.setdefault(name, folder)
    return found


def is_in_folders(folders, name):
    """True for a module, or a package with or without a file, that stands in one of the folders."""
    return any(os.path.exists(os.path.join(folder, each)) for folder in folders for each in (name + '.py', name))


class InnerFinder:
    """Finds packages of the artifact of which the suite has a folder: before Python takes that for a package without a file."""

    def __init__(self, finder, folders):
        self.finder, self.folders = finder, folders

    def find_spec(self, name, path=None, target=None):
        folder = self.folders.get(name)
        found = None if folder is None else self.finder.find_spec(name)
        if found is not None:
            found.submodule_search_locations = [folder]
        return found


def name_within(folders):
    """Has pytest name test files after the artifact's package around them, so that relative imports lead there."""
    from _pytest import pathlib
    own, around = pathlib.resolve_package_path, set(folders.values())

    def resolve_package_path(path):
        found = own(path)
        return found.parent if found is not None and str(found.parent) in around else found
    pathlib.resolve_package_path = resolve_package_path
