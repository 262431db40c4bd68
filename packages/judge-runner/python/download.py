"""Runs pip so that it only downloads: no program is started, and so nothing that a package would build or run. Standard library only."""
import runpy
import sys

STARTS = ('subprocess.Popen', 'os.system', 'os.exec', 'os.posix_spawn', 'os.spawn', 'os.fork', 'os.forkpty', 'pty.spawn')


def refuse(event, _):
    if event in STARTS:
        # As where a program may not be run: pip then does without it, or fails.
        raise PermissionError(13, 'no program is started while packages are downloaded')


sys.addaudithook(refuse)
# Wheels that arrive in the current folder are no modules.
sys.path[:] = [entry for entry in sys.path if entry]
sys.argv[0] = 'pip'
runpy.run_module('pip', run_name='__main__', alter_sys=True)
