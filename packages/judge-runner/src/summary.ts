import type { ErrorKind, Outcome } from './verdict.ts';

const causes: Readonly<Record<ErrorKind, string>> = {
  disk: 'It filled its disk.',
  oom: 'It used more memory than it may.',
  output: 'It printed more than it may.',
  pids: 'It started more threads or processes than it may.',
  cpu: 'It used more processor time than it may.',
  timeout: 'It did not finish in time.',
  protocol: 'What it sent were not answers.',
  build: 'It could not be built.',
  crash: 'It ended before it had answered everything.',
};

const fenced = 'The code is in a Markdown code block (```): answer with the code alone.';

/** A verdict in one sentence, without a word about expected values, so that it can be shown to the author. Pure. */
export function summarize(options: {
  readonly outcome: Outcome;
  readonly errorKind: ErrorKind | null;
  /** Observation about a protocol error or a crash, as a whole sentence. */
  readonly detail: string | null;
  readonly passed: number;
  readonly total: number;
  /** Number of failed tests that a correct program may fail as well. */
  readonly doubtful: number;
  /** True where the suite has a reference. */
  readonly isReferred: boolean;
  /** A sentence for an artifact of which no test passed, or null. */
  readonly hint: string | null;
  /** True for code in a Markdown code block, which no language reads. */
  readonly isFenced: boolean;
}): string {
  const sentence = sentenceOf(options);
  return options.isFenced ? `${sentence} ${fenced}` : sentence;
}

function sentenceOf(options: Parameters<typeof summarize>[0]): string {
  const { outcome, errorKind, detail, passed, total, doubtful, isReferred, hint } = options;
  if (outcome === 'SECURITY_VIOLATION')
    return 'It tried something that a judged program has no business to do.';
  if (errorKind === null && doubtful > 0)
    return `${passed} of ${total} tests passed. ${doubtful} that failed ${doubtful === 1 ? 'does' : 'do'} not prove a fault: methods and operators of its own objects are trusted only ${isReferred ? 'where those of the reference were used' : 'with a reference'}.`;
  if (errorKind === null)
    return `${passed} of ${total} tests passed.${hint === null || passed > 0 ? '' : ` ${hint}`}`;
  return detail === null ? causes[errorKind] : `${causes[errorKind]} ${detail}`;
}
