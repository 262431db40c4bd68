"""Receives the system calls that the filters of boxes do not let pass, outside of the boxes, and names them.

One process serves all boxes of a judge. It reads commands as JSON lines on stdin and reports as JSON lines on
stdout; it ends when stdin does. A forbidden call is reported and never answered: whoever made it waits in the
kernel until the judge kills its box. A watched call is looked at and then goes on. What is read from a program's
memory may change under our eyes, so a path only ever adds a violation; numbers and arguments are the kernel's
own copy. Python 3.9 or newer, standard library only.
"""
import ctypes
import errno
import fcntl
import json
import os
import re
import select
import selectors
import struct

NOTIFICATION = struct.Struct('=QIIiIQ6Q')
RESPONSE = struct.Struct('=QqiI')
RECEIVE, SEND = 0xC0502100, 0xC0182101
CONTINUE = 1
PIDFD_OPEN, PIDFD_GETFD = 434, 438  # The same on every architecture.
MAX_PATH = 4096
WRITES = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC
AT_FDCWD = -100

libc = ctypes.CDLL(None, use_errno=True)
selector = selectors.DefaultSelector()


def checked(result):
    if result < 0:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
    return result


def tell(message):
    line = json.dumps(message).encode() + b'\n'
    while line:
        line = line[os.write(1, line):]


def take_descriptor(pid, number):
    """Another process's descriptor, copied here (Linux 5.6)."""
    pidfd = checked(libc.syscall(PIDFD_OPEN, pid, 0))
    try:
        return checked(libc.syscall(PIDFD_GETFD, pidfd, number, 0))
    finally:
        os.close(pidfd)


def read_text(pid, address):
    """The text at an address of a program, up to its end."""
    with open('/proc/%d/mem' % pid, 'rb', buffering=0) as memory:
        memory.seek(address)
        # Up to the end of the page first: what lies behind it may not be there.
        data = memory.read(4096 - address % 4096) or b''
        if b'\0' not in data and len(data) < MAX_PATH:
            data += memory.read(4096) or b''
    return data.split(b'\0')[0][:MAX_PATH].decode('utf-8', 'surrogateescape')


def link_target(pid, path):
    """Where a link inside the box leads, or None. Only places where a program could have made one are asked."""
    parts = path.split('/')
    if path == '/proc/thread-self':
        return '/proc/self/task/1'
    if parts[1] == 'proc' and len(parts) > 3:
        if parts[3] == 'root':
            return '/'
        if parts[3] == 'cwd':
            return os.readlink('/proc/%d/cwd' % pid)
        if parts[3] == 'fd' and len(parts) == 5 and parts[4].isdigit():
            return os.readlink('/proc/%d/fd/%s' % (pid, parts[4]))
        return None
    if parts[1] == 'box' or parts[1] == 'dev':
        try:
            return os.readlink('/proc/%d/root%s' % (pid, path))
        except OSError:
            return None
    return None


def resolve(pid, folder, path):
    """The absolute path inside the box that a program means."""
    if not path.startswith('/'):
        base = '/proc/%d/cwd' % pid if folder == AT_FDCWD else '/proc/%d/fd/%d' % (pid, folder)
        path = os.readlink(base) + '/' + path
    rest, done, links = path.split('/')[::-1], '', 0
    while rest:
        part = rest.pop()
        if part in ('', '.'):
            continue
        if part == '..':
            done = done.rpartition('/')[0]
            continue
        step = done + '/' + part
        target = link_target(pid, step) if links < 40 else None
        if target is None or target == step:
            done = step
            continue
        links += 1
        if target.startswith('/'):
            done = ''
        rest.extend(target.split('/')[::-1])
    return done or '/'


def signed(value):
    return value - (1 << 32) if value & 0x80000000 else value


class Watch:
    """One box."""

    def __init__(self, key, listener, rules):
        self.key, self.listener, self.rules, self.open = key, listener, rules, True

    def suspicion(self, pid, call, args):
        """Why a watched call is none that a judged program makes, or None. The path either way."""
        folder = signed(args[call['folder']] & 0xFFFFFFFF)
        path = resolve(pid, folder, read_text(pid, args[call['path']]))
        writes = bool(args[call['flags']] & WRITES)
        wrong = self.rules['secret'].search(path) or (writes and self.rules['writes'].search(path))
        return path if wrong else None

    def has_call(self):
        """Whether a call waits to be received. The end of the box wakes us as well, and then there is none:
        a kernel like 6.1 would let us wait for one for ever."""
        poller = select.poll()
        poller.register(self.listener, select.POLLIN)
        events = dict(poller.poll(0)).get(self.listener, 0)
        if events & ~select.POLLIN:
            self.end()
        return self.open and bool(events)

    def ready(self):
        if not self.has_call():
            return
        buffer = bytearray(NOTIFICATION.size)
        try:
            fcntl.ioctl(self.listener, RECEIVE, buffer)
        except OSError as error:
            # The caller died in the meantime.
            if error.errno != errno.ENOENT:
                self.end()
            return
        ident, pid, _, number, architecture, _, *args = NOTIFICATION.unpack(buffer)
        call = self.rules['calls'].get((architecture, number))
        path = None
        if call is not None:
            try:
                path = self.suspicion(pid, call, args)
            except (OSError, ValueError, OverflowError):
                pass
            if path is None:
                try:
                    fcntl.ioctl(self.listener, SEND, RESPONSE.pack(ident, 0, 0, CONTINUE))
                except OSError:
                    pass
                return
        tell({'call': self.key, 'number': number, 'architecture': architecture, 'args': [hex(a) for a in args],
              'pid': pid, 'path': path})

    def end(self):
        # Once only: its number may be another box's by now.
        if self.open:
            self.open = False
            selector.unregister(self.listener)
            os.close(self.listener)


def main():
    watches, pending = {}, b''
    os.set_blocking(0, False)
    selector.register(0, selectors.EVENT_READ)
    rules = None
    while True:
        for key, events in selector.select():
            if key.data is not None:
                if events & selectors.EVENT_READ and key.data.open:
                    key.data.ready()
                continue
            data = os.read(0, 65536)
            if not data:
                os._exit(0)
            *lines, pending = (pending + data).split(b'\n')
            for line in lines:
                command = json.loads(line)
                if 'rules' in command:
                    found = command['rules']
                    rules = {
                        'calls': {(found['architecture'], call['number']): call for call in found['calls']},
                        'secret': re.compile('|'.join(found['secret'])),
                        'writes': re.compile('|'.join(found['writes'])),
                    }
                elif 'watch' in command:
                    name = command['watch']
                    try:
                        # A path that cannot be read would pass as one that means no harm.
                        open('/proc/%d/mem' % command['pid'], 'rb').close()
                        watch = Watch(name, take_descriptor(command['pid'], command['listener']), rules)
                    except OSError as error:
                        tell({'refused': name, 'reason': str(error)})
                        continue
                    watches[name] = watch
                    selector.register(watch.listener, selectors.EVENT_READ, watch)
                    tell({'watching': name})
                elif 'forget' in command:
                    watch = watches.pop(command['forget'], None)
                    if watch is not None:
                        watch.end()


if __name__ == '__main__':
    main()
