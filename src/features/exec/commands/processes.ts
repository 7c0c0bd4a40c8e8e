/** `processes list|log|kill`: manages background commands of agents. */
import { head } from '../../../core/cut.ts';
import type { ProcessLog, ProcessView } from '../../../core/shell.ts';
import { visibleLine } from '../../../core/visible-text.ts';
import type { Call } from '../../../cli/command.ts';
import type { GatewayLink } from '../../../cli/gateway-link.ts';
import { listing } from '../../../cli/columns.ts';
import { span } from '../../../cli/durations.ts';
import { followNews } from '../../../cli/follow-news.ts';
import { present } from '../../../core/present.ts';

const DEFAULT_LINES = 200;

export async function processesList(call: Call): Promise<void> {
  const { flags, io } = call;
  const link = await call.gateway();
  const agentId = flags.text('agent');
  const answer = await link.request<{ processes: readonly ProcessView[] }>('process.list', present({ agentId }));
  if (flags.has('json')) return io.out(JSON.stringify(answer, null, 2));
  io.out(
    listing(
      ['id', 'state', 'since', 'where', 'session', 'command'],
      answer.processes.map(row),
      'No background commands.',
    ),
  );
}

const row = (view: ProcessView): readonly string[] => [
  view.sessionId,
  howItStands(view),
  span(view.runtimeMs),
  view.host,
  view.sessionKey,
  shortened(view.command),
];

/** Characters of a command in the table; `processes log --json` has all of it. */
const SHOWN = 80;

function shortened(command: string): string {
  const line = visibleLine(command.trim().split('\n')[0]!);
  return line.length < command.trim().length || line.length > SHOWN ? `${head(line, SHOWN)}…` : line;
}

function howItStands({ status, exitCode, exitSignal, endReason }: ProcessView): string {
  if (status === 'running') return 'running';
  return endReason === 'timeout' || endReason === 'lost'
    ? endReason
    : (exitSignal ?? (exitCode === undefined ? status : `exit ${exitCode}`));
}

export async function processesLog(call: Call): Promise<void> {
  const { args, flags, io } = call;
  const sessionId = args[0]!;
  const link = await call.gateway();
  const first = { sessionId, limit: flags.number('limit') ?? DEFAULT_LINES };
  if (flags.has('follow') && !flags.has('json')) return follow({ link, io, sessionId, first });
  const page = await link.request<ProcessLog>('process.log', first);
  if (flags.has('json')) return io.out(JSON.stringify(page, null, 2));
  if (page.firstLine > 0) io.err(`(${page.firstLine} earlier lines; --limit ${page.totalLines} shows all)`);
  io.out(page.output);
}

interface Following {
  readonly link: GatewayLink;
  readonly io: Call['io'];
  readonly sessionId: string;
  /** The question for the lines that are there already. */
  readonly first: object;
}

/** The last line may still grow, so it is asked for again and its new part is printed. */
async function follow({ link, io, sessionId, first }: Following): Promise<void> {
  let request = first;
  let shown = 0;
  let known = 0;
  const isNews = (event: string, payload: unknown): boolean =>
    /^process\.(?:output|changed)$/.test(event) &&
    (payload as { readonly process: ProcessView }).process.sessionId === sessionId;
  await followNews({ link, io, topic: 'process', isNews }, async () => {
    const { view, output, firstLine, lines, totalLines } = await link.request<ProcessLog>('process.log', request);
    // Less than before: the middle was dropped meanwhile; go on with what there is.
    io.stdout.write(output.slice(totalLines < known ? 0 : shown));
    known = totalLines;
    shown = output.length - (output.lastIndexOf('\n') + 1);
    request = { sessionId, offset: Math.max(0, firstLine + lines - 1) };
    if (view.status === 'running') return true;
    io.out(`\n(${howItStands(view)})`);
    return false;
  });
}

export async function processesKill(call: Call): Promise<void> {
  const link = await call.gateway();
  const answer = await link.request<{ process: ProcessView }>('process.kill', { sessionId: call.args[0] });
  call.io.out(
    call.flags.has('json')
      ? JSON.stringify(answer, null, 2)
      : `${answer.process.sessionId} (${shortened(answer.process.command)}) was stopped.`,
  );
}
