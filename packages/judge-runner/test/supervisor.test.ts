import { execFileSync } from 'node:child_process';
import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';

const folder = resolve(import.meta.dirname, '../python');

/** What one look at a listener comes to: the ioctls that were made on it, and whether it is still watched. */
function look(prepare: string): unknown {
  const script = `
import fcntl, json, os, sys
sys.path.insert(0, ${JSON.stringify(folder)})
import supervisor
made = []
def ioctl(number, request, *rest):
    made.append(request == supervisor.RECEIVE)
    raise OSError(2, 'ENOENT')
fcntl.ioctl = ioctl
reader, writer = os.pipe()
${prepare}
watch = supervisor.Watch(1, reader, {'calls': {}})
supervisor.selector.register(reader, supervisor.selectors.EVENT_READ, watch)
watch.ready()
print(json.dumps({'received': len(made), 'open': watch.open}))
`;
  return JSON.parse(execFileSync('/usr/bin/python3', ['-I', '-B', '-c', script], { encoding: 'utf8' }));
}

describe('the supervisor of system calls', () => {
  it('JDG-11 never asks a listener for a call that it does not have: a kernel like 6.1 would let it wait for ever', () => {
    expect(look('os.close(writer)')).toEqual({ received: 0, open: false });
    expect(look('os.write(writer, b"x")')).toEqual({ received: 1, open: true });
    expect(look('')).toEqual({ received: 0, open: true });
  });
});
