/**
 * A model without delay, in a process of its own: every chat completion is answered at once with the same streamed text.
 * `GET /last` returns the body of the last request, so that the floor can be measured with what the gateway really sends.
 * Prints its port when it listens.
 */
import { createServer } from 'node:http';

const WORDS = ['pong ', 'from ', 'mock.'];
const state = { last: '{}' };

const server = createServer(async (req, res) => {
  const chunks = [];
  for await (const chunk of req) chunks.push(chunk);
  if (req.url === '/last') return res.end(state.last);
  state.last = Buffer.concat(chunks).toString();
  res.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' });
  res.end(answer());
});

/** The whole stream in one write: no model is faster. */
function answer() {
  const base = { id: 'chatcmpl-mock', object: 'chat.completion.chunk', created: 0, model: 'mock' };
  const delta = (content) => ({ ...base, choices: [{ index: 0, delta: { role: 'assistant', content }, finish_reason: null }] });
  const end = { ...base, choices: [{ index: 0, delta: {}, finish_reason: 'stop' }], usage: { prompt_tokens: 100, completion_tokens: 3, total_tokens: 103 } };
  return [...WORDS.map(delta), end].map((frame) => `data: ${JSON.stringify(frame)}\n\n`).join('') + 'data: [DONE]\n\n';
}

server.keepAliveTimeout = 120_000;
server.listen(0, '127.0.0.1', () => console.log(server.address().port));
process.on('disconnect', () => process.exit(0));
