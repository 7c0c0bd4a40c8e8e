/** Reads the history of a conversation as people see it, without context added for the model. */
import { withoutDirectives } from '../core/directives/read-directives.ts';
import { present } from '../core/present.ts';
import { textOf, type Message, type UserMessage } from '../core/transcript.ts';
import type { ChatHistory, SeenMessage } from '../host/chat.ts';
import type { ActiveRun } from '../host/runs.ts';
import type { Journal } from '../journal/journal.ts';
import type { InboundRow } from '../journal/rows.ts';
import { GREETING } from '../pipeline/commands/new.ts';
import type { RunHub } from '../pipeline/run-hub.ts';
import type { Sessions } from '../sessions/sessions.ts';
import { remembered, type BodyLine } from '../sessions/transcript-line.ts';

export interface ChatHistoryDeps {
  readonly sessions: Pick<Sessions, 'existing'>;
  readonly hub: Pick<RunHub, 'active'>;
  readonly journal: Pick<Journal, 'inbound'>;
}

/** The newest messages of a conversation, those that wait to be understood last. `key`: canonical. */
export async function chatHistory(key: string, limit: number, deps: ChatHistoryDeps): Promise<ChatHistory> {
  const { sessions } = deps;
  const session = await sessions.existing(key);
  const waiting = await beingUnderstood(key, deps);
  if (!session) return { sessionKey: key, messages: stillWaiting(waiting, deps) };
  const { entry, transcript } = session;
  // Nothing is waited for in here: what has entered the transcript meanwhile waits no more.
  const newest = (lines: readonly BodyLine[]): readonly SeenMessage[] =>
    [...seenIn(lines), ...stillWaiting(waiting, deps)].slice(-limit);
  const held = newest(transcript.lines);
  const messages = held.length < limit && !transcript.isWhole ? await transcript.readAll(newest) : held;
  return present({
    sessionKey: key,
    sessionId: entry.sessionId,
    messages,
    thinkingLevel: entry.thinkingLevel,
  });
}

const seenIn = (lines: readonly BodyLine[]): readonly SeenMessage[] =>
  remembered(lines).flatMap((line) =>
    line.type === 'message'
      ? asSeen(line.message).map((message) => ({
          ...message,
          id: line.id,
          ...present({ turnId: line.turnId || undefined }),
        }))
      : [],
  );

/** A message enters the transcript with its notes; until it has them, the person's words stand for it. */
async function beingUnderstood(key: string, { hub, journal }: ChatHistoryDeps): Promise<readonly InboundRow[]> {
  const runs = hub.active().filter((run) => run.sessionKey === key && isUnderstood(run));
  const rows = await Promise.all(runs.map(({ runId }) => journal.inbound.find(runId)));
  return rows.filter((row) => row !== undefined).filter(({ turnId }) => turnId === undefined);
}

function stillWaiting(rows: readonly InboundRow[], { hub }: ChatHistoryDeps): ChatHistory['messages'] {
  const waiting = new Set(
    hub
      .active()
      .filter(isUnderstood)
      .map(({ runId }) => runId),
  );
  return rows.filter(({ runId }) => waiting.has(runId)).map((row) => ({ ...asSent(row), turnId: row.runId }));
}

/** Understanding is at its message. */
const isUnderstood = ({ progress }: ActiveRun): boolean => progress !== undefined;

/** As people see it; none: what it says was said before. A bare reset asks for a greeting; the person wrote `/new`. */
function asSeen(message: Message): readonly SeenMessage[] {
  if (message.role === 'user' && textOf(message.content) === GREETING)
    return [{ ...message, content: [{ type: 'text', text: '/new' }] }];
  if (message.role !== 'assistant') return [message];
  if (!message.shown) return [withoutDirectives(message)];
  const { shown, ...answer } = message;
  const content = [
    ...answer.content.filter(({ type }) => type !== 'text' && type !== 'canvas'),
    ...(shown.text === '' ? [] : [{ type: 'text' as const, text: shown.text }]),
    ...answer.content.filter(({ type }) => type === 'canvas'),
  ];
  if (content.length + shown.files.length === 0) return [];
  return [{ ...answer, content, ...present({ files: shown.files.length > 0 ? shown.files : undefined }) }];
}

function asSent({ message: { text, attachments }, acceptedAt }: InboundRow): UserMessage {
  const files = attachments.map(({ name = 'file', mime }) => ({ name, mime }));
  return {
    role: 'user',
    content: [{ type: 'text', text }],
    timestamp: acceptedAt,
    ...present({ written: files.length > 0 ? { text, files } : undefined }),
  };
}
