/**
 * Memory over time: thousands of messages in many conversations, and the memory afterwards, compared with a new gateway
 * on the same state. Part of `npm run test:full`; `SOAK_MESSAGES` and `SOAK_SESSIONS` make it longer.
 */
import assert from 'node:assert/strict';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { connectGateway, type GatewayConnection } from '../../src/gateway/client.ts';
import type { EventFrame } from '../../src/protocol/frames.ts';
import { ownHome, type OwnGateway } from '../../src/testing/own-gateway.ts';

const MESSAGES = Number(process.env['SOAK_MESSAGES'] ?? 40_000);
const SESSIONS = Number(process.env['SOAK_SESSIONS'] ?? 200);
const AT_ONCE = 16;
/** Memory is measured after each of so many parts of the messages. */
const PARTS = 4;
/** Idle time before memory is measured, so that garbage collections and the release of memory are over. */
const REST_MS = 65_000;
/** Messages after which a gateway that was started anew has loaded and compiled what it needs. */
const WARM_MESSAGES = 2000;
/** Bounds on what is kept: beside a gateway that was started anew, and beside what the first stage left. */
const MAX_KEPT = 1.35;
const MAX_GROWTH = 1.1;

/** Messages of each conversation after the restart. */
const MORE = Math.ceil(WARM_MESSAGES / SESSIONS);

const mb = (bytes: number): string => (bytes / 2 ** 20).toFixed(0);

interface Talk extends AsyncDisposable {
  readonly client: GatewayConnection;
  turn(session: string, text: string): Promise<void>;
}

async function talkTo({ port, token }: OwnGateway): Promise<Talk> {
  const client = await connectGateway({ url: `ws://127.0.0.1:${port}`, token });
  const waiting = new Map<string, PromiseWithResolvers<void>>();
  client.subscribe(({ event, payload }: EventFrame) => {
    const { runId, state, errorMessage } = (payload ?? {}) as { runId?: string; state?: string; errorMessage?: string };
    if (event !== 'chat' || runId === undefined) return;
    if (state === 'final') waiting.get(runId)?.resolve();
    if (state === 'error' || state === 'aborted')
      waiting.get(runId)?.reject(new Error(`${runId}: ${errorMessage ?? state}`));
  });
  return {
    client,
    async turn(session, text) {
      const ended = Promise.withResolvers<void>();
      waiting.set(text, ended);
      await client.call('chat.send', { sessionKey: session, message: text, idempotencyKey: text });
      await ended.promise;
      waiting.delete(text);
    },
    [Symbol.asyncDispose]: () => client.close(),
  };
}

/** Messages `from` to `to` in all conversations, each conversation one after the other. */
async function talk(own: Talk, from: number, to: number): Promise<void> {
  const open = Array.from({ length: SESSIONS }, (_, session) => session);
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      for (let session = open.pop(); session !== undefined; session = open.pop())
        for (let n = from + session; n < to; n += SESSIONS) await own.turn(`soak${session}`, `soak${session}-${n}`);
    }),
  );
}

const idle = async (gateway: OwnGateway): Promise<number> => {
  await sleep(REST_MS);
  return gateway.cost().rss;
};

async function sizeOf(folder: string): Promise<number> {
  const sizes = await Promise.all(
    (await readdir(folder, { recursive: true })).map(async (name) => (await stat(join(folder, name))).size),
  );
  return sizes.reduce((sum, size) => sum + size, 0);
}

it(`${MESSAGES} messages over ${SESSIONS} conversations leave no more in memory than a restart needs`, {
  timeout: 3_600_000,
}, async (t) => {
  const model = fork(join(import.meta.dirname, '..', '..', 'bench', 'mock-model.mjs'), {
    execArgv: [],
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  });
  t.after(() => void model.kill());
  const [modelPort] = (await once(model.stdout!, 'data')) as [Buffer];
  await using home = await ownHome();
  await writeFile(
    join(home.state, 'clawdbot.json'),
    JSON.stringify({
      models: {
        providers: {
          mock: {
            baseUrl: `http://127.0.0.1:${Number(modelPort)}/v1`,
            apiKey: 'none',
            api: 'openai-completions',
            models: [{ id: 'mock', contextWindow: 32_000, maxTokens: 4096 }],
          },
        },
      },
      agents: { defaults: { model: 'mock/mock' } },
      logging: { level: 'silent', consoleLevel: 'silent' },
    }),
  );
  const seen: number[] = [];
  {
    await using gateway = await home.start();
    t.diagnostic(`idle at the start: ${mb(await idle(gateway))} MiB`);
    await using own = await talkTo(gateway);
    for (let part = 0; part < PARTS; part++) {
      const [from, to] = [part, part + 1].map(
        (end) => Math.round((MESSAGES / SESSIONS) * (end / PARTS)) * SESSIONS,
      ) as [number, number];
      const cpu = gateway.cost().cpuMs;
      await talk(own, from, to);
      const busy = gateway.cost();
      seen.push(await idle(gateway));
      t.diagnostic(
        `after ${to} messages: ${mb(seen.at(-1)!)} MiB idle (${mb(busy.rss)} when they ended), ${((busy.cpuMs - cpu) / (to - from)).toFixed(2)} ms of CPU a turn`,
      );
    }
    await gateway.stop();
  }
  await using again = await home.start();
  await using own = await talkTo(again);
  await talk(own, MESSAGES, MESSAGES + MORE * SESSIONS);
  const anew = await idle(again);
  t.diagnostic(
    `a restart, after ${MORE * SESSIONS} messages more: ${mb(anew)} MiB idle; the state folder has ` +
      `${mb(await sizeOf(home.state))} MiB`,
  );
  const wrong = await missing(own.client);
  assert.deepEqual(wrong, [], 'every message is there once, with its answer, in order');
  assert.ok(seen.at(-1)! <= anew * MAX_KEPT, `${mb(seen.at(-1)!)} MiB are kept, ${mb(anew)} would do`);
  assert.ok(seen.at(-1)! <= seen[0]! * MAX_GROWTH, `memory grew from ${mb(seen[0]!)} to ${mb(seen.at(-1)!)} MiB`);
  assert.ok(JSON.parse(await readFile(join(home.state, 'agents', 'main', 'sessions', 'sessions.json'), 'utf8')));
});

/** Conversations whose newest messages are not those that were sent, in their order. */
async function missing(client: GatewayConnection): Promise<string[]> {
  const wrong: string[] = [];
  for (let session = 0; session < SESSIONS; session++) {
    const { messages } = await client.call<{ messages: { role: string; content: string | { text?: string }[] }[] }>(
      'chat.history',
      { sessionKey: `soak${session}`, limit: 200 },
    );
    const said = messages
      .filter(({ role }) => role === 'user')
      .map(({ content }) => (typeof content === 'string' ? content : content.map(({ text }) => text ?? '').join('')));
    const all = Array.from(
      { length: MESSAGES / SESSIONS + MORE },
      (_, n) => `soak${session}-${session + n * SESSIONS}`,
    );
    const roles = messages
      .map(({ role }) => role)
      .join()
      .replaceAll('user,assistant', '')
      .replaceAll(',', '');
    if (said.join() !== all.slice(-said.length).join() || said.length < Math.min(90, all.length) || roles !== '')
      wrong.push(`soak${session}: ${said.slice(-3).join()}`);
  }
  return wrong;
}
