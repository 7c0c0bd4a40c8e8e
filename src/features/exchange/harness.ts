/** Exchanges on a real journal, with sessions and turns that a test plays, over several runs of the gateway. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import type { ExchangeStep } from '../../core/trigger.ts';
import { AppError } from '../../core/errors.ts';
import { silentLog } from '../../core/log.ts';
import type { ChatAddress } from '../../core/message.ts';
import { noUsage } from '../../core/transcript.ts';
import type { TurnOutcome } from '../../core/turn.ts';
import type { Exchange } from './exchange.ts';
import { EXCHANGE_TABLES } from './exchange-tables.ts';
import { createJournal } from '../../journal/create-journal.ts';
import type { Accepted, InboundRow } from '../../journal/rows.ts';
import { createRunHub } from '../../pipeline/run-hub.ts';
import type { SessionEntry, SessionPatch } from '../../sessions/entry.ts';
import { createFakeClock } from '../../testing/fake-clock.ts';
import { tempDir } from '../../testing/temp-dir.ts';
import { until } from '../../testing/until.ts';
import { createExchanges } from './create-exchanges.ts';
import { peopleAuthority } from '../../testing/sample-authority.ts';
import { instantDisk } from '../../testing/instant-disk.ts';

export const ID = 'a'.repeat(32);

export const [A, B, CHILD] = ['agent:main:main', 'agent:main:desk:group:room', 'agent:main:subagent:c0ffee'];

export const ROOM: ChatAddress = { channel: 'desk', accountId: 'work', chat: { kind: 'group', id: 'Room' } };

export const ANN: ChatAddress = { channel: 'desk', accountId: 'default', chat: { kind: 'direct', id: 'ann' } };

export const own = (key: string): ChatAddress => ({
  channel: 'webchat',
  accountId: 'default',
  chat: { kind: 'direct', id: key },
});

export const sent: Exchange = {
  id: ID,
  kind: 'send',
  requesterKey: A,
  targetKey: B,
  request: 'What do you want?',
  turns: 2,
  announce: true,
  depth: 1,
  authority: peopleAuthority({ ids: ['u7'] }),
  createdAt: 1,
};

export const spawned: Exchange = {
  ...sent,
  kind: 'spawn',
  targetKey: CHILD,
  request: 'Count the files',
  turns: 0,
  replyTo: ANN,
  child: { cleanup: 'keep', label: 'counter' },
};

export const signal = new AbortController().signal;

export const said = (text: string): TurnOutcome => ({
  kind: 'done',
  text,
  usage: { ...noUsage, input: 10, output: 5, total: 15 },
});

export type Answer = string | TurnOutcome | 'never';

export type Taken = readonly [ExchangeStep, string];

/** Kills at the `at`-th write, before or after it is done; after that nothing of that run happens any more. */
export interface Death {
  readonly at: number;
  readonly when: 'before' | 'after';
}

export async function fixture(answer: (step: ExchangeStep, row: InboundRow, nth: number) => Answer = () => 'fine') {
  const dir = await tempDir('exchange');
  const clock = createFakeClock();
  const journal = createJournal({
    ...instantDisk,
    path: join(dir.path, 'journal.sqlite'),
    now: () => clock.now(),
    tables: [EXCHANGE_TABLES],
  });
  const rows = journal.tables(EXCHANGE_TABLES);
  const entries = new Map<string, SessionEntry>([
    [A, { sessionId: 'a', updatedAt: 1 }],
    [
      B,
      { sessionId: 'b', updatedAt: 1, lastChannel: 'desk', lastTo: 'Room', lastAccountId: 'work', chatType: 'group' },
    ],
  ]);
  const taken: Accepted[] = [];
  const ended: string[] = [];
  const deleted: string[] = [];
  const aborted: string[] = [];
  const writes = { count: 0 };

  function instance(death?: Death) {
    const hub = createRunHub({ now: () => clock.now() });
    const state = { dead: false };
    const dying = Promise.withResolvers<void>();
    const die = (): never => {
      state.dead = true;
      dying.resolve();
      throw new AppError('unavailable', 'killed');
    };
    /** One write, which may be the last. */
    async function write<T>(work: () => Promise<T>): Promise<T> {
      if (state.dead) return new Promise<T>(() => undefined);
      const nth = ++writes.count;
      if (death?.at === nth && death.when === 'before') die();
      const done = await work();
      if (death?.at === nth && death.when === 'after') die();
      return state.dead ? new Promise<T>(() => undefined) : done;
    }
    async function run(row: InboundRow): Promise<void> {
      if (row.trigger?.origin !== 'session') return;
      hub.accepted({
        runId: row.runId,
        sessionKey: row.route.sessionKey,
        agentId: row.route.agentId,
        origin: 'session',
      });
      const given = answer(row.trigger.step, row, taken.length);
      if (given === 'never') return;
      await write(() =>
        journal.turns.begin({
          id: row.runId,
          sessionKey: row.route.sessionKey,
          agentId: 'main',
          sessionId: 's',
          seqs: [row.seq],
        }),
      );
      const outcome = typeof given === 'string' ? said(given) : given;
      await write(() =>
        journal.turns.end({
          turnId: row.runId,
          outcome,
          inbound: { state: outcome.kind === 'failed' ? 'failed' : 'answered' },
          replies: [],
        }),
      );
      ended.push(row.runId);
      hub.emit(row.runId, { type: 'ended', outcome });
    }
    const quietly = (work: Promise<void>): void =>
      void work.catch((error: unknown) => assert.match(String(error), /killed/));
    const exchanges = createExchanges({
      runs: hub,
      clock,
      log: silentLog,
      channelId: (name) => (name === 'desk' ? name : undefined),
      agentOf: () => 'main',
      archiveAfterMinutes: () => 60,
      journal: {
        ...journal,
        exchanges: {
          ...rows,
          open: (...one) => write(() => rows.open(...one)),
          end: (id, at) => write(() => rows.end(id, at)),
        },
      },
      async receive(accepted: Accepted, runId: string) {
        const result = await write(() => journal.inbound.accept(accepted, runId));
        if (result.status === 'accepted') {
          taken.push(accepted);
          quietly(run(result.row));
        }
        return result;
      },
      sessions: {
        get: async (key) => entries.get(key),
        patch: (key: string, patch: SessionPatch) =>
          write(async () => void entries.set(key, { sessionId: key, updatedAt: clock.now(), ...(patch as object) })),
        delete: (key: string) =>
          write(async () => {
            deleted.push(key);
            entries.delete(key);
          }),
      },
      abort: async (key) => {
        aborted.push(key);
        for (const row of (await journal.inbound.open()).filter((one) => one.route.sessionKey === key)) {
          await journal.inbound.end([row.seq], { state: 'declined', reason: 'stopped' });
          hub.emit(row.runId, { type: 'ended', outcome: { kind: 'aborted', text: '', usage: noUsage } });
        }
      },
    });
    return {
      hub,
      exchanges,
      dead: dying.promise,
      /** What the pipeline does after a start: every message without an end is taken up. */
      async resume() {
        for (const row of await journal.inbound.open()) quietly(run(row));
      },
    };
  }

  return {
    clock,
    journal,
    rows,
    entries,
    taken,
    ended,
    deleted,
    aborted,
    writes,
    instance,
    steps: (): Taken[] =>
      taken.map(({ trigger, route }) => [(trigger as { step: ExchangeStep }).step, route.sessionKey]),
    over: (id = ID) =>
      until(async () => {
        const one = await rows.find(id);
        return one?.state !== 'open' && (await journal.inbound.open()).length === 0 ? one : undefined;
      }, 'the exchange to end'),
    async [Symbol.asyncDispose]() {
      await journal.close();
      await dir[Symbol.asyncDispose]();
    },
  };
}
