/**
 * `access explain`: explains whether a message would be answered, who the requester is, and what they may do; with
 * `--last`, how recent messages were decided.
 */
import { AppError } from '../../core/errors.ts';
import { present } from '../../core/present.ts';
import { visibleLine } from '../../core/visible-text.ts';
import {
  answersText,
  extentTable,
  requesterText,
  stepLines,
  type Answer,
  type AccessExtent,
  type Requester,
  type Step,
} from '../access-text.ts';
import type { Call } from '../command.ts';
import { hypothetical } from '../hypothetical.ts';
import { routeReport, type RouteExplained } from './route-explain.ts';

interface Explained extends RouteExplained {
  readonly allowed: boolean;
  readonly reason: string;
  readonly steps: readonly Step[];
  readonly commands: boolean;
  readonly requester: Requester;
  readonly reaches: readonly AccessExtent[];
  readonly acts?: readonly Answer[];
}
interface Seen {
  readonly runId: string;
  readonly channel: string;
  readonly accountId: string;
  readonly chat: { readonly kind: string; readonly id: string };
  readonly threadId?: string;
  readonly sender: { readonly id: string; readonly name?: string };
  readonly at: number;
  readonly state: string;
  readonly reason?: string;
  readonly sessionKey: string;
  readonly text: string;
  readonly steps: readonly Step[];
}

export async function accessExplain(call: Call): Promise<void> {
  const { flags, io } = call;
  if (flags.has('last') || flags.has('refused')) return recent(call);
  const explained = await (await call.gateway()).request<Explained>('access.explain', {
    ...hypothetical(call),
    ...requestedAct(call),
  });
  if (flags.has('json')) return io.out(JSON.stringify(explained, null, 2));
  const { allowed, reason, commands, requester, reaches, acts } = explained;
  io.out(
    allowed
      ? `The message would be answered. Commands: ${commands ? 'yes' : 'no'}.`
      : `The message would not be answered: ${reason.replace(/\.$/, '')}.`,
  );
  if (!acts) io.out(`\n${stepLines(explained.steps)}\n\n${routeReport(explained)}`);
  io.out(`\nSender:\n${requesterText(requester)}\n`);
  io.out(acts ? answersText(acts) : `Allowed actions:\n${extentTable(reaches)}`);
}

async function recent(call: Call): Promise<void> {
  const { flags, io } = call;
  const channel = flags.text('channel');
  const params = present({
    limit: flags.number('limit') ?? 5,
    channel,
    refusedOnly: flags.has('refused') ? true : undefined,
  });
  const { messages } = await (await call.gateway()).request<{ messages: readonly Seen[] }>('access.recent', params);
  if (flags.has('json')) return io.out(JSON.stringify(messages, null, 2));
  if (messages.length === 0)
    return io.out(
      `No ${flags.has('refused') ? 'refused ' : ''}messages${channel === undefined ? '' : ` on ${channel}`}.`,
    );
  io.out(messages.map(seenText).join('\n\n'));
}

function seenText({
  at,
  channel,
  accountId,
  chat,
  threadId,
  sender,
  text,
  state,
  reason,
  sessionKey,
  steps,
}: Seen): string {
  const where =
    `${channel}, account ${accountId}, ${chat.kind} ` +
    `${chat.id}${threadId === undefined ? '' : `, thread ${threadId}`}`;
  const end = state === 'accepted' ? 'being answered' : state;
  return [
    `${new Date(at).toISOString()}  ${where}`,
    visibleLine(
      `From ${sender.name === undefined ? sender.id : `${sender.name} (${sender.id})`}: ${text || '(no text)'}`,
    ),
    `${end[0]!.toUpperCase()}${end.slice(1)}${reason === undefined ? '' : `: ${reason}`}. Session ${sessionKey}.`,
    ...(steps.length > 0 ? [stepLines(steps)] : []),
  ].join('\n');
}

const words = (list: string | undefined): readonly string[] | undefined =>
  list
    ?.split(',')
    .map((word) => word.trim())
    .filter(Boolean);

/** What the sender might want; what was not typed is left out. */
function requestedAct({ flags }: Call): Readonly<Record<string, unknown>> {
  const [verb, resource] = [flags.text('verb'), flags.text('resource')];
  if ((verb === undefined) !== (resource === undefined))
    throw new AppError('invalid', 'Give both --verb and --resource, for example --verb read --resource received-file.');
  const all = { verb, resource, scopes: words(flags.text('scopes')), hands: words(flags.text('through')) };
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined));
}
