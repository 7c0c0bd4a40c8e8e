/** Runs one tick: the checks in order, then a message from the gateway. */
import { gatewayAuthority } from '../../core/authority.ts';
import { asAppError } from '../../core/errors.ts';
import type { Log } from '../../core/log.ts';
import type { LocalTime } from '../../core/time-line.ts';
import type { Host } from '../../host/host.ts';
import { systemMessage } from '../../host/system-events.ts';
import { createHeartbeatFile, type HeartbeatFile } from './heartbeat-file.ts';
import type { Tick, Ticks } from './tick.ts';
import type { TickReports } from './tick-reports.ts';
import type { Due, TickResult } from './tick-rounds.ts';
import { tickText } from './tick-text.ts';

export interface RunTickDeps extends Pick<Host, 'runs' | 'inbox'> {
  readonly agents: Pick<Host['agents'], 'resolve' | 'place' | 'prepareWorkspace'>;
  readonly ticks: Pick<Ticks, 'tickIn' | 'sessionFor'>;
  readonly reports: Pick<TickReports, 'notify'>;
  readonly log: Log;
  localTime(): LocalTime;
  /** False: nobody is to look any more. */
  isGoing(): boolean;
}

type RunTick = (agentId: string, due: Due) => Promise<TickResult>;

/** Never rejects: a fault in one tick is reported, and the next one comes at its time. */
export function createRunTick(deps: RunTickDeps): RunTick {
  const readFile = createHeartbeatFile(deps.agents.prepareWorkspace);
  return (agentId, due) =>
    gates(agentId, due, { ...deps, readFile }).catch((error: unknown) => failedTick(agentId, error, deps));
}

interface GateDeps extends RunTickDeps {
  readonly readFile: ReturnType<typeof createHeartbeatFile>;
}

/** Whatever has to be looked up comes last. */
async function gates(agentId: string, due: Due, deps: GateDeps): Promise<TickResult> {
  const { ticks, inbox, runs, isGoing } = deps;
  const isBusy = (key: string): boolean => runs.active().some((run) => run.sessionKey === key);
  const tick = await ticks.tickIn(agentId, ticks.sessionFor(agentId));
  const { sessionKey, skip } = tick;
  if (skip) return passed(tick, skip, deps);
  if (isBusy(sessionKey)) return busy(tick, due, deps);
  const [file, events] = await Promise.all([fileOf(tick, deps), inbox.events.pending(sessionKey)]);
  if (file.empty && !events) return passed(tick, { reason: 'empty-heartbeat-file' }, deps);
  if (!isGoing()) return { kind: 'off' };
  if (isBusy(sessionKey)) return busy(tick, due, deps);
  await begin(tick, { due, file, events }, deps);
  return { kind: 'handled' };
}

function passed(
  { agentId, sessionKey }: Tick,
  { reason, retryAtMs }: { readonly reason: string; readonly retryAtMs?: number },
  { reports }: RunTickDeps,
): TickResult {
  reports.notify({ agentId, sessionKey, status: 'skipped', reason });
  return { kind: 'handled', nextAtMs: retryAtMs };
}

/** Said once for each planned moment, however long the conversation goes on. */
function busy({ agentId, sessionKey }: Tick, { again }: Due, { reports }: RunTickDeps): TickResult {
  if (!again) reports.notify({ agentId, sessionKey, status: 'skipped', reason: 'requests-in-flight' });
  return { kind: 'busy' };
}

function failedTick(agentId: string, error: unknown, { log, reports, ticks }: RunTickDeps): TickResult {
  log.error('heartbeat.look', { agentId, error });
  reports.notify({
    agentId,
    sessionKey: ticks.sessionFor(agentId),
    status: 'failed',
    reason: 'interval',
    preview: asAppError(error).message,
  });
  return { kind: 'handled' };
}

function fileOf({ agentId, sessionKey }: Tick, { agents, readFile }: GateDeps): Promise<HeartbeatFile> {
  const { skipBootstrap, bootstrapMaxChars } = agents.resolve(agentId);
  const { agentWorkspace: dir, sandbox } = agents.place({ agentId, sessionKey });
  return readFile({
    dir,
    starterFiles: !skipBootstrap,
    confined: sandbox !== undefined,
    maxChars: bootstrapMaxChars,
  });
}

/** The planned moment is its id: after a crash it is not begun a second time. */
async function begin(
  { agentId, sessionKey, replyTo, options, settings }: Tick,
  { due, file, events }: { readonly due: Due; readonly file: HeartbeatFile; readonly events: boolean },
  { inbox, localTime }: RunTickDeps,
): Promise<void> {
  const id = `heartbeat:${agentId}:${due.at}`;
  const time = localTime();
  await inbox.receive(
    systemMessage({
      id,
      agentId,
      sessionKey,
      replyTo,
      text: tickText({ prompt: settings.prompt, file: file.text, events, ...time }),
      now: time.now,
      options,
      authority: gatewayAuthority({ agentId, sessionKey, address: replyTo }),
      trigger: { origin: 'heartbeat', reason: events ? 'event' : 'interval' },
    }),
    id,
  );
}
