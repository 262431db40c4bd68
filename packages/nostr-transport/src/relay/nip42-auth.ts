import type { Signer } from '../signers/signer.ts';

/** The result of an authentication attempt. */
export type AuthResult = { readonly ok: true } | { readonly ok: false; readonly reason: string };

/**
 * NIP-42 authentication of one connection: one attempt per challenge, shared by all requests that need it.
 */
export interface Authenticator {
  onChallenge(challenge: string): void;
  /** Handles an OK; returns true if `id` is the id of our AUTH event. */
  onOk(id: string, accepted: boolean, message: string): boolean;
  /** True if a challenge can be answered and has not been. */
  readonly isUntried: boolean;
  /** Authenticates, or returns the existing result for this challenge. Always settles and never rejects. */
  authenticate(): Promise<AuthResult>;
  /** Discards the challenge after the connection was lost. */
  reset(): void;
}

const clientAuth = 22_242;

interface Attempt {
  readonly result: Promise<AuthResult>;
  readonly finish: (result: AuthResult) => void;
  isOver: boolean;
  /** The id of the AUTH event that was sent. */
  sent: string | null;
}

/**
 * Creates an authenticator.
 *
 * @param options.signer - Null for a relay that is not on the allow list: nothing is signed for it, because
 *   an AUTH event reveals the user's key.
 * @param options.timeoutMs - The time limit for challenge, signature and answer together.
 */
export function createAuthenticator(options: {
  readonly relay: string;
  readonly signer: Signer | null;
  readonly send: (message: readonly unknown[]) => void;
  readonly clock: () => number;
  readonly timeoutMs: number;
}): Authenticator {
  const { relay, signer, timeoutMs } = options;
  let challenge: string | null = null;
  let attempt: Attempt | null = null;

  function begin(): Attempt {
    const { promise, resolve } = Promise.withResolvers<AuthResult>();
    const timer = setTimeout(() => finish({ ok: false, reason: 'AUTH took too long' }), timeoutMs);
    const finish = (result: AuthResult) => {
      begun.isOver = true;
      clearTimeout(timer);
      resolve(result);
    };
    const begun: Attempt = { result: promise, finish, isOver: false, sent: null };
    return begun;
  }

  async function sign(current: Attempt, signing: Signer, asked: string): Promise<void> {
    try {
      const event = await signing.signEvent({
        kind: clientAuth,
        created_at: Math.floor(options.clock() / 1000),
        tags: [
          ['relay', relay],
          ['challenge', asked],
        ],
        content: '',
      });
      // A signer may take long: what it signed for an earlier connection must not be sent on this one.
      if (current.isOver) return;
      current.sent = event.id;
      options.send(['AUTH', event]);
    } catch {
      // What the signer threw stays here: it may quote what it was signing with.
      current.finish({ ok: false, reason: 'the signer failed' });
    }
  }

  return {
    onChallenge(next) {
      if (next === challenge) return;
      const isFirst = challenge === null;
      challenge = next;
      if (attempt === null || signer === null) return;
      if (!attempt.isOver && isFirst) void sign(attempt, signer, next);
      // A new challenge after a result, good or bad, means that this connection counts as unknown again.
      else if (attempt.isOver) attempt = null;
    },
    onOk(id, accepted, message) {
      if (attempt === null || attempt.sent !== id) return false;
      attempt.finish(accepted ? { ok: true } : { ok: false, reason: message || 'AUTH was refused' });
      return true;
    },
    get isUntried() {
      return signer !== null && challenge !== null && attempt === null;
    },
    authenticate() {
      if (signer === null)
        return Promise.resolve({ ok: false, reason: 'we do not authenticate to this relay' });
      if (attempt === null) {
        attempt = begin();
        if (challenge !== null) void sign(attempt, signer, challenge);
      }
      return attempt.result;
    },
    reset() {
      challenge = null;
      attempt?.finish({ ok: false, reason: 'the connection was lost' });
      attempt = null;
    },
  };
}
