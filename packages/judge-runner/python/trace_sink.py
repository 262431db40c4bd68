"""Receives what gVisor reports about the threads of its boxes, outside of them, and tells of those that were killed.

A filter in gVisor ends a thread that makes a forbidden call, not its process, and a box shows nothing of that to this
machine. But gVisor reports every thread that ends, whoever can see it, and every call that asks for an end: a thread that
ended by the signal SIGSYS, or that ended without anybody having asked for it, had made a forbidden call.

One process serves all boxes of a judge, each a connection of its own. Reads the settings as a JSON line on stdin, reports
JSON lines on stdout, and ends when stdin does. Python 3.9 or newer, standard library only.
"""
import json
import os
import selectors
import socket
import struct
import sys

SIGSYS = 31
CLONE, TASK_EXIT, SYSCALL = 2, 5, 6  # Types of gVisor's messages.
HEADER = struct.Struct('<HHI')


def fields(data):
    """A message of protocol buffers as a dictionary: field number → number or bytes, as far as gVisor uses them."""
    found, at = {}, 0

    def varint():
        nonlocal at
        value = shift = 0
        while True:
            byte = data[at]
            at += 1
            value |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                return value

    while at < len(data):
        number, kind = divmod(varint(), 8)
        if kind == 0:
            found[number] = varint()
        elif kind == 2:
            length = varint()
            found[number] = data[at:at + length]
            at += length
        else:
            raise ValueError('a field of type %d' % kind)
    return found


class Box:
    """What is known of the threads of one box."""

    def __init__(self, calls):
        self.calls, self.name, self.lost, self.most = calls, None, 0, 1
        #: Living threads and their groups, threads that asked for their end, groups whose threads all end.
        self.alive, self.leaving, self.ending = {}, set(), set()
        #: Groups that another program takes over: their other threads, and those of them that have ended meanwhile.
        self.replacing = {}

    def receive(self, data):
        """Takes one message in, and tells what follows from it."""
        size, kind, dropped = HEADER.unpack_from(data)
        self.lost += dropped
        message = fields(data[size:])
        context = fields(message.get(1, b''))
        thread, group = context.get(2, 0), context.get(4, 0)
        if self.name is None:
            self.name = context[6].decode()
            self.alive[thread] = group
        if kind == CLONE:
            self.alive[message.get(3, 0)] = message.get(4, 0)
            if len(self.alive) > self.most:
                self.most = len(self.alive)
                tell(threads=self.most, of=self.name)
        elif kind == SYSCALL:
            self.called(self.calls.get(message.get(4, 0)), thread, group, message.get(2))
        elif kind == TASK_EXIT:
            self.alive.pop(thread, None)
            if self.was_killed(thread, group, message.get(2, 0) & 127):
                tell(forbidden=self.name)
            if group not in self.alive.values():
                # Its number may be given again.
                self.ending.discard(group)
                self.replacing.pop(group, None)

    def called(self, name, thread, group, result):
        if name == 'exit':
            self.leaving.add(thread)
        elif name == 'exit_group':
            self.ending.add(group)
        elif name is not None and result is None:
            # Another program takes the group over if it can: its other threads end, before or after that is reported.
            others = {each for each, own in self.alive.items() if own == group}
            before = self.replacing.get(group)
            self.replacing[group] = (others, before[1]) if before else (others - {thread}, [])
        elif name is not None:
            others, held = self.replacing.pop(group, ((), []))
            if fields(result).get(2):
                self.tell_of(held)
                return
            self.leaving.update(each for each in others if each in self.alive)
            # Who asked takes the first thread's number.
            self.alive.pop(thread, None)
            self.alive[group] = group

    def was_killed(self, thread, group, signal):
        asked = thread in self.leaving or group in self.ending
        self.leaving.discard(thread)
        if signal != 0 or asked:
            return signal == SIGSYS
        others, held = self.replacing.get(group, ((), []))
        if thread in others:
            held.append(thread)
            return False
        return True

    def tell_of(self, held):
        for _ in held:
            tell(forbidden=self.name)

    def end(self):
        for _, held in self.replacing.values():
            self.tell_of(held)
        if self.name is not None:
            tell(gone=self.name, lost=self.lost)


def tell(**what):
    sys.stdout.write(json.dumps(what) + '\n')
    sys.stdout.flush()


def serve(listener, calls):
    waiting = selectors.DefaultSelector()
    waiting.register(listener, selectors.EVENT_READ)
    waiting.register(sys.stdin, selectors.EVENT_READ)
    while True:
        for key, _ in waiting.select():
            source = key.fileobj
            if source is sys.stdin:
                return
            if source is listener:
                connection = listener.accept()[0]
                connection.send(connection.recv(10240))  # The same version.
                waiting.register(connection, selectors.EVENT_READ, Box(calls))
                continue
            box = key.data
            try:
                data = source.recv(1 << 20)
                if data:
                    box.receive(data)
            except (OSError, ValueError, IndexError, KeyError, struct.error):
                data, box.lost = b'', box.lost + 1
            if not data:
                waiting.unregister(source)
                source.close()
                box.end()


def main():
    settings = json.loads(sys.stdin.readline())
    os.umask(0o177)
    try:
        with socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET) as listener:
            listener.bind(settings['endpoint'])
            listener.listen(64)
            tell(listening=True)
            serve(listener, {number: name for name, number in settings['calls'].items()})
    finally:
        for path in (settings['endpoint'], settings['config']):
            try:
                os.unlink(path)
            except OSError:
                pass  # Not there.


if __name__ == '__main__':
    main()
