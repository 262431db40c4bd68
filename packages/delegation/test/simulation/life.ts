import type { Scheduler } from './scheduler.ts';

/** One run of a process: from its start until it is killed. Nothing that it waits for happens after that. */
export interface Life {
  readonly isOver: boolean;
  kill(): void;
  /** Calls back when the process is killed. Returns a function that does so now, unless it was killed. */
  onEnd(callback: () => void): () => void;
  /** Stops the process as SIGSTOP does; what it waited for happens when it goes on. */
  freeze(ms: number): void;
  /** Calls back after a delay, unless the process was killed. */
  after(delayMs: number, callback: () => void): () => void;
  /**
   * Wraps something outside of the process: each call may take time, fail before or after it had its effect, and never comes back
   * to a process that was killed meanwhile.
   */
  outside<Target extends object>(target: Target): Target;
}

/** Probabilities of what a call of something outside does. */
export interface Faults {
  readonly slow: number;
  readonly failBefore: number;
  readonly failAfter: number;
}

export class InjectedError extends Error {}

export function createLife(scheduler: Scheduler, random: () => number, faults: () => Faults): Life {
  let isOver = false;
  let frozenUntil = 0;
  const atEnd = new Set<() => void>();
  const never = new Promise<never>(() => {});

  const after = (delayMs: number, callback: () => void): (() => void) => {
    let cancel = () => {};
    const fire = () => {
      if (isOver) return;
      const rest = frozenUntil - scheduler.now();
      if (rest > 0) cancel = scheduler.after(rest, fire);
      else callback();
    };
    cancel = scheduler.after(delayMs, fire);
    return () => cancel();
  };

  const pause = () =>
    new Promise<void>((resolve) => {
      after(random() < 0.1 ? random() * 200 : random() * 5, resolve);
    });

  const call = async (work: () => unknown): Promise<unknown> => {
    if (isOver || scheduler.now() < frozenUntil) await (isOver ? never : pause());
    const { slow, failBefore, failAfter } = faults();
    const isSlow = random() < slow;
    const draw = random();
    if (isSlow) await pause();
    if (draw < failBefore) throw new InjectedError('Injected: nothing happened.');
    const result = await work();
    if (isSlow && random() < 0.5) await pause();
    if (isOver) return never;
    if (draw > 1 - failAfter) throw new InjectedError('Injected: it happened, but the answer was lost.');
    return result;
  };

  return {
    get isOver() {
      return isOver;
    },
    kill() {
      isOver = true;
      for (const callback of atEnd) callback();
      atEnd.clear();
    },
    onEnd(callback) {
      atEnd.add(callback);
      return () => {
        if (atEnd.delete(callback)) callback();
      };
    },
    freeze(ms) {
      frozenUntil = scheduler.now() + ms;
    },
    after,
    outside<Target extends object>(target: Target): Target {
      return new Proxy(target, {
        get(_, name) {
          const member = Reflect.get(target, name);
          if (typeof member !== 'function') return member;
          return (...args: unknown[]) => call(() => member.apply(target, args));
        },
      });
    },
  };
}
