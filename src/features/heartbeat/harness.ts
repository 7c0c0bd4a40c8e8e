/**
 * Heartbeats on a real journal and run hub, with a clock that stands still and an agent that answers what the test
 * says.
 */
import { setImmediate } from 'node:timers/promises';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { agentsConfigSchema } from '../../agent/config.ts';
import { agentEntry, agentIds, defaultAgentId, resolveAgent } from '../../agent/resolve-agent.ts';
import { prepareWorkspace } from '../../agent/workspace/prepare-workspace.ts';
import { extendSchema } from '../../config/extend-schema.ts';
import type { Config } from '../../schema.ts';
import heartbeat from './index.ts';
import { createHeartbeats, type Heartbeats } from './create-heartbeats.ts';
import type { WakeRequest } from '../../host/wake.ts';
import { createSystemEvents } from '../../host/system-events.ts';
import { AppError } from '../../core/errors.ts';
import { originOf } from '../../core/trigger.ts';
import { silentLog } from '../../core/log.ts';
import type { ChatAddress } from '../../core/message.ts';
import { canonicalSessionKey, mainSessionKey } from '../../core/session-key.ts';
import { noUsage, type Message } from '../../core/transcript.ts';
import { SUSPENDED_CODE, type TurnOutcome } from '../../core/turn.ts';
import type { HeartbeatEvent as HeartbeatReport } from './answers.ts';
import { createJournal } from '../../journal/create-journal.ts';
import type { Accepted, InboundRow } from '../../journal/rows.ts';
import { createRunHub } from '../../pipeline/run-hub.ts';
import type { SessionEntry } from '../../sessions/entry.ts';
import { createFakeClock, type FakeClock } from '../../testing/fake-clock.ts';
import { tempDir } from '../../testing/temp-dir.ts';
import { until } from '../../testing/until.ts';
import { surfaceAuthority } from '../../testing/sample-authority.ts';
import { instantDisk } from '../../testing/instant-disk.ts';

/** Thursday 15 January 2026, 12:00 UTC. */
export const NOON = Date.UTC(2026, 0, 15, 12);
export const MINUTE = 60_000;

const agentsSchema = extendSchema(
  agentsConfigSchema,
  heartbeat.config.map(({ path, schema }) => ({ path: path.replace('agents.', ''), schema })),
);

export type Harness = Awaited<ReturnType<typeof heartbeatHarness>>;

export interface HarnessOptions {
  readonly agents?: unknown;
  readonly channels?: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  /** HEARTBEAT.md; null: there is none, and none is made. */
  readonly file?: string | null;
  readonly entries?: Readonly<Record<string, Partial<SessionEntry>>>;
  /** What the agent says. Absent: turns run until the test ends them. */
  readonly answer?: string;
  readonly hostZone?: string;
  readonly startMs?: number;
  /** Its commands live in a sandbox. */
  readonly boxed?: boolean;
}

/** The files outlive an instance of the gateway: `again` starts the next one on them. */
export async function heartbeatHarness(options: HarnessOptions = {}) {
  const dir = await tempDir('heartbeats');
  const workspace = join(dir.path, 'clawd');
  const clock = createFakeClock(options.startMs ?? NOON);
  const journal = createJournal({ ...instantDisk, path: join(dir.path, 'journal.sqlite'), now: () => clock.now() });
  const entries = new Map<string, SessionEntry>(
    Object.entries(options.entries ?? {}).map(([key, entry]) => [key, { sessionId: key, updatedAt: 1, ...entry }]),
  );
  const fixture = {
    agents: options.agents ?? {},
    channels: options.channels ?? {},
    answer: options.answer,
    transcripts: new Map<string, Message[]>(),
    accepted: [] as Accepted[],
    reports: [] as HeartbeatReport[],
    /** Messages on their way in: whoever sends one goes on when it has come to its end. */
    arriving: 0,
  };
  await mkdir(workspace, { recursive: true });
  if (typeof options.file === 'string') await writeFile(join(workspace, 'HEARTBEAT.md'), options.file);
  const parsed = new WeakMap<object, ReturnType<typeof agentsSchema.parse>>();
  function config() {
    const agents =
      parsed.get(fixture.agents as object) ??
      agentsSchema.parse(options.file === null ? withoutStarters(fixture.agents) : fixture.agents);
    parsed.set(fixture.agents as object, agents);
    return { agents, channels: fixture.channels };
  }

  const instance = () =>
    createInstance({
      clock,
      journal,
      entries,
      fixture,
      config,
      path: join(dir.path, 'heartbeats.json'),
      workspace,
      hostZone: options.hostZone ?? 'UTC',
      boxed: options.boxed ?? false,
    });
  let now = instance();
  await now.heartbeats.start();
  return {
    clock,
    journal,
    fixture,
    workspace,
    path: join(dir.path, 'heartbeats.json'),
    get heartbeats(): Heartbeats {
      return now.heartbeats;
    },
    get hub() {
      return now.hub;
    },
    end: (runId: string, outcome?: Partial<TurnOutcome> & { kind: TurnOutcome['kind'] }) => now.end(runId, outcome),
    busy: (runId: string, sessionKey = 'agent:main:main') =>
      now.hub.accepted({ runId, sessionKey, agentId: 'main', origin: 'message' }),
    entry: (key: string, entry: Partial<SessionEntry>) =>
      void entries.set(key, { sessionId: key, updatedAt: 1, ...entries.get(key), ...entry }),
    texts: (): readonly string[] => fixture.accepted.map(({ message }) => message.text),
    /** Time passes; `things`: how many messages and reports come of it. */
    async advance(ms: number, things = 0): Promise<void> {
      const before = fixture.accepted.length + fixture.reports.length;
      await clock.advance(ms);
      await until(
        () => fixture.arriving === 0 && fixture.accepted.length + fixture.reports.length >= before + things,
        `${things} messages and reports`,
      );
    },
    /** `kill`: nothing of the old run is closed or written any more. */
    async again(how: 'stop' | 'kill' = 'stop'): Promise<void> {
      await (how === 'stop' ? now.stop() : now.kill());
      now = instance();
      await now.heartbeats.start();
    },
    wake: (over: Partial<WakeRequest> = {}) =>
      now.heartbeats.wake({
        agentId: 'main',
        authority: surfaceAuthority(),
        text: 'the door bell rang',
        id: 'w1',
        reason: 'wake',
        mode: 'now',
        ifSkipped: 'leave',
        ...over,
      }),
    async [Symbol.asyncDispose]() {
      await now.stop();
      await now.leaveWorkspace();
      await journal.close();
      await dir[Symbol.asyncDispose]();
    },
  };
}

interface InstanceDeps {
  readonly clock: FakeClock;
  readonly journal: ReturnType<typeof createJournal>;
  readonly entries: Map<string, SessionEntry>;
  readonly fixture: {
    answer: string | undefined;
    readonly transcripts: Map<string, Message[]>;
    readonly accepted: Accepted[];
    readonly reports: HeartbeatReport[];
    arriving: number;
  };
  config(): {
    agents: ReturnType<typeof agentsSchema.parse>;
    channels: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  };
  readonly path: string;
  readonly workspace: string;
  readonly hostZone: string;
  readonly boxed: boolean;
}

function createInstance({ clock, journal, entries, fixture, config, path, workspace, hostZone, boxed }: InstanceDeps) {
  const hub = createRunHub({ now: () => clock.now() });
  const lines = (key: string): Message[] => fixture.transcripts.get(key) ?? fixture.transcripts.set(key, []).get(key)!;
  const rules = { mainKey: 'main', defaultAgentId: 'main' };
  const state = { alive: true, isOpen: true };
  const preparing = new Set<Promise<unknown>>();

  /** Runs the turn as far as heartbeats see of it: judged, ended in the journal, told to the hub. */
  async function end(
    runId: string,
    { kind = 'done', ...over }: Partial<TurnOutcome> & { kind?: TurnOutcome['kind'] } = {},
  ): Promise<void> {
    const row = await journal.inbound.find(runId);
    const outcome = {
      ...(kind === 'failed' ? { code: 'internal', message: 'It broke.' } : { text: fixture.answer ?? '' }),
      usage: noUsage,
      kind,
      ...over,
    } as TurnOutcome;
    if (row?.trigger && !(outcome.kind === 'failed' && outcome.code === SUSPENDED_CODE)) {
      const { route, options } = row;
      const decision = await heartbeats.policy(
        {
          id: runId,
          route,
          origin: 'heartbeat',
          trigger: row.trigger,
          authority: row.authority,
          text: row.message.text,
          images: [],
          options,
        },
        outcome,
        {
          entry: entries.get(route.sessionKey) ?? { sessionId: 's', updatedAt: 1 },
          messages: [],
          sent: [],
          now: clock.now(),
        },
      );
      entries.set(route.sessionKey, {
        ...(entries.get(route.sessionKey) ?? { sessionId: 's', updatedAt: 1 }),
        ...decision.patch,
      } as SessionEntry);
      if (outcome.kind === 'done')
        lines(route.sessionKey).push({
          role: 'assistant',
          content: [{ type: 'text', text: outcome.text }],
          timestamp: clock.now(),
          provider: 'p',
          model: 'm',
          usage: noUsage,
          stopReason: 'stop',
        });
      await journal.inbound.end([row.seq], { state: outcome.kind === 'failed' ? 'failed' : 'answered' });
    }
    if (state.alive) hub.emit(runId, { type: 'ended', outcome });
    await setImmediate(); // its report is on its way
  }

  async function receive(
    accepted: Accepted,
    runId: string,
  ): Promise<{ status: 'accepted' | 'duplicate'; row: InboundRow }> {
    if (!state.alive) throw new AppError('unavailable', 'This life is over.');
    const result = await journal.inbound.accept(accepted, runId);
    if (result.status === 'duplicate') return result;
    fixture.accepted.push(accepted);
    lines(accepted.route.sessionKey).push({
      role: 'user',
      system: true,
      content: [{ type: 'text', text: accepted.message.text }],
      timestamp: clock.now(),
    });
    if (accepted.message.quiet) await journal.inbound.end([result.row.seq], { state: 'answered', reason: 'noted' });
    else {
      hub.accepted({
        runId,
        sessionKey: accepted.route.sessionKey,
        agentId: accepted.route.agentId,
        origin: originOf(accepted.trigger),
      });
      if (fixture.answer !== undefined) await end(runId);
    }
    return result;
  }

  const arrive: typeof receive = async (...message) => {
    fixture.arriving++;
    return receive(...message).finally(() => fixture.arriving--);
  };

  const events = createSystemEvents({
    receive: arrive,
    now: () => clock.now(),
    tail: async (key, limit) => lines(key).slice(-limit),
    ended: (runId) => hub.whenEnded(runId),
  });
  const heartbeats = createHeartbeats({
    config: { current: config as () => Config, store: undefined as never, slice: () => undefined as never },
    inbox: { events, receive: arrive, find: (runId) => journal.inbound.find(runId) },
    runs: hub,
    clock,
    path,
    hostZone: () => hostZone,
    log: silentLog,
    sessions: {
      mainKey: (agentId = defaultAgentId(config())) => mainSessionKey(agentId, rules),
      canonicalKey: (raw) => canonicalSessionKey(raw, rules),
      get: async (key) => entries.get(key),
    },
    agents: {
      ids: () => agentIds(config()),
      defaultId: () => defaultAgentId(config()),
      entry: (id) => agentEntry(config(), id),
      resolve: (id) => resolveAgent(config(), id),
      place: () => ({
        agentWorkspace: workspace,
        workspace,
        shownAs: workspace,
        sandbox: boxed ? { workspaceAccess: 'rw', network: false, sessions: 'spawned' } : undefined,
      }),
      prepareWorkspace: async (folder) => {
        if (!state.isOpen) return;
        const done = prepareWorkspace(folder);
        preparing.add(done);
        await done;
      },
    },
    channels: {
      channelId: (name) => (name === 'telegram' ? name : undefined),
      resolve: ({ channel = 'telegram', accountId = 'default', to }): ChatAddress => ({
        channel,
        accountId,
        chat: { kind: 'direct', id: to },
      }),
    },
  });
  heartbeats.subscribe((report) => fixture.reports.push(report));
  return {
    heartbeats,
    hub,
    end,
    stop: () => heartbeats.close(),
    /** Waits for what still writes into the workspace, and lets nothing begin to: the folder is removed next. */
    async leaveWorkspace(): Promise<void> {
      state.isOpen = false;
      await Promise.allSettled(preparing);
    },
    async kill(): Promise<void> {
      state.alive = false;
      await heartbeats.close();
    },
  };
}

const withoutStarters = (agents: unknown): unknown => ({
  ...(agents as object),
  defaults: { skipBootstrap: true, ...(agents as { defaults?: object }).defaults },
});
