import { createAsyncContext, type Logger, silentLogger } from '@bonafide/internal';
import { createFailureTally, type HookName } from './hook-failures.ts';
import type { RecordInput, RecordResult } from './ledger/record.ts';
import type { Ledger } from './ledger.ts';
import { createHookFailureCounter } from './metrics.ts';
import type { PromptSection } from './peer-context.ts';
import { toPeerId } from './peer-id.ts';
import type { PolicyVerdict } from './policy.ts';

/** What a host learns when a message has come in. */
export interface IncomingTurn extends RecordResult {
  /** What the policy says, from the history before this message. */
  readonly verdict: PolicyVerdict;
  /** The prompt section of this turn. */
  readonly section: PromptSection;
}

/** A message that went out. What is not given comes from the message that is being answered. */
export interface SentMessage extends Partial<Omit<RecordInput, 'content'>> {
  readonly content: string;
}

/** The calls with which a runtime wires a ledger into its loop. None of them ever throws or rejects. */
export interface LedgerHooks {
  /**
   * Call it first, with every message that comes in, in the async flow that then handles it: records the message and
   * remembers its sender for the calls below. Null for excluded senders, and when recording failed.
   */
  onMessage(message: RecordInput): Promise<IncomingTurn | null>;
  /**
   * Call it with every message that went out. The recipient is the sender of the message being answered, unless
   * `peerId` (and `channel`) name another.
   */
  afterSend(message: SentMessage): Promise<RecordResult | null>;
  /** The prompt with the section about the current sender at its end; unchanged when there is none. */
  transformSystemPrompt(prompt: string): Promise<string>;
  /** The section about the current sender, for hosts that place sections themselves; null when there is none. */
  section(): Promise<PromptSection | null>;
  /**
   * Runs `handle` with `message` as the current one and restores the one before afterwards. `onMessage` can only mark
   * the flow it is called in; where one flow handles several messages, this keeps them apart by construction.
   */
  run<Result>(message: RecordInput, handle: (turn: IncomingTurn | null) => Promise<Result>): Promise<Result>;
  /**
   * How often a hook failed in this process, and with what the last time. What happened before is in the journal:
   * `ledger.getHookFailures()`, which `bonafide doctor` shows.
   */
  failures(): { readonly count: number; readonly last: unknown };
}

/** Options of `createLedgerHooks`. */
export interface LedgerHooksOptions {
  /** @default silent */
  readonly logger?: Logger;
}

interface Turn {
  readonly message: RecordInput;
  readonly done: Promise<IncomingTurn | null>;
}

/**
 * Hooks for a runtime's loop over one ledger. The sender of the message that is being handled travels in
 * `AsyncLocalStorage`, so that interleaved conversations never mix: each prompt shows the history of its own peer as
 * it was before this turn, each answer is recorded for the peer it went to.
 *
 * @example
 * const hooks = createLedgerHooks(ledger);
 * await hooks.onMessage({ peerId, channel: 'nostr', content: text });
 * const system = await hooks.transformSystemPrompt('You are a helpful agent.');
 * await hooks.afterSend({ content: answer });
 */
export function createLedgerHooks(ledger: Ledger, options: LedgerHooksOptions = {}): LedgerHooks {
  const { logger = silentLogger } = options;
  const current = createAsyncContext<Turn>();
  const tally = createFailureTally((failures) => ledger.noteHookFailures(failures));
  const failures = createHookFailureCounter();

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

  function begin(message: RecordInput): Turn {
    const done = guard<IncomingTurn | null>('onMessage', null, async () => {
      // Read before the message is recorded: the prompt shows what was known when it came.
      const { section, verdict } = await ledger.getBriefing(toPeerId(message.channel, message.peerId));
      const recorded = await ledger.recordIncoming(message);
      return recorded && { ...recorded, verdict, section };
    });
    return { message, done };
  }

  const section = () =>
    guard<PromptSection | null>('section', null, async () => (await current.get()?.done)?.section ?? null);

  return {
    // Not async, and nothing is awaited before enterWith: only so the caller's flow is the one that is marked.
    onMessage(message) {
      const turn = begin(message);
      current.enter(turn);
      return turn.done;
    },
    afterSend: (sent) =>
      guard<RecordResult | null>('afterSend', null, async () => {
        const answered = current.get()?.message;
        const peerId = sent.peerId ?? answered?.peerId;
        const channel = sent.channel ?? answered?.channel;
        const toSender = peerId === answered?.peerId && channel === answered?.channel;
        if (peerId === undefined || channel === undefined) {
          logger.debug(
            {},
            'A message was sent outside of any conversation; name its recipient to have it recorded',
          );
          return null;
        }
        const correlationId = sent.correlationId ?? (toSender ? answered?.correlationId : undefined);
        return await ledger.recordOutgoing({ ...sent, peerId, channel, correlationId });
      }),
    transformSystemPrompt: async (prompt) => {
      const text = (await section())?.text;
      return text ? `${prompt}\n\n${text}` : prompt;
    },
    section,
    run(message, handle) {
      const turn = begin(message);
      return current.run(turn, async () => handle(await turn.done));
    },
    failures: tally.total,
  };
}
