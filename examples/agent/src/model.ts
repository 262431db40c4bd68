import { createRuleReflector, type Reflector } from '@bonafide/cortex';

/**
 * Returns the reflector of a language model when the environment names one, by `MODEL` and `OPENAI_BASE_URL` or `OPENAI_API_KEY`, else
 * the one that judges by rules.
 */
export async function openReflector(env: NodeJS.ProcessEnv): Promise<Reflector> {
  const { MODEL: model, OPENAI_API_KEY: apiKey, OPENAI_BASE_URL: baseURL } = env;
  if (!model || (!apiKey && !baseURL)) return createRuleReflector();
  const { createOpenAICompatible } = await import('@ai-sdk/openai-compatible');
  const { createAiSdkReflector } = await import('@bonafide/cortex/ai-sdk');
  const provider = createOpenAICompatible({
    name: 'openai',
    baseURL: baseURL ?? 'https://api.openai.com/v1',
    ...(apiKey && { apiKey }),
  });
  return createAiSdkReflector({ model: provider(model) });
}
