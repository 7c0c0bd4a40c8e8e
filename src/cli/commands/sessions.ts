/** `sessions list|show|reset|delete`: manages sessions. */
import { AppError } from '../../core/errors.ts';
import { sentByTool } from '../../core/message-tool.ts';
import { present } from '../../core/present.ts';
import type { KeptFile } from '../../core/shown.ts';
import type { Message } from '../../core/transcript.ts';
import type { Call } from '../command.ts';
import { listing } from '../columns.ts';
import { ago } from '../durations.ts';
import { fileLine } from '../answer-files.ts';
import { terminalText } from '../terminal-text.ts';
import { OWN_COMMAND } from '../../platform/own-command.ts';

/** As the history shows it. */
type SeenMessage = Message & { readonly files?: readonly KeptFile[] };

interface SessionRow {
  readonly key: string;
  readonly displayName?: string;
  readonly label?: string;
  readonly subject?: string;
  readonly groupChannel?: string;
  readonly derivedTitle?: string;
  readonly updatedAt?: number | null;
  readonly model?: string;
  readonly totalTokens?: number;
  readonly contextTokens?: number;
}
/** `nextOffset` where there is more. */
interface More {
  readonly nextOffset?: number;
}
interface History extends More {
  readonly sessionKey: string;
  readonly sessionId?: string;
  readonly messages: readonly SeenMessage[];
}

const DEFAULT_ROWS = 50;
const DEFAULT_MESSAGES = 20;

export async function sessionsList(call: Call): Promise<void> {
  const { flags, io } = call;
  const link = await call.gateway();
  const agentId = flags.text('agent');
  const activeMinutes = flags.number('active');
  const answer = await link.request<{ sessions: readonly SessionRow[] } & More>('sessions.list', {
    limit: flags.number('limit') ?? DEFAULT_ROWS,
    ...offsetOf(call),
    includeDerivedTitles: true,
    ...present({ agentId, activeMinutes }),
  });
  if (flags.has('json')) return io.out(JSON.stringify(answer, null, 2));
  io.out(
    listing(
      ['key', 'active', 'model', 'context', 'name'],
      answer.sessions.map(row),
      `No sessions yet. Run \`${OWN_COMMAND} chat\` to start one.`,
    ),
  );
  printMore(call, answer, 'More sessions');
}

/** Begins behind what an earlier page showed. */
const offsetOf = ({ flags }: Call): { offset?: number } =>
  flags.number('offset') === undefined ? {} : { offset: flags.number('offset')! };

/** No list ends in silence. */
function printMore({ io }: Call, { nextOffset }: More, words: string): void {
  if (nextOffset !== undefined) io.err(`(${words}: --offset ${nextOffset})`);
}

const row = (session: SessionRow): readonly string[] => [
  session.key,
  ago(session.updatedAt ?? undefined),
  session.model ?? '',
  contextUse(session),
  session.label ?? session.subject ?? session.groupChannel ?? session.displayName ?? session.derivedTitle ?? '',
];

/** How full the model's window is: `12k of 200k`. */
function contextUse({ totalTokens, contextTokens }: SessionRow): string {
  const thousands = (tokens: number): string => (tokens < 1000 ? String(tokens) : `${Math.round(tokens / 1000)}k`);
  if (totalTokens === undefined) return '';
  return contextTokens ? `${thousands(totalTokens)} of ${thousands(contextTokens)}` : thousands(totalTokens);
}

export async function sessionsShow(call: Call): Promise<void> {
  const { flags, io } = call;
  const link = await call.gateway();
  const { key } = await link.request<{ key: string }>('sessions.resolve', { key: call.args[0] });
  const history = await link.request<History>('chat.history', {
    sessionKey: key,
    limit: flags.number('limit') ?? DEFAULT_MESSAGES,
    ...offsetOf(call),
  });
  if (flags.has('json')) return io.out(JSON.stringify(history, null, 2));
  io.out(terminalText(`${history.sessionKey}${history.sessionId === undefined ? '' : ` (${history.sessionId})`}`));
  for (const message of history.messages) io.out(terminalText(`\n${heading(message)}\n${bodyOf(message)}`));
  printMore(call, history, 'Older messages');
}

const heading = (message: Message): string =>
  `[${new Date(message.timestamp).toLocaleString()}] ` +
  `${message.role === 'toolResult' ? `result of ${message.toolName}` : message.role === 'user' && message.system ? 'system' : message.role}`;

/** Files by name and id: `sessions file` saves them. */
const bodyOf = (message: SeenMessage): string =>
  [...blocksOf(message), ...filesOf(message).map((file) => `${fileLine(file)} ${file.id}`)].join('\n');

const filesOf = (message: SeenMessage): readonly KeptFile[] =>
  message.role === 'toolResult' ? sentByTool([message]).flatMap(({ files = [] }) => files) : (message.files ?? []);

const blocksOf = ({ content }: Message): readonly string[] =>
  content.map((block) => {
    switch (block.type) {
      case 'text':
        return block.text;
      case 'image':
        return '[image]';
      case 'thinking':
        return '[thinking]';
      case 'toolCall':
        return `[calls ${block.name} ${JSON.stringify(block.arguments)}]`;
      case 'canvas':
        return `[shows ${block.preview.title ?? block.preview.url}]`;
    }
  });

export async function sessionsReset(call: Call): Promise<void> {
  const link = await call.gateway();
  const answer = await link.request<{ key: string; entry?: { sessionId?: string } }>('sessions.reset', {
    key: call.args[0],
  });
  call.io.out(
    call.flags.has('json')
      ? JSON.stringify(answer, null, 2)
      : `Reset ${answer.key}${answer.entry?.sessionId === undefined ? '' : ` as ${answer.entry.sessionId}`}.`,
  );
}

interface Deleted {
  readonly key: string;
  readonly deleted: boolean;
  readonly archived?: readonly string[];
}

export async function sessionsDelete(call: Call): Promise<void> {
  const answer = await (await call.gateway()).request<Deleted>('sessions.delete', { key: call.args[0] });
  if (call.flags.has('json')) return call.io.out(JSON.stringify(answer, null, 2));
  if (!answer.deleted)
    throw new AppError('not_found', `No session ${answer.key}. Run \`${OWN_COMMAND} sessions list\` to list them.`);
  call.io.out(
    [`Deleted ${answer.key}.`, ...(answer.archived ?? []).map((path) => `Transcript archived as ${path}.`)].join('\n'),
  );
}
