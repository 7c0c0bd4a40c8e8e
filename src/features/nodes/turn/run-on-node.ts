/** Runs a command on a node for a turn: prepared on the node if it can, approved here, then run as prepared. */
import { z } from 'zod';
import { AppError } from '../../../core/errors.ts';
import { present } from '../../../core/present.ts';
import { uuid } from '../../../platform/ids.ts';
import type { Turn } from '../../../core/turn.ts';
import type { ToolCall } from '../../../host/feature.ts';
import type { Host } from '../../../host/host.ts';
import type { NodeService } from '../create-nodes.ts';
import type { NodeView } from '../answers.ts';
import { platformOf } from '../invoke/command-policy.ts';
import { readParams } from './read-params.ts';

const runParams = z.object({
  /** Absent: the only connected node that can run programs. */
  node: z.string().min(1).max(256).optional(),
  command: z
    .array(z.string().max(128 * 1024))
    .min(1)
    .max(1024)
    .optional(),
  /** Alternative to `command`: a command line for the shell of the node. */
  line: z
    .string()
    .min(1)
    .max(128 * 1024)
    .optional(),
  cwd: z.string().max(4096).optional(),
  env: z.record(z.string().max(256), z.string().max(32_768)).optional(),
  commandTimeoutMs: z
    .number()
    .positive()
    .max(24 * 3_600_000)
    .optional(),
  invokeTimeoutMs: z
    .number()
    .positive()
    .max(24 * 3_600_000)
    .optional(),
  needsScreenRecording: z.boolean().optional(),
  security: z.string().max(64).optional(),
  ask: z.string().max(64).optional(),
});

interface RunParams extends z.output<typeof runParams> {
  readonly command: string[];
}

function readRun(params: unknown, nodes: NodeService): { readonly input: RunParams; readonly node: NodeView } {
  const read = readParams(runParams, params);
  const { node: named, command, line } = read;
  if ((command === undefined) === (line === undefined)) throw new AppError('invalid', 'give command or line');
  const node = named === undefined ? onlyRunner(nodes) : nodes.find(named);
  return { node, input: { ...read, command: command ?? [...shellOf(node), line!] } };
}

const shellOf = ({ platform }: NodeView): readonly string[] =>
  platformOf(platform) === 'windows' ? ['cmd.exe', '/d', '/s', '/c'] : ['/bin/sh', '-lc'];

function onlyRunner(nodes: NodeService): NodeView {
  const able = nodes.list().filter(({ connected, commands }) => connected && commands.includes('system.run'));
  const [only, ...others] = able;
  if (only && others.length === 0) return only;
  const names = able.map(({ displayName, nodeId }) => displayName ?? nodeId.slice(0, 12)).join(', ');
  throw new AppError(
    only ? 'invalid' : 'unavailable',
    only
      ? `node required: several nodes run commands (${names}). Name one, or set tools.exec.node.`
      : 'node required: no connected node runs commands.',
  );
}

const plan = z.looseObject({
  argv: z.array(z.string()).min(1),
  cwd: z.string().nullish(),
  commandText: z.string(),
});
const prepared = z.looseObject({ plan });

export interface RunDeps {
  readonly turn: Turn;
  readonly nodes: NodeService;
  readonly agents: Pick<Host['agents'], 'permitElsewhere'>;
  readonly requester: string;
}

const DEFAULT_TIMEOUT_MS = 5 * 60_000;

/** Rejects with `denied` if the command may not run; nothing was executed then. */
export async function runOnNode(params: unknown, call: ToolCall, deps: RunDeps): Promise<unknown> {
  const { turn, nodes, agents } = deps;
  const { input, node } = readRun(params, nodes);
  const name = node.displayName ?? node.nodeId;
  const planned = await planOf(input, node, call, deps);
  const { argv, cwd, commandText } = planned.plan;
  const permit = await agents.permitElsewhere(
    turn,
    {
      argv,
      command: commandText,
      cwd: cwd ?? input.cwd ?? '',
      env: input.env ?? {},
      where: `the node ${name}`,
      stricter: present({ security: input.security, ask: input.ask }),
    },
    call,
  );
  if (permit.kind === 'refused') throw new AppError('denied', permit.message, { details: { code: permit.code } });
  call.signal.throwIfAborted();
  const runId = uuid();
  const { agentId, sessionKey, replyTo } = turn.route;
  const over = nodes.runs.started({
    runId,
    nodeId: node.nodeId,
    agentId,
    sessionKey,
    replyTo,
    authority: turn.authority,
  });
  try {
    const { payload } = await invoke(
      'system.run',
      present({
        command: argv,
        rawCommand: commandText,
        systemRunPlan: planned.own ? undefined : planned.plan,
        cwd: cwd ?? input.cwd,
        env: input.env,
        timeoutMs: input.commandTimeoutMs ?? DEFAULT_TIMEOUT_MS,
        needsScreenRecording: input.needsScreenRecording,
        agentId,
        sessionKey,
        runId,
        approved: true,
        approvalDecision: 'allow-once',
      }),
      { node, call, deps, timeoutMs: input.invokeTimeoutMs },
    );
    return payload;
  } finally {
    over();
  }
}

interface Invoking {
  readonly node: NodeView;
  readonly call: ToolCall;
  readonly deps: RunDeps;
  readonly timeoutMs?: number | undefined;
}

const invoke = (command: string, params: object, { node, call, deps, timeoutMs }: Invoking) =>
  deps.nodes.invoke({
    node: node.nodeId,
    command,
    params,
    timeoutMs,
    requester: deps.requester,
    signal: call.signal,
  });

/**
 * The command as the node would run it, so that a person approves exactly that. `own`: the node cannot prepare
 * commands, and the text is ours.
 */
async function planOf(input: RunParams, node: NodeView, call: ToolCall, deps: RunDeps) {
  const commandText = input.command.map(quoted).join(' ');
  const ours = { plan: { argv: input.command, cwd: input.cwd, commandText }, own: true };
  if (!node.commands.includes('system.run.prepare')) return ours;
  const { agentId, sessionKey } = deps.turn.route;
  const { payload } = await invoke(
    'system.run.prepare',
    present({ command: input.command, rawCommand: commandText, cwd: input.cwd, agentId, sessionKey }),
    { node, call, deps },
  );
  const read = prepared.safeParse(payload);
  if (!read.success)
    throw new AppError('bad_response', 'invalid system.run.prepare payload: the node sent no plan; nothing was run');
  if (JSON.stringify(read.data.plan.argv) !== JSON.stringify(input.command))
    throw new AppError('bad_response', 'the node planned another command than it was given; nothing was run');
  return { plan: read.data.plan, own: false };
}

/** Quoted for a POSIX shell. */
const quoted = (word: string): string => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`);
