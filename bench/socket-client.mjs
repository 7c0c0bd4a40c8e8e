/** A minimal client of the Gateway protocol, version 4: connects with the shared token and takes turns. */
import { randomUUID } from 'node:crypto';
import { TOKEN } from './http-calls.mjs';

const CONNECT = {
  minProtocol: 4,
  maxProtocol: 4,
  role: 'operator',
  caps: [],
  auth: { token: TOKEN },
  client: { id: 'gateway-client', version: '1.0.0', platform: process.platform, mode: 'backend' },
};

/** Resolves at hello-ok with `{ call(method, params), turn(sessionKey) }`; a turn lasts from `chat.send` to its `final` event. */
export async function connectSocket(port, scopes = ['operator.read', 'operator.write']) {
  const socket = new WebSocket(`ws://127.0.0.1:${port}`);
  const answers = new Map();
  const finals = new Map();
  const call = (method, params, id = randomUUID()) =>
    waitIn(answers, id, () => socket.send(JSON.stringify({ type: 'req', id, method, params })));
  const ready = Promise.withResolvers();
  socket.onerror = socket.onclose = (event) =>
    ready.reject(new Error(`The gateway closed the socket: ${event.reason || event.message}`));
  socket.onmessage = ({ data }) => {
    const frame = JSON.parse(data);
    if (frame.type === 'res')
      settle(answers, frame.id, frame.ok ? undefined : new Error(frame.error.message), frame.payload);
    else if (frame.event === 'connect.challenge')
      call('connect', { ...CONNECT, scopes }).then(ready.resolve, ready.reject);
    else if (frame.event === 'chat' && frame.payload.state !== 'delta')
      settle(
        finals,
        frame.payload.runId,
        frame.payload.state === 'final'
          ? undefined
          : new Error(`The turn ended as ${frame.payload.state}: ${frame.payload.errorMessage}`),
      );
  };
  await ready.promise;
  return {
    call,
    async turn(sessionKey) {
      const idempotencyKey = randomUUID();
      const final = waitIn(finals, idempotencyKey, () => {});
      await Promise.all([call('chat.send', { sessionKey, message: 'ping', idempotencyKey, deliver: false }), final]);
    },
    [Symbol.dispose]() {
      socket.onclose = null;
      socket.close();
    },
  };
}

function waitIn(waiting, id, begin) {
  const pending = Promise.withResolvers();
  waiting.set(id, pending);
  begin();
  return pending.promise;
}

function settle(waiting, id, error, value) {
  const pending = waiting.get(id);
  waiting.delete(id);
  if (error) pending?.reject(error);
  else pending?.resolve(value);
}
