import { createLedgerHooks, type Ledger } from '@bonafide/ledger-core';
import { toAiSdkTools } from '@bonafide/ledger-core/ai-sdk';
import { generateText, isStepCount, type LanguageModel } from 'ai';

/** A message from somebody. */
export interface Message {
  readonly peerId: string;
  readonly channel: string;
  readonly content: string;
}

/** An AI SDK agent that remembers whom it deals with: records, knows the history, declines whom the policy refuses. */
export function createAgent({ ledger, model }: { readonly ledger: Ledger; readonly model: LanguageModel }) {
  const hooks = createLedgerHooks(ledger);

  return (message: Message): Promise<string> =>
    hooks.run(message, async (turn) => {
      if (turn?.verdict.verdict === 'refuse') return `I decline: ${turn.verdict.reason}.`;
      const { text } = await generateText({
        model,
        instructions: await hooks.transformSystemPrompt('You are Alpha, an agent that helps other agents.'),
        prompt: message.content,
        tools: toAiSdkTools(ledger.tools()),
        stopWhen: isStepCount(5),
      });
      await hooks.afterSend({ content: text });
      return text;
    });
}
