// A server of OpenAI's two APIs with a script instead of a model: it calls a tool once, and thanks when it sees the
// tool's answer. Clients choose whether they want a stream.
import { createServer } from 'node:http';

const call = {
  name: 'assess_peer',
  arguments: JSON.stringify({
    peer_id: 'telegram:bob',
    trust: 3,
    rationale: 'Paid at once for the first job.',
  }),
};
const text = 'You are welcome, Bob.';
const created = 1_750_000_000;

function chatCompletion({ messages, model }, number) {
  const done = messages.at(-1).role === 'tool';
  const message = done
    ? { role: 'assistant', content: text, refusal: null }
    : {
        role: 'assistant',
        content: null,
        refusal: null,
        tool_calls: [{ id: 'call_1', type: 'function', function: call }],
      };
  const choice = { index: 0, message, logprobs: null, finish_reason: done ? 'stop' : 'tool_calls' };
  const usage = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 };
  return { id: `chat_${number}`, object: 'chat.completion', created, model, choices: [choice], usage };
}

function response({ input, model }, number) {
  const done = Array.isArray(input) && input.some(({ type }) => type === 'function_call_output');
  const content = [{ type: 'output_text', text, annotations: [] }];
  const item = done
    ? { id: 'msg_1', type: 'message', role: 'assistant', status: 'completed', content }
    : { id: 'fc_1', type: 'function_call', call_id: 'call_1', status: 'completed', ...call };
  const usage = {
    input_tokens: 1,
    output_tokens: 1,
    total_tokens: 2,
    input_tokens_details: { cached_tokens: 0 },
    output_tokens_details: { reasoning_tokens: 0 },
  };
  return {
    id: `resp_${number}`,
    object: 'response',
    created_at: created,
    model,
    status: 'completed',
    output: [item],
    usage,
  };
}

const apis = { '/v1/chat/completions': chatCompletion, '/v1/responses': response };

/**
 * Starts the server on a free port of the loopback interface.
 * @returns {Promise<{ url: string, requests: any[], close(): void }>} `url` is the base that SDKs take; `requests` are
 *   the bodies that it was sent.
 */
export async function startModelServer() {
  const requests = [];
  const server = createServer(async (request, reply) => {
    const chunks = [];
    for await (const chunk of request) chunks.push(chunk);
    const answer = apis[request.url ?? ''];
    const body = answer && JSON.parse(Buffer.concat(chunks).toString());
    requests.push(body ?? { unknown: request.url });
    reply.setHeader('content-type', 'application/json');
    reply.statusCode = answer === undefined ? 404 : 200;
    reply.end(
      JSON.stringify(
        answer?.(body, requests.length) ?? { error: { message: `There is no ${request.url}.` } },
      ),
    );
  });
  await new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => resolve(undefined));
  });
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
  return { url: `http://127.0.0.1:${port}/v1`, requests, close: () => server.close() };
}
