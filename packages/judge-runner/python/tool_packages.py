"""Packages that are installed beside pytest: its own, and what the machine happens to have. Standard library only."""
import importlib
import importlib.machinery
import sys

#: What pytest imports as late as while it runs tests, and no artifact has.
TEST_TOOLS = {'pytest', '_pytest', 'pluggy', 'iniconfig', 'packaging', 'unittest', 'conftest', 'py', 'exceptiongroup', 'tomli'}


class ToolFinder:
    """Finds what pytest needs in the folders that it was found in, and nothing else there."""

    def __init__(self, folders):
        self.folders = folders

    def find_spec(self, name, path=None, target=None):
        if path is not None or name not in TEST_TOOLS:
            return None
        return importlib.machinery.PathFinder.find_spec(name, self.folders)


def close(folders, off):
    """Has tests import packages that their suite declares, or the artifact's, and none that is there for pytest or by chance: on another machine it
    would be missing, and in the place of the artifact's every artifact would pass. pytest keeps what it has imported; `off`: plugins that it does without."""
    from _pytest.config import default_plugins
    for plugin in default_plugins:
        if plugin not in off:
            importlib.import_module('_pytest.' + plugin)
    sys.path[:] = [each for each in sys.path if each not in folders]
    for name, module in list(sys.modules.items()):
        if name.partition('.')[0] not in TEST_TOOLS and (getattr(module, '__file__', None) or '').startswith(tuple(folders)):
            del sys.modules[name]
    sys.meta_path.append(ToolFinder(folders))
