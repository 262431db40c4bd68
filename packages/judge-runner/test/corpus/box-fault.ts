/** A program with a fault, a correct one, and tests in one process with which only the correct one passes. */
export interface BoxFault {
  readonly id: string;
  readonly tests: string;
  readonly right: string;
  readonly wrong: string;
  /** True where a reference permits what the program does. */
  readonly isAlone?: boolean;
}

/** For programs that speak to the tester themselves: `raw` asks about something of the test by its number. */
export const forging = `
import sys
def server():
    f = sys._getframe()
    while f:
        s = f.f_locals.get('self')
        if type(s).__name__ == 'Server': return s
        f = f.f_back
def number_of(fn): return server().receiving.callbacks.get(id(fn))
def raw(n, do, name='', args=()): return server().call_back({'callback': -1, 'local': [n, do, name]}, args, {})
`;
