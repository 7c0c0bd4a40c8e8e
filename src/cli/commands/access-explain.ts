/** `access explain`: why a message would be answered or not; with `--last`, why those that really came were. */
import { visibleLine } from '../../core/visible-text.ts';
import { columns } from '../columns.ts';
import type { Call } from '../command.ts';
import { hypothetical } from '../hypothetical.ts';
import { routeReport, type RouteExplained } from './route-explain.ts';

interface Step { readonly step: string; readonly ok: boolean; readonly setting?: string; readonly detail: string }
interface Explained extends RouteExplained { readonly allowed: boolean; readonly reason: string; readonly steps: readonly Step[]; readonly commands: boolean }
interface Seen {
  readonly runId: string; readonly channel: string; readonly accountId: string; readonly chat: { readonly kind: string; readonly id: string }; readonly threadId?: string;
  readonly sender: { readonly id: string; readonly name?: string }; readonly at: number; readonly state: string; readonly reason?: string; readonly sessionKey: string; readonly text: string;
  readonly steps: readonly Step[];
}

export async function accessExplain(call: Call): Promise<void> {
  const { flags, io } = call;
  if (flags.has('last') || flags.has('refused')) return recent(call);
  const explained = await (await call.gateway()).request<Explained>('access.explain', hypothetical(call));
  if (flags.has('json')) return io.out(JSON.stringify(explained, null, 2));
  const { allowed, reason, commands } = explained;
  io.out(allowed ? `It would be answered. Commands: ${commands ? 'yes' : 'no'}.` : `It would not be answered: ${reason.replace(/\.$/, '')}.`);
  io.out(`\n${stepLines(explained.steps)}\n`);
  io.out(routeReport(explained));
}

async function recent(call: Call): Promise<void> {
  const { flags, io } = call;
  const channel = flags.text('channel');
  const params = { limit: flags.number('limit') ?? 5, ...(channel === undefined ? {} : { channel }), ...(flags.has('refused') ? { refusedOnly: true } : {}) };
  const { messages } = await (await call.gateway()).request<{ messages: readonly Seen[] }>('access.recent', params);
  if (flags.has('json')) return io.out(JSON.stringify(messages, null, 2));
  if (messages.length === 0) return io.out(`No ${flags.has('refused') ? 'refused ' : ''}message came${channel === undefined ? '' : ` on ${channel}`}.`);
  io.out(messages.map(seenText).join('\n\n'));
}

function seenText({ at, channel, accountId, chat, threadId, sender, text, state, reason, sessionKey, steps }: Seen): string {
  const where = `${channel}, account ${accountId}, ${chat.kind} ${chat.id}${threadId === undefined ? '' : `, thread ${threadId}`}`;
  const end = state === 'accepted' ? 'being answered' : state;
  return [
    `${new Date(at).toISOString()}  ${where}`,
    visibleLine(`From ${sender.name === undefined ? sender.id : `${sender.name} (${sender.id})`}: ${text || '(no text)'}`),
    `${end[0]!.toUpperCase()}${end.slice(1)}${reason === undefined ? '' : `: ${reason}`}. Session ${sessionKey}.`,
    ...(steps.length > 0 ? [stepLines(steps)] : []),
  ].join('\n');
}

const stepLines = (steps: readonly Step[]): string => columns(steps.map(({ step, ok, setting = '', detail }) => [ok ? '  ✓' : '  ✗', step, setting, detail]));
