/** HTTP calls over kept-alive connections with minimal overhead, so that the driver measures the server. */
import { Agent, request } from 'node:http';
/** The gateway's secret in every run. */
export const TOKEN = 'bench';

const agent = new Agent({ keepAlive: true, maxSockets: 64 });

export const get = (url) => call(url, { method: 'GET' });

export const post = (url, body, headers = {}) =>
  call(
    url,
    {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body), ...headers },
    },
    body,
  );

/** One turn through `/v1/chat/completions`; `user` names the conversation. */
export async function httpTurn(port, user, content = 'ping') {
  const { status, text } = await post(
    `http://127.0.0.1:${port}/v1/chat/completions`,
    JSON.stringify({ model: 'openclaw/default', user, messages: [{ role: 'user', content }] }),
    { authorization: `Bearer ${TOKEN}` },
  );
  if (status !== 200 || !text.includes('pong'))
    throw new Error(`The gateway answered ${status}: ${text.slice(0, 300)}`);
}

function call(url, options, body) {
  return new Promise((resolve, reject) => {
    const req = request(url, { agent, ...options }, (res) => {
      const chunks = [];
      res.on('data', (chunk) => chunks.push(chunk));
      res.on('end', () => resolve({ status: res.statusCode, text: Buffer.concat(chunks).toString() }));
      res.on('error', reject);
    });
    req.on('error', reject);
    req.end(body);
  });
}
