/** Handles events of nodes: machine load, unavailable commands, and ended commands. */
import { z } from 'zod';
import { delegatedVia } from '../../../core/authority.ts';
import { present } from '../../../core/present.ts';
import type { SystemEvents } from '../../../host/system-events.ts';
import type { ConnectedNode } from '../connected/connected-nodes.ts';
import type { EventOutcome } from './event-outcome.ts';
import { agentRequested, voiceHeard, type AgentRequestDeps } from './agent-requests.ts';
import type { ExecRun, ExecRuns } from './exec-runs.ts';

export interface NodeEventDeps extends AgentRequestDeps {
  readonly runs: ExecRuns;
  readonly events: Pick<SystemEvents, 'notify'>;
  changed(nodeId: string): void;
  /** It told its load anew. */
  loadChanged(nodeId: string): void;
}

const bytes = z.number().min(0);
const stats = z.object({
  cpuCount: z.number().min(0).max(65_536),
  loadAverage: z.array(z.number()).max(3),
  memoryTotalBytes: bytes,
  memoryFreeBytes: bytes,
  diskTotalBytes: bytes.optional(),
  diskAvailableBytes: bytes.optional(),
});

const MAX_OUTPUT = 20_000;
const execEnd = z.object({
  runId: z.string().max(256),
  command: z.string().max(200_000).optional(),
  exitCode: z.number().nullish(),
  timedOut: z.boolean().optional(),
  success: z.boolean().optional(),
  output: z.string().optional(),
  reason: z.string().max(2000).optional(),
  suppressNotifyOnExit: z.boolean().optional(),
});
type ExecEnd = z.output<typeof execEnd>;

const report = z.object({
  unavailable: z.record(z.string().max(128), z.string().max(500)).optional(),
  permissions: z.record(z.string().max(128), z.boolean()).optional(),
  background: z.boolean().optional(),
});

type Handle = (node: ConnectedNode, payload: unknown, deps: NodeEventDeps) => EventOutcome | Promise<EventOutcome>;

const HANDLERS: Readonly<Record<string, Handle>> = {
  'node.host.stats': takeStats,
  'node.report': takeReport,
  'agent.request': agentRequested,
  'voice.transcript': voiceHeard,
  'exec.started': (node, payload, { runs }) => ({ handled: ofRun(node, payload, runs) !== undefined }),
  'exec.finished': (node, payload, deps) => execEnded(node, payload, deps),
  'exec.denied': (node, payload, deps) => execEnded(node, payload, deps),
};

/** Never throws for what a node says; `reason` tells the node why nothing was done. */
export async function nodeEvent(
  node: ConnectedNode,
  { event, payload }: { readonly event: string; readonly payload: unknown },
  deps: NodeEventDeps,
): Promise<EventOutcome> {
  const handle = Object.hasOwn(HANDLERS, event) ? HANDLERS[event] : undefined;
  return handle ? handle(node, payload, deps) : { handled: false, reason: 'unknown event' };
}

function takeStats(node: ConnectedNode, payload: unknown, { clock, loadChanged }: NodeEventDeps): EventOutcome {
  const read = stats.safeParse(payload);
  if (!read.success) return { handled: false, reason: 'invalid stats' };
  node.hostStats = present({ ...read.data, updatedAtMs: clock.now() });
  loadChanged(node.nodeId);
  return { handled: true, reason: 'updated' };
}

function takeReport(node: ConnectedNode, payload: unknown, { changed, store }: NodeEventDeps): EventOutcome {
  const read = report.safeParse(payload);
  if (!read.success) return { handled: false, reason: 'invalid report' };
  if (read.data.unavailable) node.unavailable = firstOf(read.data.unavailable);
  if (read.data.permissions) node.permissions = firstOf(read.data.permissions);
  if (read.data.background !== undefined) node.background = read.data.background;
  changed(node.nodeId);
  // The page of a node shows its person what it still waits for.
  return { handled: true, reason: store.find(node.nodeId) ? 'updated' : 'waiting for approval' };
}

const MAX_REASONS = 64;

const firstOf = <T>(named: Readonly<Record<string, T>>): Readonly<Record<string, T>> =>
  Object.fromEntries(Object.entries(named).slice(0, MAX_REASONS));

function ofRun(node: ConnectedNode, payload: unknown, runs: ExecRuns) {
  const read = execEnd.safeParse(payload);
  const known = read.success ? runs.find(read.data.runId, node.nodeId) : undefined;
  return read.success && known ? { ...known, end: read.data } : undefined;
}

/** A node speaks only into conversations that ran a command on it, and once for each. */
async function execEnded(
  node: ConnectedNode,
  payload: unknown,
  { runs, events }: NodeEventDeps,
): Promise<EventOutcome> {
  const known = ofRun(node, payload, runs);
  if (!known) return { handled: false, reason: 'unknown run' };
  const { run, awaited, end } = known;
  if (awaited) return { handled: true, reason: 'result awaited' };
  runs.ended(run.runId);
  if (end.suppressNotifyOnExit) return { handled: true, reason: 'suppressed' };
  const { agentId, sessionKey, replyTo } = run;
  await events.notify({
    id: `node-exec:${run.runId}`,
    agentId,
    sessionKey,
    replyTo,
    text: endText(run, end),
    quoted: (end.reason ?? end.output ?? '').trim().slice(-MAX_OUTPUT),
    authority: delegatedVia(run.authority, `process:${run.runId}`),
    wake: {},
  });
  return { handled: true };
}

function endText({ nodeId, runId }: ExecRun, { exitCode, timedOut, reason }: ExecEnd): string {
  const place = `node=${nodeId.slice(0, 12)} id=${runId.slice(0, 8)}`;
  if (reason !== undefined) return `Exec denied (${place})`;
  if (timedOut) return `Exec finished (${place}, timed out)`;
  return `Exec finished (${place}, ${typeof exitCode === 'number' ? `code ${exitCode}` : 'exit code unknown'})`;
}
