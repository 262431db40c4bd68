import { type Logger, silentLogger } from '@bonafide/internal';
import { LedgerError } from './errors.ts';
import { createFailureTally, type HookName } from './hook-failures.ts';
import type { PeerBriefing } from './ledger/briefing.ts';
import type { RecordInput, RecordResult } from './ledger/record.ts';
import type { Ledger } from './ledger.ts';
import { createHookFailureCounter } from './metrics.ts';
import { parseConfig } from './parse.ts';
import { type PromptSection, peerContextSection, unclearSenderSection } from './peer-context.ts';
import { parseNostrKey, toPeerId } from './peer-id.ts';
import type { PolicyVerdict } from './policy.ts';
import { hookedLedgerSchema, hooksOptionsSchema } from './schemas.ts';
import { createTurns, TurnState } from './turns.ts';

/** One incoming message while it is being handled. Its methods need no asynchronous context. */
export interface IncomingTurn {
  /** The ledger's id of the sender; empty when the message was invalid. */
  readonly peerId: string;
  /** Null when nothing was recorded: an excluded sender, or a failure. */
  readonly interactionId: string | null;
  /** True when the same `externalId` was recorded before. */
  readonly duplicate: boolean;
  /**
   * The policy's verdict from the history before this message. `accept` by rule `excluded-sender` for excluded senders,
   * `caution` by rule `unavailable` after a failure.
   */
  readonly verdict: PolicyVerdict;
  /** The prompt section of this turn; its text is empty when there is nothing to show. */
  readonly section: PromptSection;
  /**
   * Records a message that was sent. The recipient is the sender of this turn, unless `peerId` names another: by its id
   * on `channel` (the channel of the turn unless given), or by peerId, npub or handle of a known peer. A text that names two
   * known peers in these ways names none: the send is counted as unattributed. A send to a sender
   * that was erased after the turn began is not recorded, but counted and logged.
   */
  afterSend(message: SentMessage): Promise<RecordResult | null>;
  /** Ends the turn: later sends of its flow no longer belong to it. */
  end(): void;
}

/** A message that was sent. Missing fields are taken from the message that it answers. */
export interface SentMessage extends Partial<Omit<RecordInput, 'content'>> {
  readonly content: string;
}

/** Failures of hooks in this process. */
export interface HookFailureTotal {
  readonly count: number;
  /** The last error. */
  readonly last: unknown;
  /** Sends among them that belonged to no turn, or to a flow with turns of several peers. They were not recorded. */
  readonly unattributed: number;
}

/** Calls that connect a ledger to a runtime's loop. They never throw or reject. */
export interface LedgerHooks {
  /**
   * Records `message` and runs `handle` for it: everything that `handle` starts belongs to this turn, and nothing else
   * does. Restores the previous turn afterwards. The recommended form.
   *
   * @throws what `handle` throws
   */
  run<Result>(message: RecordInput, handle: (turn: IncomingTurn) => Promise<Result>): Promise<Result>;
  /**
   * Records `message` and makes it the turn of the current asynchronous flow, for loops that cannot wrap their handler.
   * Call it directly in the function that handles the message. When the flow already has the turn of another peer,
   * and that has neither sent nor ended, the calls below belong to neither until both have ended or sent through their
   * own turn, or are `turnTimeoutMs` old. End a turn that gets no answer: `turn.end()`. In runtimes without
   * `AsyncLocalStorage.enterWith`, only the returned turn works.
   */
  onMessage(message: RecordInput): Promise<IncomingTurn>;
  /**
   * Records a message that was sent. The recipient is the sender of the current turn, unless `peerId` (and `channel`)
   * name another. Without a recipient it is not recorded, but counted and logged.
   */
  afterSend(message: SentMessage): Promise<RecordResult | null>;
  /** Appends the section about the current sender to a prompt; returns it unchanged when there is none. */
  transformSystemPrompt(prompt: string): Promise<string>;
  /**
   * Returns the section about the current sender; null when there is none. In a flow with turns of several peers it says
   * that the sender is unclear, with the strictest verdict among them.
   */
  section(): Promise<PromptSection | null>;
  /**
   * Returns the failures in this process. Earlier ones are in the journal: `ledger.getHookFailures()`, which
   * `bonafide doctor` shows.
   */
  failures(): HookFailureTotal;
}

/** Options of `createLedgerHooks`. */
export interface LedgerHooksOptions {
  /** @default silent */
  readonly logger?: Logger;
  /**
   * Age at which a turn that has neither sent nor ended stops making the sends of its flow unclear, in ms, > 0.
   * @default 900000 (15 minutes)
   */
  readonly turnTimeoutMs?: number;
  /**
   * Time now, in ms since epoch.
   * @default Date.now
   */
  readonly clock?: () => number;
}

interface Turn {
  readonly state: TurnState;
  readonly message: RecordInput;
  /** Number of times that the sender had been erased when the turn began. */
  readonly erasures: number;
  readonly done: Promise<IncomingTurn>;
}

type Recipient = Pick<RecordInput, 'peerId' | 'channel'>;

const unavailable: Pick<PeerBriefing, 'verdict' | 'section'> = {
  verdict: { verdict: 'caution', rule: 'unavailable', reason: 'the ledger could not record this message' },
  section: peerContextSection(null),
};

const excluded: Pick<PeerBriefing, 'verdict' | 'section'> = {
  verdict: { verdict: 'accept', rule: 'excluded-sender', reason: 'this sender is not a peer' },
  section: peerContextSection(null),
};

/**
 * Creates hooks for a runtime's loop. The sender of the message that is being handled travels in `AsyncLocalStorage`,
 * so that interleaved conversations stay separate: each prompt shows the history of its peer before the turn, and each
 * answer is recorded for the peer that received it.
 *
 * @example
 * const hooks = createLedgerHooks(ledger);
 * await hooks.run({ peerId, channel: 'nostr', content: text }, async (turn) => {
 *   if (turn.verdict.verdict === 'refuse') return decline(turn.verdict.reason);
 *   const system = await hooks.transformSystemPrompt('You are a helpful agent.');
 *   await turn.afterSend({ content: await answer(system, text) });
 * });
 * @throws LedgerError `INVALID_CONFIG` when the ledger has not its methods, or an option is wrong or unknown
 */
export function createLedgerHooks(ledger: Ledger, options: LedgerHooksOptions = {}): LedgerHooks {
  parseConfig(hookedLedgerSchema, ledger, 'ledger');
  const {
    logger = silentLogger,
    turnTimeoutMs = 900_000,
    clock = Date.now,
  } = parseConfig(hooksOptionsSchema, options, 'options');
  const turns = createTurns<Turn>({ clock, timeoutMs: turnTimeoutMs });
  const erasuresOf = new Map<string, number>();
  ledger.on('afterForget', ({ peerId }) => erasuresOf.set(peerId, (erasuresOf.get(peerId) ?? 0) + 1));
  const tally = createFailureTally((failures) => ledger.noteHookFailures(failures));
  const failures = createHookFailureCounter();
  let unattributed = 0;

  async function guard<Result>(
    hook: HookName,
    fallback: Result,
    work: () => Promise<Result>,
  ): Promise<Result> {
    try {
      return await work();
    } catch (error) {
      tally.add(hook, error);
      failures.add(1, { 'bonafide.hook': hook });
      logger.error({ err: error, hook }, `The ledger hook '${hook}' failed`);
      return fallback;
    } finally {
      tally.settle();
    }
  }

  function createTurn(message: RecordInput): Turn {
    const peerId = senderOf(message);
    const state = new TurnState(peerId, clock());
    const erasures = erasuresOf.get(peerId ?? '') ?? 0;
    const afterSend = (sent: SentMessage): Promise<RecordResult | null> =>
      guard<RecordResult | null>('afterSend', null, () => recordSent(sent, turn, true));
    const open = (fields: Pick<IncomingTurn, 'interactionId' | 'duplicate' | 'verdict' | 'section'>) => ({
      peerId: peerId ?? '',
      ...fields,
      afterSend,
      end: () => state.markEnded(),
    });
    const failed = open({ ...unavailable, interactionId: null, duplicate: false });
    const done = guard<IncomingTurn>('onMessage', failed, async () => {
      // Read before the message is recorded: the prompt shows the history before this turn.
      const { section, verdict } = await ledger.getBriefing(toPeerId(message.channel, message.peerId));
      // Who is refused stays refused when its message cannot be recorded.
      const recorded = await guard<RecordResult | null | 'failed'>('onMessage', 'failed', () =>
        ledger.recordIncoming(message),
      );
      if (recorded === 'failed') {
        const known = verdict.verdict === 'refuse' ? { verdict, section } : unavailable;
        return open({ interactionId: null, duplicate: false, ...known });
      }
      if (!recorded) return open({ ...excluded, interactionId: null, duplicate: false });
      const { interactionId, duplicate } = recorded;
      return open({ interactionId, duplicate, verdict, section });
    });
    const turn: Turn = { state, message, erasures, done };
    return turn;
  }

  async function recordSent(
    sent: SentMessage,
    turn: Turn | null,
    isExplicit: boolean,
  ): Promise<RecordResult | null> {
    const recipient = await recipientOf(sent, turn?.message ?? null);
    if (recipient === null) {
      unattributed += 1;
      throw new LedgerError(
        'UNATTRIBUTED',
        'A message was sent outside of any turn, or in a flow with turns of several peers, on another channel without a peerId, or to a peerId that is also the name of another peer on this channel, and was not recorded. Use the turn of hooks.run, or name peerId and channel.',
      );
    }
    const isAnswer = turn !== null && senderOf(recipient) === turn.state.peerId;
    if (isAnswer) turn.state.markSent(isExplicit);
    if (isAnswer && (await wasErased(turn))) {
      throw new LedgerError(
        'PEER_NOT_FOUND',
        'The sender of this turn was erased from the ledger after the turn began. The answer was not recorded.',
      );
    }
    const correlationId = sent.correlationId ?? (isAnswer ? turn.message.correlationId : undefined);
    return await ledger.recordOutgoing({ ...sent, ...recipient, correlationId });
  }

  /** Finds the recipient of a message. Null when it cannot be determined. */
  async function recipientOf(
    { peerId, channel }: SentMessage,
    answered: RecordInput | null,
  ): Promise<Recipient | null> {
    if (peerId !== undefined && channel !== undefined) return { peerId, channel };
    if (peerId === undefined) {
      const isSameChannel = channel === undefined || channel === answered?.channel;
      return answered && isSameChannel ? { peerId: answered.peerId, channel: answered.channel } : null;
    }
    // Within a turn, an id of the turn's channel comes first.
    const sameChannel = answered && { peerId, channel: answered.channel };
    if (peerId === answered?.peerId) return sameChannel;
    const near = answered && (await ledger.getPeer(toPeerId(answered.channel, peerId)));
    const known = await ledger.getPeer(peerId);
    // A peer can choose the id or the handle of another one as its name on this channel.
    if (near && known && near.peerId !== known.peerId) return null;
    if (near) return sameChannel;
    if (known) return { peerId: known.nativeId, channel: known.channel };
    if (parseNostrKey(peerId)) return { peerId, channel: 'nostr' };
    return sameChannel;
  }

  /** Tells whether the sender was erased after the turn began, here or by another process. */
  async function wasErased({ state, erasures, done }: Turn): Promise<boolean> {
    const { interactionId } = await done;
    const { peerId } = state;
    if (interactionId === null || peerId === null) return false;
    return (erasuresOf.get(peerId) ?? 0) > erasures || (await ledger.getPeer(peerId)) === null;
  }

  async function section(): Promise<PromptSection | null> {
    const current = turns.current();
    if (current.kind === 'none') return null;
    if (current.kind === 'one') {
      return await guard<PromptSection | null>('section', null, async () => {
        const own = (await current.turn.done).section;
        return own.text ? own : null;
      });
    }
    // An excluded sender never gets a section.
    if ((await current.turn.done).verdict.rule === excluded.verdict.rule) return null;
    const verdicts = (await Promise.all(current.turns.map(({ done }) => done))).map(({ verdict }) => verdict);
    return await guard<PromptSection | null>('section', unclearSenderSection(verdicts), async () => {
      throw new LedgerError(
        'UNATTRIBUTED',
        'This flow has turns of several peers. Use the section of a turn.',
      );
    });
  }

  return {
    // Nothing is awaited before begin(): only then it marks the caller's flow.
    onMessage(message) {
      const turn = createTurn(message);
      turns.begin(turn);
      return turn.done;
    },
    afterSend: (sent) =>
      guard<RecordResult | null>('afterSend', null, async () => {
        const current = turns.current();
        return await recordSent(sent, current.kind === 'one' ? current.turn : null, false);
      }),
    transformSystemPrompt: async (prompt) => {
      const text = (await section())?.text;
      return text ? `${prompt}\n\n${text}` : prompt;
    },
    section,
    run(message, handle) {
      const turn = createTurn(message);
      return turns.run(turn, async () => handle(await turn.done));
    },
    failures: () => ({ ...tally.total(), unattributed }),
  };
}

/** Returns the ledger's id of a message's sender; null for an invalid message. */
function senderOf(message: Pick<RecordInput, 'peerId' | 'channel'> | undefined): string | null {
  const { peerId, channel } = message ?? {};
  return typeof peerId === 'string' && typeof channel === 'string' ? toPeerId(channel, peerId) : null;
}
