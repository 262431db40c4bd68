/**
 * A reflector over a language model of the AI SDK (`ai`).
 * @packageDocumentation
 */

import { hasMethods } from '@bonafide/internal';
import { generateText, type LanguageModel } from 'ai';
import * as z from 'zod';
import { parseOptions } from '../host-options.ts';
import type { Reflector } from '../reflection/reflector.ts';
import { createRuleReflector } from '../reflection/rule-reflector.ts';

/** Options of {@link createAiSdkReflector}. */
export interface AiSdkReflectorOptions {
  /** The model, for example `openai('gpt-5')`, or its id for the gateway. */
  readonly model: LanguageModel;
  /** Limit of the answer in tokens. @default 2,000 */
  readonly maxOutputTokens?: number;
  /** Retries of a failed request by the SDK. @default 1 */
  readonly maxRetries?: number;
  /** Passed to the provider unchanged. */
  readonly providerOptions?: Parameters<typeof generateText>[0]['providerOptions'];
}

const optionsSchema = z.strictObject({
  model: z.custom<LanguageModel>(
    (given) => (typeof given === 'string' && given !== '') || hasMethods('doGenerate')(given),
    'Expected a model of the AI SDK, or its id',
  ),
  maxOutputTokens: z.int().min(1).default(2_000),
  maxRetries: z.int().min(0).default(1),
  providerOptions: z
    .custom<NonNullable<AiSdkReflectorOptions['providerOptions']>>(
      (given) => typeof given === 'object' && given !== null,
      'Expected an object',
    )
    .optional(),
});

const nameOf = (model: LanguageModel): string =>
  typeof model === 'string' ? model : `${model.provider}/${model.modelId}`;

/**
 * Creates a reflector that asks a language model. The answer is requested as text and parsed by the cortex item by item, so
 * that one bad item does not lose the others, as it would with the structured output of most providers.
 */
export function createAiSdkReflector(options: AiSdkReflectorOptions): Reflector {
  const { model, maxOutputTokens, maxRetries, providerOptions } = parseOptions(
    optionsSchema,
    options,
    'options',
  );
  return {
    name: nameOf(model),
    async reflect({ system, input, signal }) {
      const { text, finishReason, usage } = await generateText({
        ...{ model, system, prompt: input, maxOutputTokens, maxRetries },
        abortSignal: signal,
        ...(providerOptions === undefined ? {} : { providerOptions }),
      });
      const { inputTokens, outputTokens } = usage;
      return {
        output: text,
        finishReason,
        ...(inputTokens === undefined || outputTokens === undefined
          ? {}
          : { usage: { inputTokens, outputTokens } }),
      };
    },
  };
}

/** Creates a provider of models, as `createOpenAICompatible` of `@ai-sdk/openai-compatible` does. */
export type CreateModelProvider = (settings: {
  name: string;
  baseURL: string;
  apiKey?: string;
}) => (model: string) => LanguageModel;

/**
 * Returns the reflector of a language model when the environment names one, by `MODEL` and `OPENAI_BASE_URL` or `OPENAI_API_KEY`; else
 * the reflector that judges by rules.
 *
 * @example
 * reflectorFromEnvironment(process.env, createOpenAICompatible)
 */
export function reflectorFromEnvironment(
  env: Readonly<Record<string, string | undefined>>,
  createProvider: CreateModelProvider,
): Reflector {
  const { MODEL: model, OPENAI_API_KEY: apiKey, OPENAI_BASE_URL: baseURL } = env;
  if (!model || (!apiKey && !baseURL)) return createRuleReflector();
  const provider = createProvider({
    name: 'openai',
    baseURL: baseURL || 'https://api.openai.com/v1',
    ...(apiKey && { apiKey }),
  });
  return createAiSdkReflector({ model: provider(model) });
}
