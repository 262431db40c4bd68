import { createLedgerHooks, type Ledger } from '@bonafide/ledger-core';
import { toAiSdkTools } from '@bonafide/ledger-core/ai-sdk';
import { generateText, isStepCount, type LanguageModel } from 'ai';

/** An incoming message. */
export interface Message {
  readonly peerId: string;
  readonly channel: string;
  readonly content: string;
}

/** Creates an AI SDK agent that records its messages, knows each peer's history, and declines refused peers. */
export function createAgent({ ledger, model }: { readonly ledger: Ledger; readonly model: LanguageModel }) {
  const hooks = createLedgerHooks(ledger);

  return (message: Message): Promise<string> =>
    hooks.run(message, async (turn) => {
      if (turn.verdict.verdict === 'refuse') return `I decline: ${turn.verdict.reason}.`;
      const { text } = await generateText({
        model,
        instructions: await hooks.transformSystemPrompt('You are Alpha, an agent that helps other agents.'),
        prompt: message.content,
        tools: toAiSdkTools(ledger.tools()),
        stopWhen: isStepCount(5),
      });
      await turn.afterSend({ content: text });
      return text;
    });
}
