/** The hooks that can fail: what they are called in the log. */
export type HookName = 'onMessage' | 'afterSend' | 'section';

/** Failures of one hook. */
export interface HookFailures {
  readonly hook: HookName;
  /** ≥ 1. */
  readonly count: number;
  /** Time of the last failure, ms since epoch. */
  readonly lastAt: number;
  /** The code of its last error, or the error's name. Never its message, which may quote a peer. */
  readonly lastCode: string;
}

/** Failures of one hook that are not in the journal yet. */
export type UnkeptHookFailures = Omit<HookFailures, 'lastAt'>;

/** Counts failures in this process, and sees to it that they reach the journal. */
export interface FailureTally {
  add(hook: HookName, error: unknown): void;
  /**
   * Starts writing pending failures to the journal and returns at once. Retries failed writes at the next
   * call, because the error that made a hook fail usually makes this write fail too.
   */
  settle(): void;
  total(): { readonly count: number; readonly last: unknown };
}

/** @param keep - writes failures into the journal; may reject */
export function createFailureTally(
  keep: (failures: readonly UnkeptHookFailures[]) => Promise<void>,
): FailureTally {
  const unkept = new Map<HookName, UnkeptHookFailures>();
  let count = 0;
  let last: unknown = null;
  let isKeeping = false;

  function put({ hook, count: more, lastCode }: UnkeptHookFailures): void {
    unkept.set(hook, { hook, count: (unkept.get(hook)?.count ?? 0) + more, lastCode });
  }

  /** Takes what is unkept; gives back what puts it in front of what came in meanwhile. */
  function take() {
    const taken = [...unkept.values()];
    unkept.clear();
    const giveBack = () => {
      const later = [...unkept.values()];
      unkept.clear();
      for (const failure of [...taken, ...later]) put(failure);
    };
    return { taken, giveBack };
  }

  async function settleAll(): Promise<void> {
    isKeeping = true;
    while (unkept.size > 0) {
      const { taken, giveBack } = take();
      try {
        await keep(taken);
      } catch {
        giveBack();
        break;
      }
    }
    isKeeping = false;
  }

  return {
    add(hook, error) {
      count += 1;
      last = error;
      put({ hook, count: 1, lastCode: codeOf(error) });
    },
    settle() {
      if (!isKeeping) void settleAll();
    },
    total: () => ({ count, last }),
  };
}

function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return typeof error;
  const { code } = error as { readonly code?: unknown };
  return typeof code === 'string' ? code : error.name;
}
