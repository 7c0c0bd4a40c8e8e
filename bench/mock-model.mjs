/**
 * A model without delay, in a separate process: every chat completion returns the same streamed text, after the number
 * of milliseconds in its argument. A message `bash {…}` first gets a call of that tool with these arguments. `GET
 * /last` returns the body of the last request, so that the floor can be measured with the gateway's real request.
 * Prints its port when it listens.
 */
import { createServer } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

const WORDS = ['pong ', 'from ', 'mock.'];
const state = { last: '{}' };
const DELAY_MS = Number(process.argv[2] ?? 0);

const server = createServer(async (req, res) => {
  const chunks = [];
  for await (const chunk of req) chunks.push(chunk);
  if (req.url === '/last') return res.end(state.last);
  state.last = Buffer.concat(chunks).toString();
  if (DELAY_MS > 0) await sleep(DELAY_MS);
  res.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' });
  res.end(answer(callIn(state.last)));
});

/** The arguments of the tool call the newest message asks for; undefined when it asks for none. */
function callIn(body) {
  const last = JSON.parse(body).messages?.at(-1);
  const text = typeof last?.content === 'string' ? last.content : (last?.content?.at(-1)?.text ?? '');
  return last?.role === 'user' ? /bash (\{.*\})/.exec(text)?.[1] : undefined;
}

/** The whole stream in one write: no model is faster. */
function answer(call) {
  const base = { id: 'chatcmpl-mock', object: 'chat.completion.chunk', created: 0, model: 'mock' };
  const delta = (content) => ({
    ...base,
    choices: [{ index: 0, delta: { role: 'assistant', content }, finish_reason: null }],
  });
  if (call) {
    const toolCalls = [
      {
        index: 0,
        id: `call_${Date.now().toString(36)}_${Math.random().toString(36).slice(2)}`,
        type: 'function',
        function: { name: 'bash', arguments: call },
      },
    ];
    const frames = [
      { ...base, choices: [{ index: 0, delta: { role: 'assistant', tool_calls: toolCalls }, finish_reason: null }] },
      { ...base, choices: [{ index: 0, delta: {}, finish_reason: 'tool_calls' }] },
    ];
    return frames.map((frame) => `data: ${JSON.stringify(frame)}\n\n`).join('') + 'data: [DONE]\n\n';
  }
  const end = {
    ...base,
    choices: [{ index: 0, delta: {}, finish_reason: 'stop' }],
    usage: { prompt_tokens: 100, completion_tokens: 3, total_tokens: 103 },
  };
  return [...WORDS.map(delta), end].map((frame) => `data: ${JSON.stringify(frame)}\n\n`).join('') + 'data: [DONE]\n\n';
}

server.keepAliveTimeout = 120_000;
server.listen(0, '127.0.0.1', () => console.log(server.address().port));
process.on('disconnect', () => process.exit(0));
