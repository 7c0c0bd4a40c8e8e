/** `tools list|explain|invoke`: lists the tools of an agent, explains the deciding setting, and runs one tool. */
import { excerpt } from '../../core/cut.ts';
import { AppError } from '../../core/errors.ts';
import { present } from '../../core/present.ts';
import { answersText, requesterText, type Answer, type Requester } from '../access-text.ts';
import { watchApprovals, isAttended, keyboardOnDemand } from '../watch-approvals.ts';
import type { Call } from '../command.ts';
import { columns, listing } from '../columns.ts';
import { orAborted } from '../../platform/timeout.ts';

interface Stage {
  readonly stage: string;
  readonly ok: boolean;
  readonly setting?: string;
  readonly pattern?: string;
}
interface ExplainedTool {
  readonly name: string;
  readonly summary: string;
  readonly allowed: boolean;
  readonly pluginId?: string;
  readonly stages: readonly Stage[];
}
interface Explained {
  readonly agentId: string;
  readonly sessionKey: string;
  readonly profile: string;
  readonly tools: readonly ExplainedTool[];
  readonly warnings: readonly string[];
  readonly access?: { readonly requester: Requester; readonly acts: readonly Answer[] };
}

export async function toolsList(call: Call): Promise<void> {
  const explained = await ask(call);
  if (call.flags.has('json')) return call.io.out(JSON.stringify(explained, null, 2));
  call.io.out(`Agent ${explained.agentId}, session ${explained.sessionKey}, profile ${explained.profile}.\n`);
  call.io.out(
    listing(
      ['tool', 'allowed', 'removed by'],
      explained.tools.map((tool) => [tool.name, tool.allowed ? 'yes' : 'no', removal(tool)]),
      'No tools.',
    ),
  );
  warn(call, explained);
}

const removal = ({ stages }: ExplainedTool): string => {
  const stage = stages.find(({ ok }) => !ok);
  return stage === undefined
    ? ''
    : [`${stage.stage}:`, stage.setting, stage.pattern && quoted(stage.pattern)].filter(Boolean).join(' ');
};

export async function toolsExplain(call: Call): Promise<void> {
  const explained = await ask(call, call.args[0]);
  if (call.flags.has('json')) return call.io.out(JSON.stringify(explained, null, 2));
  const [tool] = explained.tools;
  call.io.out(report(tool!, explained));
  if (explained.access) call.io.out(accessReport(explained.access));
  warn(call, explained);
}

function report(tool: ExplainedTool, { agentId, sessionKey }: Explained): string {
  const what = `${tool.name}${tool.pluginId === undefined ? '' : ` (plugin ${tool.pluginId})`}: ${tool.summary}`;
  const summary = `${tool.allowed ? 'Available' : 'Not available'} to agent ${agentId} in ${sessionKey}.`;
  const rows = tool.stages.map(({ stage, ok, setting, pattern }) => [
    ok ? '  ✓' : '  ✗',
    stage,
    setting ?? (stage === 'available' ? '(usable here)' : '(nothing set)'),
    pattern === undefined ? '' : quoted(pattern),
  ]);
  const advice = [...new Set(tool.stages.filter(({ ok }) => !ok).map((stage) => `  ${changeOf(stage, tool.name)}`))];
  return [what, summary, '', columns(rows), ...(advice.length > 0 ? ['', 'To change it:', ...advice] : [])].join('\n');
}

/** The second half: the tool may be there, and its call still be refused. */
const accessReport = ({ requester, acts }: NonNullable<Explained['access']>): string =>
  `\nSender:\n${requesterText(requester)}\n\n${acts.length > 0 ? `What its calls may do:\n\n${answersText(acts)}` : 'Its calls are not subject to access rules.'}`;

/** What a person does about a stage that removed a tool. */
function changeOf({ setting = '', pattern }: Stage, tool: string): string {
  if (setting.endsWith('.deny')) return `remove ${quoted(pattern ?? tool)} from ${setting}`;
  if (setting.endsWith('.allow')) return `add "${tool}" to ${setting}`;
  if (setting.endsWith('.profile'))
    return `add "${tool}" to ${setting.replace(/\.profile$/, '.alsoAllow')}, or choose a wider profile`;
  if (setting === 'built in') return 'not configurable: never available to sub-agents';
  return setting;
}

/** Lists are long; what stands in them is in the configuration. */
const quoted = (pattern: string): string =>
  pattern.includes(', ') && pattern.length > 60
    ? excerpt(pattern, 57)
    : pattern.includes(', ')
      ? pattern
      : `"${pattern}"`;

function warn({ io }: Call, { warnings }: Explained): void {
  for (const warning of warnings) io.err(`warning: ${warning}`);
}

async function ask(call: Call, tool?: string): Promise<Explained> {
  const { flags } = call;
  const place = {
    tool,
    agentId: flags.text('agent'),
    sessionKey: flags.text('session'),
    channel: flags.text('channel'),
    accountId: flags.text('account'),
    groupId: flags.text('group'),
    sender: flags.text('sender'),
    model: flags.text('model'),
  };
  return (await call.gateway()).request<Explained>('tools.explain', filled(place));
}

const filled = (params: object): object =>
  Object.fromEntries(Object.entries(params).filter(([, value]) => value !== undefined));

interface Invoked {
  readonly ok: boolean;
  readonly output?: {
    readonly content: readonly { readonly type: string; readonly text?: string; readonly mimeType?: string }[];
  };
  readonly error?: { readonly message: string };
}

/** A tool may wait for an approval, and a command may run for half an hour. */
const TIMEOUT_MS = 35 * 60_000;

export async function toolsInvoke(call: Call): Promise<number> {
  const place = filled({ agentId: call.flags.text('agent'), sessionKey: call.flags.text('session') });
  const answer = await attended(call, { name: call.args[0], args: argsOf(call), ...place });
  if (call.flags.has('json')) call.io.out(JSON.stringify(answer, null, 2));
  else if (answer.output)
    call.io.out(answer.output.content.map((block) => block.text ?? `(${block.mimeType ?? block.type})`).join('\n'));
  if (!answer.ok && !answer.output && !call.flags.has('json')) call.io.err(answer.error?.message ?? 'The call failed.');
  return answer.ok ? 0 : 1;
}

/** A command it runs may need a word. */
async function attended(
  call: Call,
  params: { readonly name: string | undefined; readonly args: object },
): Promise<Invoked> {
  const { io, flags } = call;
  const link = await call.gateway();
  const { sessionKey } = await ask(call);
  const quit = new AbortController();
  const keyboard = keyboardOnDemand(io, () => quit.abort());
  const approvals = watchApprovals(
    present({ link, io, keyboard: isAttended(io) && !flags.has('json') ? keyboard.open : undefined }),
  );
  approvals.follow(sessionKey);
  try {
    const invoked = link.request<Invoked>('tools.invoke', params, { timeoutMs: TIMEOUT_MS });
    return await orAborted(invoked, quit.signal, 'Cancelled while the tool was running.');
  } finally {
    await approvals.close();
    keyboard.close();
  }
}

function argsOf({ flags }: Call): Record<string, unknown> {
  const written = flags.text('args') ?? '{}';
  try {
    const args: unknown = JSON.parse(written);
    if (typeof args === 'object' && args !== null && !Array.isArray(args)) return args as Record<string, unknown>;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw new AppError('invalid', `--args is not JSON: ${error.message}`, { cause: error });
  }
  throw new AppError('invalid', '--args must be a JSON object, for example \'{"path":"README.md"}\'.');
}
