/** One crash: a conversation on two channels, a kill at one checkpoint, a restart, and the count of failures. */
import { spawn, type ChildProcess } from 'node:child_process';
import { createInterface } from 'node:readline';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { connectGateway, type GatewayConnection } from '../../src/gateway/client.ts';
import type { Fixture, Send } from './fixture.ts';
import type { CrashCase } from './case-runner.ts';
import { openRows } from './journal.ts';
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
/** What is said in one case; the number tells it from what others say on the same gateway. */
interface Script {
  /** Sends before it are no part of the case; all after it are. */
  readonly since: number;
  readonly chat: string;
  readonly session: string;
  readonly pipe: readonly string[];
  readonly web: readonly string[];
}

const scriptOf = ({ nth, fixture }: CrashCase): Script => ({
  since: fixture.sends.length,
  chat: `ann${nth}`,
  session: `agent:main:web${nth}`,
  pipe: [`one ${LINK}`, `two do alpha${nth}`, `three ${LINK}`],
  web: ['first', `second ${LINK} do beta${nth}`, 'third'],
});

export const crashConfig = async (home: string, { url }: Fixture): Promise<string> =>
  configText(url, 'followup', await linkReader(home));

/**
 * `moment`: as in `child.ts`, or `tool.running`: killed from outside while the tool's effect has happened and it has
 * not heard so.
 */
export async function crashAt(checkpoint: string, crashCase: CrashCase): Promise<Result> {
  const { home, fixture } = crashCase;
  const script = scriptOf(crashCase);
  const first = crashCase.current();
  if (checkpoint.startsWith('tool.running')) fixture.onEffect = () => void first.child.kill('SIGKILL');
  else await crashCase.arm(checkpoint);
  const died = await talk(fixture, first, script);
  fixture.onEffect = undefined;
  const history = await settle(fixture, await crashCase.again(), script);
  await until(() => openRows(home) === 0, 'everything to come to rest').catch(() => undefined /* it is counted */);
  return { died, ...count(sendsOf(fixture, script), history, { fixture, home, script }) };
}

const sendsOf = ({ sends }: Fixture, { since }: Script): readonly Send[] => sends.slice(since);

export interface Running {
  readonly child: ChildProcess;
  readonly port: number;
  readonly token: string;
  readonly gone: Promise<void>;
}

/** Far beyond what a start takes: one that hangs says what it said, and does not use up the time of its case. */
const START_TIMEOUT_MS = 60_000;

export async function start(home: string, fixture: Fixture, fatal: string): Promise<Running> {
  const child = spawn(process.execPath, [built('test/crash/child.ts'), fatal], {
    env: { ...compileCache, PATH: process.env['PATH'], HOME: home, CLAWDBOT_STATE_DIR: home, FIXTURE_URL: fixture.url },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  let complaints = '';
  child.stderr!.on('data', (data) => {
    complaints += data;
  });
  const gone = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  for await (const line of createInterface({ input: child.stdout!, signal: AbortSignal.timeout(START_TIMEOUT_MS) })) {
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
async function talk(fixture: Fixture, running: Running, script: Script): Promise<boolean> {
  script.pipe.forEach((text, index) => {
    const id = `${script.chat}-${index}`;
    fixture.unacknowledged.set(id, { id, chat: script.chat, text });
  });
  const said = (async () => {
    const client = await connect(running);
    for (const index of script.web.keys()) await send(client, index, script);
    await until(() => fixture.unacknowledged.size === 0 && sendsOf(fixture, script).length >= script.pipe.length);
    await finished(client, script);
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
async function settle(fixture: Fixture, running: Running, script: Script): Promise<readonly any[]> {
  const client = await connect(running);
  for (const index of script.web.keys()) await send(client, index, script);
  await until(() => fixture.unacknowledged.size === 0);
  await finished(client, script);
  await until(() => new Set(sendsOf(fixture, script).map((one) => one.token)).size >= script.pipe.length).catch(
    () => undefined,
  );
  const { messages } = (await client.call('chat.history', { sessionKey: script.session, limit: 100 })) as {
    messages: any[];
  };
  client.close();
  return messages;
}

export const connect = ({ port, token }: Running): Promise<GatewayConnection> =>
  connectGateway({ url: `ws://127.0.0.1:${port}`, token });
const runId = ({ session }: Script, index: number): string => `${session}-${index}`;
const send = (client: GatewayConnection, index: number, script: Script): Promise<unknown> =>
  client.call('chat.send', {
    sessionKey: script.session,
    message: script.web[index],
    idempotencyKey: runId(script, index),
  });

/** Waits until every web message has ended. */
async function finished(client: GatewayConnection, script: Script): Promise<void> {
  for (const index of script.web.keys())
    await client.call('agent.wait', { runId: runId(script, index), timeoutMs: 20_000 });
}

function count(
  sends: readonly Send[],
  history: readonly any[],
  { fixture, home, script }: { readonly fixture: Fixture; readonly home: string; readonly script: Script },
): Omit<Result, 'died'> {
  const notes: string[] = [];
  const textOf = (message: any): string =>
    message.content.flatMap((block: any) => (block.type === 'text' ? [block.text] : [])).join('');
  const web = history.filter((message) => message.role === 'assistant' && textOf(message) !== '').map(textOf);
  const asked = history.filter((message) => message.role === 'user').map(textOf);
  const pipe = sends.map((one) => one.text);
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
  const sums = [tally(pipe, script.pipe), tally(web, script.web)];
  const doubledQuestions = script.web.filter(
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
