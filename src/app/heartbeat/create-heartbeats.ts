/** Heartbeats: agents that look by themselves whether anything needs a person, and agents that are woken because something happened. */
import { agentIds, resolveAgent } from '../../agent/resolve-agent.ts';
import type { Judge } from '../../agent/turn/verdict.ts';
import { gatewayAuthority } from '../../core/authority.ts';
import { asAppError } from '../../core/errors.ts';
import { isAck } from '../../cron/heartbeat/ack.ts';
import { lookText, type Moment } from '../../cron/heartbeat/beat-text.ts';
import type { HeartbeatService } from '../../gateway/time-services.ts';
import type { InboundRow } from '../../journal/rows.ts';
import type { Inbound } from '../../pipeline/inbound.ts';
import type { RunHub } from '../../pipeline/run-hub.ts';
import type { Clock } from '../../platform/clock.ts';
import { systemMessage, type SystemEvents } from '../system-events.ts';
import { createBeats, type Beat, type BeatDeps } from './beat.ts';
import { createBeatMemory } from './beat-memory.ts';
import { createBeatReports } from './beat-reports.ts';
import { createRounds, type Due, type Looked } from './beat-rounds.ts';
import { createHeartbeatFile, type HeartbeatFile } from './heartbeat-file.ts';
import { beatingAgents, createZones, settingsFor } from './heartbeat-plan.ts';
import { judgeBeat } from './judge-beat.ts';
import { createWakeAgent, type Nudged, type WakeRequest, type WakeResult } from './wake-agent.ts';

export interface HeartbeatDeps extends Omit<BeatDeps, 'zones' | 'now' | 'isOn'> {
  readonly events: SystemEvents;
  inbound(): Pick<Inbound, 'receive'>;
  readonly hub: Pick<RunHub, 'subscribe' | 'whenEnded' | 'active'>;
  /** The row of a run, as it is in the journal. */
  find(runId: string): InboundRow | undefined;
  /** Where an agent's folder is, and whether its commands are boxed in. */
  place(at: { readonly agentId: string; readonly sessionKey: string }): { readonly agentWorkspace: string; readonly sandbox?: unknown };
  /** Absolute path of what is remembered over restarts. */
  readonly path: string;
  /** IANA zone of this machine. */
  hostZone(): string;
  readonly clock: Clock;
}

export interface Heartbeats extends HeartbeatService {
  /** Takes up what was planned; what was missed meanwhile is made up for once. */
  start(): Promise<void>;
  close(): Promise<void>;
  configChanged(): void;
  /** Resolves once the wake is on disk, or skipped. Unknown agent: `not_found`. */
  nudge(request: WakeRequest): Promise<Nudged>;
  /** `nudge` to its end. A turn that wakes its own session must not wait for it. */
  wake(request: WakeRequest): Promise<WakeResult>;
  /** For turns whose errand is a heartbeat. */
  readonly judge: Judge;
  /** Nothing but "nothing to tell", by the rules of this agent. */
  isAck(text: string, agentId: string): boolean;
}

export function createHeartbeats(deps: HeartbeatDeps): Heartbeats {
  const { clock, log, hub, config } = deps;
  const state = { enabled: true, running: false };
  const now = (): number => clock.now();
  const isOn = (): boolean => state.enabled;
  const memory = createBeatMemory({ path: deps.path, log });
  const zones = createZones(deps);
  const { beatIn, sessionFor, targetIn, visibility } = createBeats({ ...deps, zones, now, isOn });
  const reports = createBeatReports({ memory, log, now, find: deps.find, visibility });
  const rounds = createRounds({ config, memory, zones, clock, isOn, look: (agentId, due) => look(agentId, due).catch((error: unknown) => brokenLook(agentId, error)) });
  const moment = (): Moment => ({ now: now(), zone: zones.userZone() });
  const skipped = ({ agentId, sessionKey }: Pick<Beat, 'agentId' | 'sessionKey'>, reason: string): void => reports.tell({ agentId, sessionKey, status: 'skipped', reason });
  const nudge = createWakeAgent({ events: deps.events, hub, find: deps.find, isAgent: (id) => agentIds(config()).includes(id), sessionFor, beatIn, skipped, moment });
  const isBusy = (sessionKey: string): boolean => hub.active().some((run) => run.sessionKey === sessionKey);
  const readFile = createHeartbeatFile();

  /** The gates in their order; whatever has to be looked up comes last. */
  async function look(agentId: string, due: Due): Promise<Looked> {
    const beat = await beatIn(agentId, sessionFor(agentId));
    const { sessionKey, skip } = beat;
    if (skip) return passed(beat, skip);
    if (isBusy(sessionKey)) return busy(beat, due);
    const [file, events] = await Promise.all([fileOf(beat), deps.events.pending(sessionKey)]);
    if (file.empty && !events) return passed(beat, { reason: 'empty-heartbeat-file' });
    if (!state.running || !state.enabled) return { kind: 'off' };
    if (isBusy(sessionKey)) return busy(beat, due);
    await begin(beat, { due, file, events });
    return { kind: 'handled' };
  }

  function passed(beat: Beat, { reason, retryAtMs }: { readonly reason: string; readonly retryAtMs?: number }): Looked {
    skipped(beat, reason);
    return { kind: 'handled', nextAtMs: retryAtMs };
  }

  /** Said once for each planned moment, however long the conversation goes on. */
  function busy(beat: Beat, { again }: Due): Looked {
    if (!again) skipped(beat, 'requests-in-flight');
    return { kind: 'busy' };
  }

  /** A fault in one look is reported; the next one comes at its time. */
  function brokenLook(agentId: string, error: unknown): Looked {
    log.error('heartbeat.look', { agentId, error });
    reports.tell({ agentId, sessionKey: sessionFor(agentId), status: 'failed', reason: 'interval', preview: asAppError(error).message });
    return { kind: 'handled' };
  }

  function fileOf({ agentId, sessionKey }: Beat): Promise<HeartbeatFile> {
    const { skipBootstrap, bootstrapMaxChars } = resolveAgent(config(), agentId);
    const { agentWorkspace: dir, sandbox } = deps.place({ agentId, sessionKey });
    return readFile({ dir, starterFiles: !skipBootstrap, confined: sandbox !== undefined, maxChars: bootstrapMaxChars });
  }

  /** The planned moment is its id: after a crash it is not begun a second time. */
  async function begin({ agentId, sessionKey, replyTo, options, settings }: Beat, { due, file, events }: { readonly due: Due; readonly file: HeartbeatFile; readonly events: boolean }): Promise<void> {
    const id = `heartbeat:${agentId}:${due.at}`;
    const text = lookText({ prompt: settings.prompt, file: file.text, events, ...moment() });
    await deps.inbound().receive(systemMessage({ id, agentId, sessionKey, replyTo, text, now: now(), options, authority: gatewayAuthority({ agentId, sessionKey, address: replyTo }), errand: { origin: 'heartbeat', reason: events ? 'event' : 'interval' } }), id);
  }

  // From the beginning: turns of an earlier life end before the first look of this one.
  const leave = hub.subscribe((run, event) => {
    if (event.type !== 'ended') return;
    if (run.origin === 'heartbeat') reports.ended(run, event.outcome);
    rounds.silent((agentId) => sessionFor(agentId) === run.sessionKey);
  });

  return {
    nudge,
    wake: async (request) => (await nudge(request)).ended,
    last: reports.last,
    subscribe: reports.subscribe,
    configChanged: rounds.replan,
    isAck: (text, agentId) => isAck(text, settingsFor(config(), agentId).ackMaxChars),
    get enabled() { return state.enabled; },

    judge(turn, outcome, judged) {
      const { replyTo, agentId, sessionKey } = turn.route;
      const rules = { ackMaxChars: settingsFor(config(), agentId).ackMaxChars, target: targetIn(agentId, sessionKey), visibility: visibility(replyTo) };
      const { verdict, told } = judgeBeat({ turn, outcome, judged, rules });
      reports.judged(turn.id, told, replyTo);
      return verdict;
    },

    async start() {
      await memory.load();
      state.running = true;
      rounds.start();
    },

    async close() {
      state.running = false;
      rounds.close();
      leave();
      await memory.settled();
    },

    agents: () => agentIds(config()).map((agentId) => {
      const { everyMs, target } = settingsFor(config(), agentId);
      return { agentId, everyMs: beatingAgents(config()).includes(agentId) ? everyMs : null, nextAtMs: rounds.nextAt(agentId), session: sessionFor(agentId), target };
    }),

    setEnabled(enabled) {
      state.enabled = enabled;
      rounds.replan();
    },
  };
}
