"""Modules of the library as they are before a test or an artifact replaces functions in them. Standard library only.

A test that replaces `time.monotonic` counts its calls and ends its answers: what serves it must call the real one.
"""
import _thread
import collections
import contextlib
import os
import stat
import sys
import threading
import time
import types


def held(module, **parts):
    """A copy of a module that keeps the functions that the module has now."""
    made = types.ModuleType(module.__name__)
    vars(made).update(vars(module), **parts)
    return made


os, threading, time = held(os, path=held(os.path)), held(threading), held(time)
collections, contextlib = held(collections), held(contextlib)
open_file, get_thread, count_threads = open, _thread.get_ident, _thread._count
#: Lines of files, by their paths.
LINES = {}


def is_main_thread():
    return get_thread() == threading.main_thread().ident


def is_folder(path):
    """The same as os.path.isdir(), which calls os.stat() of the module."""
    try:
        return stat.S_ISDIR(os.stat(path).st_mode)
    except (OSError, ValueError):
        return False


def lines_of(path):
    """The lines of a file of the suite, none of a file that cannot be read."""
    if path not in LINES:
        try:
            with open_file(path, encoding='utf-8', errors='replace') as file:
                LINES[path] = file.readlines()
        except OSError:
            LINES[path] = []
    return LINES[path]


def asyncio_part(name):
    """A function or class of `asyncio`: a test replaces it in that package, and not in the module that defines it. None before the import."""
    for module in ('asyncio.events', 'asyncio.tasks', 'asyncio.coroutines', 'asyncio.futures', 'asyncio.exceptions'):
        found = getattr(sys.modules.get(module), name, None)
        if found is not None:
            return found
    return None


def logger_named(name):
    """The logger of a name, of the root for an empty one. Raises TypeError for what is no name."""
    import logging
    root = logging.Logger.root
    return root.manager.getLogger(name) if name else root
