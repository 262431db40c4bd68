"""Removes the containers of a judge that was killed: they are no children of its own, so nobody else would.

Reads one JSON line per event on stdin, an opened or a closed box. When stdin ends while boxes are open, the judge is
gone: the engine is told to remove them, and their folders go. Does nothing at all while the judge lives. Python 3.9 or
newer, standard library only.
"""
import json
import os
import shutil
import signal
import subprocess
import sys
import time


def remove(box, settings):
    # The engine may just be making it, and would be asked too early.
    for _ in range(150):
        if os.path.exists(box['pidFile']):
            break
        time.sleep(0.02)
    for _ in range(5):
        done = subprocess.run(settings['remove'] + [box['name']], env=settings['environment'], stdin=subprocess.DEVNULL,
                              stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        if done.returncode == 0:
            break
        time.sleep(0.5)
    disks = [os.path.join(box['folder'], name) for name in ('disk-box', 'disk-shm')]
    if os.path.exists(disks[0]):
        subprocess.run(['umount', '--lazy'] + disks, env=settings['environment'], stdin=subprocess.DEVNULL,
                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    shutil.rmtree(box['folder'], ignore_errors=True)


def main():
    signal.signal(signal.SIGHUP, signal.SIG_IGN)
    settings = json.loads(sys.stdin.readline())
    boxes = {}
    for line in sys.stdin:
        if not line.endswith('\n'):
            break
        event = json.loads(line)
        if 'opened' in event:
            boxes[event['opened']['name']] = event['opened']
        else:
            boxes.pop(event['closed'], None)
    for box in boxes.values():
        remove(box, settings)


if __name__ == '__main__':
    main()
