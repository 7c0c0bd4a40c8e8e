/**
 * One crash: a fresh state, a conversation on two channels, a kill at one moment, a restart, and the count of what went
 * wrong.
 */
import { spawn, type ChildProcess } from 'node:child_process';
import { createInterface } from 'node:readline';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readJournal } from '../../src/testing/read-journal.ts';
import { connectGateway, type GatewayConnection } from '../../src/gateway/client.ts';
import { createFixture, type Fixture } from './fixture.ts';
import { until } from '../../src/testing/until.ts';
import { built } from '../../src/testing/built.ts';
import { compileCache } from '../../src/testing/compile-cache.ts';

export interface Damage {
  readonly lost: number;
  readonly doubled: number;
  readonly reordered: number;
  readonly unended: number;
  readonly effectsTwice: number;
}

export interface Result extends Damage {
  readonly died: boolean;
  readonly notes: readonly string[];
}

/** An address that needs no DNS; the command that reads it never connects. */
export const LINK = 'http://8.8.8.8/page';
const PIPE = [`one ${LINK}`, 'two do alpha', `three ${LINK}`];
const WEB = ['first', `second ${LINK} do beta`, 'third'];

/**
 * `moment`: as in `child.ts`, or `tool.running`: killed from outside while the tool's effect has happened and it has
 * not heard so.
 */
export async function crashAt(checkpoint: string): Promise<Result> {
  const home = await mkdtemp(join(tmpdir(), 'clawdbot-crash-'));
  const fixture = await createFixture();
  try {
    await writeFile(join(home, 'clawdbot.json'), configText(fixture.url, 'followup', await linkReader(home)));
    const outside = checkpoint.startsWith('tool.running');
    const first = await start(home, fixture, outside ? '-' : checkpoint);
    if (outside) fixture.onEffect = () => void first.child.kill('SIGKILL');
    const died = await talk(fixture, first);
    fixture.onEffect = undefined;
    const second = await start(home, fixture, '-');
    const history = await settle(fixture, second);
    await stop(second);
    return { died, ...count(fixture, history, home) };
  } finally {
    await fixture.close();
    await rm(home, { recursive: true, force: true, maxRetries: 5 });
  }
}

export interface Running {
  readonly child: ChildProcess;
  readonly port: number;
  readonly token: string;
  readonly gone: Promise<void>;
}

export async function start(home: string, fixture: Fixture, fatal: string): Promise<Running> {
  const child = spawn(process.execPath, [built('test/crash/child.ts'), fatal], {
    env: { ...compileCache, PATH: process.env['PATH'], HOME: home, CLAWDBOT_STATE_DIR: home, FIXTURE_URL: fixture.url },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let complaints = '';
  child.stderr!.on('data', (data) => {
    complaints += data;
  });
  const gone = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  for await (const line of createInterface({ input: child.stdout! })) {
    if (!line.startsWith('ready ')) continue;
    const { port, token } = JSON.parse(line.slice(6)) as { port: number; token: string };
    return { child, port, token, gone };
  }
  // It may die before it is ready: then there is nobody to talk to, which is a crash like any other.
  if (fatal !== '-') return { child, port: 0, token: '', gone };
  throw new Error(`The gateway did not start: ${complaints}`);
}

export async function stop({ child, gone }: Running): Promise<void> {
  child.kill('SIGTERM');
  await gone;
}

/** Says everything; answers whether the gateway died of it. */
async function talk(fixture: Fixture, running: Running): Promise<boolean> {
  PIPE.forEach((text, index) => fixture.unacknowledged.set(`u${index}`, { id: `u${index}`, chat: 'ann', text }));
  const said = (async () => {
    const client = await connect(running);
    for (const [index, text] of WEB.entries()) await send(client, index, text);
    await until(() => fixture.unacknowledged.size === 0 && fixture.sends.length >= PIPE.length);
    await finished(client);
    client.close();
    return false;
  })().catch(() => undefined);
  const died = running.gone.then(() => true);
  const outcome = await Promise.race([said, died]);
  if (outcome === undefined) return died;
  if (!outcome) await stop(running);
  return outcome;
}

/** After the restart: what was never acknowledged is sent again, then everything is left to come to rest. */
async function settle(fixture: Fixture, running: Running): Promise<readonly any[]> {
  const client = await connect(running);
  for (const [index, text] of WEB.entries()) await send(client, index, text);
  await until(() => fixture.unacknowledged.size === 0);
  await finished(client);
  await until(() => new Set(fixture.sends.map((one) => one.token)).size >= PIPE.length).catch(() => undefined);
  const { messages } = (await client.call('chat.history', { sessionKey: 'agent:main:web', limit: 100 })) as {
    messages: any[];
  };
  client.close();
  return messages;
}

export const connect = ({ port, token }: Running): Promise<GatewayConnection> =>
  connectGateway({ url: `ws://127.0.0.1:${port}`, token });
const send = (client: GatewayConnection, index: number, text: string): Promise<unknown> =>
  client.call('chat.send', { sessionKey: 'agent:main:web', message: text, idempotencyKey: `web-${index}` });

/** Waits until every web message has ended. */
async function finished(client: GatewayConnection): Promise<void> {
  for (const index of WEB.keys()) await client.call('agent.wait', { runId: `web-${index}`, timeoutMs: 20_000 });
}

function count(fixture: Fixture, history: readonly any[], home: string): Omit<Result, 'died'> {
  const notes: string[] = [];
  const textOf = (message: any): string =>
    message.content.flatMap((block: any) => (block.type === 'text' ? [block.text] : [])).join('');
  const web = history.filter((message) => message.role === 'assistant' && textOf(message) !== '').map(textOf);
  const asked = history.filter((message) => message.role === 'user').map(textOf);
  const pipe = fixture.sends.map((one) => one.text);
  const tally = (answers: readonly string[], questions: readonly string[]): Damage => {
    const hits = questions.map((text) => answers.filter((answer) => answer.startsWith(`echo ${text}`)).length);
    const order = answers
      .map((answer) => questions.findIndex((text) => answer.startsWith(`echo ${text}`)))
      .filter((index) => index >= 0);
    const strays = answers.filter(
      (answer) =>
        !questions.some((text) => answer.startsWith(`echo ${text}`)) ||
        answer.split('a page').length - 1 !== (answer.includes(LINK) ? 1 : 0),
    );
    if (strays.length > 0) notes.push(`stray: ${strays.join(' | ')}`);
    return {
      lost: hits.filter((n) => n === 0).length,
      doubled: hits.filter((n) => n > 1).length + strays.length,
      reordered: order.filter((place, at) => at > 0 && place < order[at - 1]!).length,
      unended: 0,
      effectsTwice: 0,
    };
  };
  const sums = [tally(pipe, PIPE), tally(web, WEB)];
  const doubledQuestions = WEB.filter(
    (text) => asked.filter((one) => one === text || one.startsWith(`${text}\n\n[Link]`)).length !== 1,
  );
  if (doubledQuestions.length > 0) notes.push(`questions in the transcript: ${asked.join(' | ')}`);
  const twice = [...fixture.effects].filter(([, times]) => times > 1);
  return {
    lost: sums[0]!.lost + sums[1]!.lost,
    doubled: sums[0]!.doubled + sums[1]!.doubled + doubledQuestions.length,
    reordered: sums[0]!.reordered + sums[1]!.reordered,
    unended: openRows(home),
    effectsTwice: twice.length,
    notes,
  };
}

export function openRows(home: string): number {
  const open = readJournal(
    home,
    (db) =>
      db
        .prepare(
          `SELECT (SELECT count(*) FROM inbound WHERE state = 'accepted') + (SELECT count(*) FROM outbox WHERE state IN ('pending','sending','uncertain')) + (SELECT count(*) FROM turn WHERE state = 'running') AS n`,
        )
        .get() as { n: number },
  );
  return open.n;
}

/** A command that reads every link the same way. */
export async function linkReader(home: string): Promise<string> {
  const path = join(home, 'read-link');
  await writeFile(path, '#!/bin/sh\necho "a page"\n', { mode: 0o700 });
  return path;
}

export const configText = (url: string, queue = 'followup', linkCommand?: string): string =>
  JSON.stringify({
    ...(linkCommand ? { tools: { links: { models: [{ command: linkCommand, args: ['{{LinkUrl}}'] }] } } } : {}),
    agents: { defaults: { model: 'fixture/m', workspace: '~/work' } },
    models: {
      providers: {
        fixture: {
          baseUrl: `${url}/v1`,
          apiKey: 'k',
          api: 'openai-completions',
          models: [{ id: 'm', contextWindow: 100_000 }],
        },
      },
    },
    plugins: { load: { paths: [built('test/crash/plugin')] } },
    channels: { pipe: { url, allowFrom: ['*'] } },
    session: { dmScope: 'per-channel-peer' },
    messages: { queue: { mode: queue, debounceMs: 20, cap: 1000 } },
  });
