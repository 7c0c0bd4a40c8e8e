/**
 * Heartbeats: agents that look by themselves whether anything needs a person, and agents that are woken because
 * something happened.
 */
import { gatewayAuthority } from '../../core/authority.ts';
import { asAppError } from '../../core/errors.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Host } from '../../host/host.ts';
import type { ReplyPolicy } from '../../host/reply-policy.ts';
import { systemMessage } from '../../host/system-events.ts';
import type { Nudged, Waker, WakeRequest } from '../../host/wake.ts';
import { isAck } from '../../core/ack.ts';
import { createBeats, type Beat, type BeatDeps } from './beat.ts';
import { createBeatMemory } from './beat-memory.ts';
import { createBeatReports } from './beat-reports.ts';
import { createRounds, type Due, type Looked } from './beat-rounds.ts';
import type { Moment } from '../../core/time-line.ts';
import { lookText } from './beat-text.ts';
import { createHeartbeatFile, type HeartbeatFile } from './heartbeat-file.ts';
import { createHeartbeatPlan, createZones } from './heartbeat-plan.ts';
import { tickPolicy } from './judge-beat.ts';
import { createWakeAgent } from './wake-agent.ts';
import type { HeartbeatEvent } from './answers.ts';

export interface HeartbeatDeps
  extends Pick<Host, 'runs' | 'inbox' | 'config'>,
    Pick<BeatDeps, 'mainSessionKey' | 'canonicalKey' | 'resolve' | 'channelId' | 'session' | 'log'> {
  readonly agents: Pick<Host['agents'], 'ids' | 'defaultId' | 'entry' | 'resolve' | 'place' | 'prepareWorkspace'>;
  /** Absolute path of what is remembered over restarts. */
  readonly path: string;
  /** IANA zone of this machine. */
  hostZone(): string;
  readonly clock: Clock;
}

export interface Heartbeats extends Waker {
  /** Takes up what was planned; what was missed meanwhile is made up for once. */
  start(): Promise<void>;
  close(): Promise<void>;
  configChanged(): void;
  /** For turns whose trigger is a heartbeat. */
  readonly policy: ReplyPolicy;
  /** Those that look by themselves. */
  ticks(agentId: string): boolean;
  /** How the last look went, of one agent or of whichever looked last. */
  last(agentId?: string): HeartbeatEvent | undefined;
  /** Per agent: its period and when it looks next, milliseconds since the epoch. */
  agents(): readonly {
    readonly agentId: string;
    readonly everyMs: number | null;
    readonly nextAtMs: number | null;
    readonly session: string;
    readonly target: string;
  }[];
  readonly enabled: boolean;
  /** Until the next start. */
  setEnabled(enabled: boolean): void;
  subscribe(listener: (report: HeartbeatEvent) => void): () => void;
}

export function createHeartbeats(deps: HeartbeatDeps): Heartbeats {
  return new AgentHeartbeats(deps);
}

class AgentHeartbeats implements Heartbeats {
  readonly #deps: HeartbeatDeps;
  readonly #plan;
  #enabled = true;
  #running = false;
  readonly #memory;
  readonly #zones;
  readonly #beats;
  readonly #reports;
  readonly #rounds;
  readonly #nudge;
  readonly #readFile;
  // From the beginning: turns of an earlier life end before the first look of this one.
  readonly #leave;

  constructor(deps: HeartbeatDeps) {
    this.#deps = deps;
    this.#plan = createHeartbeatPlan(deps);
    this.#memory = createBeatMemory({ path: deps.path, log: deps.log });
    this.#zones = createZones(deps);
    this.#beats = createBeats({
      ...deps,
      plan: this.#plan,
      zones: this.#zones,
      now: () => this.#now(),
      isOn: () => this.#isOn(),
    });
    this.#reports = createBeatReports({
      memory: this.#memory,
      log: deps.log,
      now: () => this.#now(),
      find: deps.inbox.find,
      visibility: this.#beats.visibility,
    });
    this.#rounds = createRounds({
      plan: this.#plan,
      memory: this.#memory,
      zones: this.#zones,
      clock: deps.clock,
      isOn: () => this.#isOn(),
      look: (agentId, due) => this.#look(agentId, due).catch((error: unknown) => this.#brokenLook(agentId, error)),
    });
    this.#nudge = createWakeAgent({
      events: deps.inbox.events,
      runs: deps.runs,
      find: deps.inbox.find,
      isAgent: (id) => deps.agents.ids().includes(id),
      sessionFor: this.#beats.sessionFor,
      beatIn: this.#beats.beatIn,
      skipped: (given, reason) => this.#skipped(given, reason),
      moment: () => this.#moment(),
    });
    this.#readFile = createHeartbeatFile(deps.agents.prepareWorkspace);
    this.#leave = deps.runs.subscribe((run, event) => {
      if (event.type !== 'ended') return;
      if (run.origin === 'heartbeat') this.#reports.ended(run, event.outcome);
      this.#rounds.silent((agentId) => this.#beats.sessionFor(agentId) === run.sessionKey);
    });
  }

  nudge(request: WakeRequest): Promise<Nudged> {
    return this.#nudge(request);
  }

  async wake(request: WakeRequest): ReturnType<Waker['wake']> {
    return (await this.#nudge(request)).ended;
  }

  last(agentId?: string): HeartbeatEvent | undefined {
    return this.#reports.last(agentId);
  }

  subscribe(listener: (report: HeartbeatEvent) => void): () => void {
    return this.#reports.subscribe(listener);
  }

  configChanged(): void {
    return this.#rounds.replan();
  }

  ticks(agentId: string): boolean {
    return this.#plan.tickingAgents().includes(agentId);
  }

  isAck(text: string, agentId: string): boolean {
    return isAck(text, this.#plan.settingsFor(agentId).ackMaxChars);
  }

  get enabled(): boolean {
    return this.#enabled;
  }

  readonly policy: ReplyPolicy = (turn, outcome, answer) => {
    const { replyTo, agentId, sessionKey } = turn.route;
    const rules = {
      ackMaxChars: this.#plan.settingsFor(agentId).ackMaxChars,
      target: this.#beats.targetIn(agentId, sessionKey),
      visibility: this.#beats.visibility(replyTo),
    };
    const { decision, told } = tickPolicy({ turn, outcome, answer, rules });
    this.#reports.judged(turn.id, told, replyTo);
    return decision;
  };

  async start(): Promise<void> {
    await this.#memory.load();
    this.#running = true;
    this.#rounds.start();
  }

  async close(): Promise<void> {
    this.#running = false;
    this.#rounds.close();
    this.#leave();
    await this.#memory.settled();
  }

  agents(): readonly {
    readonly agentId: string;
    readonly everyMs: number | null;
    readonly nextAtMs: number | null;
    readonly session: string;
    readonly target: string;
  }[] {
    return this.#deps.agents.ids().map((agentId) => {
      const { everyMs, target } = this.#plan.settingsFor(agentId);
      return {
        agentId,
        everyMs: this.#plan.tickingAgents().includes(agentId) ? everyMs : null,
        nextAtMs: this.#rounds.nextAt(agentId),
        session: this.#beats.sessionFor(agentId),
        target,
      };
    });
  }

  setEnabled(enabled: boolean): void {
    this.#enabled = enabled;
    this.#rounds.replan();
  }

  #now(): number {
    return this.#deps.clock.now();
  }

  #isOn(): boolean {
    return this.#enabled;
  }

  #moment(): Moment {
    return { now: this.#now(), zone: this.#zones.userZone() };
  }

  #skipped({ agentId, sessionKey }: Pick<Beat, 'agentId' | 'sessionKey'>, reason: string): void {
    this.#reports.tell({ agentId, sessionKey, status: 'skipped', reason });
  }

  #isBusy(sessionKey: string): boolean {
    return this.#deps.runs.active().some((run) => run.sessionKey === sessionKey);
  }

  /** The gates in their order; whatever has to be looked up comes last. */
  async #look(agentId: string, due: Due): Promise<Looked> {
    const beat = await this.#beats.beatIn(agentId, this.#beats.sessionFor(agentId));
    const { sessionKey, skip } = beat;
    if (skip) return this.#passed(beat, skip);
    if (this.#isBusy(sessionKey)) return this.#busy(beat, due);
    const [file, events] = await Promise.all([this.#fileOf(beat), this.#deps.inbox.events.pending(sessionKey)]);
    if (file.empty && !events) return this.#passed(beat, { reason: 'empty-heartbeat-file' });
    if (!this.#running || !this.#enabled) return { kind: 'off' };
    if (this.#isBusy(sessionKey)) return this.#busy(beat, due);
    await this.#begin(beat, { due, file, events });
    return { kind: 'handled' };
  }

  #passed(beat: Beat, { reason, retryAtMs }: { readonly reason: string; readonly retryAtMs?: number }): Looked {
    this.#skipped(beat, reason);
    return { kind: 'handled', nextAtMs: retryAtMs };
  }

  /** Said once for each planned moment, however long the conversation goes on. */
  #busy(beat: Beat, { again }: Due): Looked {
    if (!again) this.#skipped(beat, 'requests-in-flight');
    return { kind: 'busy' };
  }

  /** A fault in one look is reported; the next one comes at its time. */
  #brokenLook(agentId: string, error: unknown): Looked {
    this.#deps.log.error('heartbeat.look', { agentId, error });
    this.#reports.tell({
      agentId,
      sessionKey: this.#beats.sessionFor(agentId),
      status: 'failed',
      reason: 'interval',
      preview: asAppError(error).message,
    });
    return { kind: 'handled' };
  }

  #fileOf({ agentId, sessionKey }: Beat): Promise<HeartbeatFile> {
    const { skipBootstrap, bootstrapMaxChars } = this.#deps.agents.resolve(agentId);
    const { agentWorkspace: dir, sandbox } = this.#deps.agents.place({ agentId, sessionKey });
    return this.#readFile({
      dir,
      starterFiles: !skipBootstrap,
      confined: sandbox !== undefined,
      maxChars: bootstrapMaxChars,
    });
  }

  /** The planned moment is its id: after a crash it is not begun a second time. */
  async #begin(
    { agentId, sessionKey, replyTo, options, settings }: Beat,
    { due, file, events }: { readonly due: Due; readonly file: HeartbeatFile; readonly events: boolean },
  ): Promise<void> {
    const id = `heartbeat:${agentId}:${due.at}`;
    const text = lookText({ prompt: settings.prompt, file: file.text, events, ...this.#moment() });
    await this.#deps.inbox.receive(
      systemMessage({
        id,
        agentId,
        sessionKey,
        replyTo,
        text,
        now: this.#now(),
        options,
        authority: gatewayAuthority({ agentId, sessionKey, address: replyTo }),
        trigger: { origin: 'heartbeat', reason: events ? 'event' : 'interval' },
      }),
      id,
    );
  }
}
