/**
 * One crash while jobs are due or sessions exchange messages: a kill at one checkpoint, a restart, and the count of
 * failures.
 */
import type { GatewayConnection } from '../../src/gateway/client.ts';
import { until } from '../../src/testing/until.ts';
import type { Fixture } from './fixture.ts';
import type { CrashCase } from './case-runner.ts';
import { openRows, queryJournal } from './journal.ts';
import { configText, connect, stop, type Running } from './scenario.ts';

export interface TimeResult {
  readonly died: boolean;
  readonly lost: number;
  readonly doubled: number;
  readonly unended: number;
  readonly effectsTwice: number;
  readonly notes: readonly string[];
}

export const CRON_CHECKPOINTS = [
  'cron.keep.before:1',
  'cron.keep.after:1',
  'cron.keep.after:2',
  'cron.claim.before:1',
  'cron.claim.after:1',
  'cron.claim.after:2',
  'cron.end.before:1',
  'cron.end.after:1',
  'cron.end.before:2',
  'accept.before:1',
  'accept.after:1',
  'model.before:1',
  'model.after:1',
  'tool.started:1',
  'tool.running',
  'tool.finished:1',
  'end.before:1',
  'end.after:1',
  'send.before:1',
  'send.after:1',
  'send.acknowledged:1',
  'accept.after:3',
  'end.after:2',
];
/**
 * All of its own; besides, where a run is claimed and its turn is not accepted, the turn is there and has not begun,
 * its tool works, it has ended and the run has not, and its answer is on its way.
 */
export const CRON_ESSENTIALS = [
  'cron.keep.before:1',
  'cron.keep.after:1',
  'cron.claim.before:1',
  'cron.claim.after:1',
  'cron.end.before:1',
  'cron.end.after:1',
  'accept.before:1',
  'accept.after:1',
  'tool.running',
  'end.after:1',
  'send.after:1',
];
export const TALK_CHECKPOINTS = [
  'exchange.open.before:1',
  'exchange.open.after:1',
  'exchange.open.after:2',
  'exchange.end.before:1',
  'exchange.end.after:1',
  'exchange.end.before:2',
  'accept.before:2',
  'accept.after:2',
  'accept.before:3',
  'accept.after:3',
  'accept.after:4',
  'accept.after:5',
  'model.before:2',
  'model.after:2',
  'tool.started:1',
  'tool.finished:1',
  'end.before:2',
  'end.after:2',
  'end.before:3',
  'end.after:3',
  'end.after:4',
  'send.before:2',
  'send.after:2',
];

/**
 * All of its own; besides, where the tool that asks has begun and has ended, the question is there and has not been
 * answered, the answer is there and not told, and its word is on its way.
 */
export const TALK_ESSENTIALS = [
  'exchange.open.before:1',
  'exchange.open.after:1',
  'exchange.end.before:1',
  'exchange.end.after:1',
  'tool.started:1',
  'tool.finished:1',
  'accept.after:2',
  'end.after:2',
  'send.after:2',
];

/** The configuration of the gateways, with `config` besides what all have. */
const configOf =
  (config: object) =>
  (_home: string, { url }: Fixture): string => {
    const base = JSON.parse(configText(url));
    return JSON.stringify({
      ...base,
      ...config,
      agents: { defaults: { ...base.agents.defaults, heartbeat: { every: '0m' } } },
    });
  };

/**
 * Runs `say` against a gateway that dies at `moment`, then lets another one come to rest. Answers whether the first one
 * died.
 */
async function twice(
  crashCase: CrashCase,
  checkpoint: string,
  { say, rest }: { say(client: GatewayConnection): Promise<void>; rest(client: GatewayConnection): Promise<void> },
): Promise<boolean> {
  const first = crashCase.current();
  if (checkpoint === 'tool.running') crashCase.fixture.onEffect = () => void first.child.kill('SIGKILL');
  else await crashCase.arm(checkpoint);
  const died = await spoken(first, say);
  crashCase.fixture.onEffect = undefined;
  const client = await connect(await crashCase.again());
  await rest(client);
  client.close();
  return died;
}

async function spoken(running: Running, say: (client: GatewayConnection) => Promise<void>): Promise<boolean> {
  const saying = connect(running)
    .then(async (client) => {
      await say(client);
      await client.closed;
    })
    .catch(() => undefined);
  const died = await Promise.race([
    running.gone.then(() => true),
    saying.then(() => running.gone.then(() => true)),
    timeout(),
  ]);
  if (!died) await stop(running);
  return died;
}

const timeout = (): Promise<boolean> => new Promise((resolve) => setTimeout(() => resolve(false), 15_000).unref());

export const configOfTime = configOf({});

/**
 * Two jobs that are due at once, one with a tool whose effect is counted; the caller makes them again when it did not
 * hear that they were kept.
 */
export async function crashInTime(checkpoint: string, crashCase: CrashCase): Promise<TimeResult> {
  const { home, fixture: made, nth } = crashCase;
  const [alpha, beta] = [`alpha${nth}`, `beta${nth}`];
  const jobs = [alpha, beta];
  const at = Date.now() + 1000;
  const make = async (client: GatewayConnection): Promise<void> => {
    const known: readonly { name: string }[] = ((await client.call('cron.list', { includeDisabled: true })) as any)
      .jobs;
    for (const name of jobs) {
      if (known.some((job) => job.name === name)) continue;
      await client.call('cron.add', {
        name,
        schedule: { kind: 'at', atMs: Math.max(at, Date.now() + 500) },
        payload: {
          kind: 'agentTurn',
          message: name === alpha ? `do ${name}` : `say ${name}`,
          deliver: true,
          channel: 'pipe',
          to: 'ann',
        },
      });
    }
  };
  const died = await twice(crashCase, checkpoint, {
    say: make,
    async rest(client) {
      await make(client);
      await until(
        async () =>
          ((await client.call('cron.runs', { scope: 'all', limit: 200 })) as any).entries.filter(
            ({ status }: any) => status !== undefined,
          ).length >=
          nth * jobs.length,
        'the runs',
      );
      await until(() => openRows(home) === 0, 'everything to come to rest').catch(() => undefined);
    },
  });
  const notes: string[] = [];
  const sends = jobs.map((name) => made.sends.filter(({ text }) => text.includes(`${name}]`)).length);
  if (sends.some((count) => count !== 1)) notes.push(`sends: ${made.sends.map(({ text }) => text).join(' | ')}`);
  const ledger = ledgerOf(home);
  const open = ledger.filter(({ state }) => state === 'running').length;
  const slots = new Map<string, number>();
  for (const { job_id: id } of ledger) slots.set(id, (slots.get(id) ?? 0) + 1);
  if ([...slots.values()].some((count) => count !== 1)) notes.push(`ledger: ${JSON.stringify(ledger)}`);
  return {
    died,
    notes,
    lost: sends.filter((count) => count === 0).length,
    unended: openRows(home) + open,
    doubled: sends.filter((count) => count > 1).length + [...slots.values()].filter((count) => count > 1).length,
    effectsTwice: [...made.effects.values()].filter((times) => times > 1).length,
  };
}

const ledgerOf = (home: string): readonly any[] => queryJournal(home, 'SELECT * FROM cron_run');

export const configOfTalk = configOf({
  commands: { ownerAllowFrom: TALK_CHECKPOINTS.map((_, index) => `pipe:ann${index + 1}`) },
  session: { dmScope: 'per-channel-peer', agentToAgent: { maxPingPongTurns: 1 } },
});

/**
 * Ann's conversation asks Bob's, and sends out a helper: each is asked once, each answer is heard once, Bob's chat
 * hears of it once.
 */
export async function crashInTalk(checkpoint: string, crashCase: CrashCase): Promise<TimeResult> {
  const { home, fixture: made, nth } = crashCase;
  const [ann, bob] = [`ann${nth}`, `bob${nth}`];
  const target = `agent:main:pipe:dm:${bob}`;
  const write = (id: string, chat: string, text: string): void =>
    void made.unacknowledged.set(`${id}-${nth}`, { id: `${id}-${nth}`, chat, text });
  write('u0', bob, 'hello');
  const died = await twice(crashCase, checkpoint, {
    async say() {
      await until(() => made.sends.some(({ chat }) => chat === bob), 'Bob');
      write('u1', ann, `ask ${target}: what time is it`);
      write('u2', ann, 'send out: look around');
    },
    async rest() {
      await until(() => made.sends.some(({ chat }) => chat === bob), 'Bob');
      if (!made.sends.some(({ chat }) => chat === ann) && made.unacknowledged.size === 0 && !asked(home, nth)) {
        write('u1', ann, `ask ${target}: what time is it`);
        write('u2', ann, 'send out: look around');
      }
      await until(
        () =>
          made.sends.filter(({ chat }) => chat === ann).length >= 3 &&
          made.sends.filter(({ chat }) => chat === bob).length >= 2,
        'both to be told',
      ).catch(() => undefined);
      await until(
        () => made.unacknowledged.size === 0 && openRows(home) + openExchanges(home) === 0,
        'everything to come to rest',
      ).catch(() => undefined);
    },
  });
  const notes: string[] = [];
  const steps = stepsOf(home);
  const twiceAsked = steps.filter((id, at) => steps.indexOf(id) !== at);
  const wanted: readonly (readonly [string, (send: { chat: string; text: string }) => boolean])[] = [
    ['Ann, of the question', ({ chat, text }) => chat === ann && text.includes(`ask ${target}`)],
    [
      'Ann, of the helper sent',
      ({ chat, text }) => chat === ann && text.startsWith('echo') && text.includes('send out'),
    ],
    [
      'Ann, of what the helper found',
      ({ chat, text }) =>
        chat === ann && !text.includes('send out: ') && text.includes('look around') && !text.includes('ask '),
    ],
    ['Bob, of the question', ({ chat, text }) => chat === bob && text.includes('what time is it')],
  ];
  const counts = wanted.map(([, fits]) => made.sends.filter(fits).length);
  if (counts.some((count) => count !== 1))
    notes.push(
      `told ${wanted.map(([who], at) => `${who}: ${counts[at]}`).join('; ')}; sends: ${made.sends.map(({ chat, text }) => `${chat}: ${text.slice(0, 300)}`).join(' | ')}`,
    );
  const open = openRows(home) + openExchanges(home);
  if (open > 0) notes.push(`${open} rows without an end`);
  return {
    died,
    notes,
    lost: counts.filter((count) => count === 0).length,
    doubled: counts.filter((count) => count > 1).length + twiceAsked.length,
    unended: open,
    effectsTwice: 0,
  };
}

const asked = (home: string, nth: number): boolean =>
  queryJournal(home, `SELECT 1 FROM inbound WHERE message_id IN ('u1-${nth}', 'u2-${nth}')`).length > 0;
const openExchanges = (home: string): number =>
  queryJournal(home, `SELECT 1 FROM exchange WHERE state = 'open'`).length;
const stepsOf = (home: string): readonly string[] =>
  queryJournal(home, `SELECT message_id FROM inbound WHERE message_id LIKE 'exchange:%'`).map(
    ({ message_id: id }) => id,
  );
