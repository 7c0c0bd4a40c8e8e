/** Converts the outcome of a turn to replies, end states and the new session entry. Pure. */
import { excerpt } from '../../core/cut.ts';
import type { InboundRow, NewOutboxRow, TurnEnd } from '../../journal/rows.ts';
import { withoutSent } from '../../core/message-tool.ts';
import { present } from '../../core/present.ts';
import { SILENT_REPLY } from '../../core/product.ts';
import type { ReplyPayload } from '../../core/reply.ts';
import { noUsage, type AssistantMessage, type Message, type Usage } from '../../core/transcript.ts';
import type { Turn, TurnOutcome } from '../../core/turn.ts';
import type { SessionEntry, SessionPatch } from '../../sessions/entry.ts';
import type { ReplyExtras } from './reply-extras.ts';
import type { ReplyDecision } from '../../host/reply-policy.ts';
import { placeOf } from './session-place.ts';

/**
 * On a channel the silent token at the beginning or the end of the text means: say nothing. Files that are named go out
 * all the same.
 */
const keepsSilent = (text: string): boolean =>
  new RegExp(`^\\W*${SILENT_REPLY}\\b|\\b${SILENT_REPLY}\\W*$`).test(text.trim()) &&
  !/^[^\S\n\r\u2028\u2029]*MEDIA:/m.test(text);

interface EndExtras {
  readonly decision?: ReplyDecision;
  /** What tools of the turn attach to its answer. */
  readonly attached?: Pick<ReplyPayload, 'attached' | 'canvas'>;
}

/** Files come also where there are no words to bring them. */
function withAttached(
  answer: ReplyPayload | undefined,
  attached: Pick<ReplyPayload, 'attached' | 'canvas'>,
  outcome: TurnOutcome,
): ReplyPayload | undefined {
  if (answer) return answer.kind === 'final' ? { ...answer, ...attached } : answer;
  return attached.attached && outcome.kind === 'done' ? { kind: 'final', text: '', ...attached } : undefined;
}

export function turnEnd(
  turn: Turn,
  outcome: TurnOutcome,
  { thoughts, usage, sent = [], decision = {}, attached = {} }: ReplyExtras & EndExtras = {},
): TurnEnd {
  const spoken = decision.silent
    ? undefined
    : withoutSent(decision.text === undefined ? replyOf(outcome) : { kind: 'final', text: decision.text }, {
        to: turn.route.replyTo,
        sent,
      });
  const answer = decision.silent ? undefined : withAttached(spoken, attached, outcome);
  const payload = answer && usage !== undefined ? { ...answer, text: `${answer.text}\n\n${usage}` } : answer;
  const reply = (place: string, said: ReplyPayload): NewOutboxRow => ({
    token: `${turn.id}:${place}`,
    runId: turn.id,
    sessionKey: turn.route.sessionKey,
    address: turn.route.replyTo,
    payload: said,
  });
  const notices = turn.notices ?? [];
  return {
    turnId: turn.id,
    outcome,
    inbound:
      outcome.kind === 'failed'
        ? { state: 'failed', reason: `${outcome.code}: ${outcome.message}` }
        : present({ state: 'answered', reason: outcome.kind === 'aborted' ? 'aborted' : undefined }),
    replies: [
      ...(notices.length > 0 ? [reply('notices', { kind: 'notice', text: notices.join('\n') })] : []),
      ...(payload && thoughts !== undefined ? [reply('thoughts', { kind: 'notice', text: thoughts })] : []),
      ...(payload ? [reply('0', payload)] : []),
    ],
  };
}

/** No text for silence and for a stop, because the requester knows of it. A failure always has a text. */
export function replyOf(outcome: TurnOutcome): ReplyPayload | undefined {
  switch (outcome.kind) {
    case 'done':
      return outcome.text.trim() === '' || keepsSilent(outcome.text)
        ? undefined
        : { kind: 'final', text: outcome.text };
    case 'aborted':
      return undefined;
    case 'failed':
      return { kind: 'notice', text: `⚠️ ${outcome.message}`, failed: true };
  }
}

/** What lists show of a session before its first turn has ended. */
export function firstFacts(rows: readonly InboundRow[]): SessionPatch {
  const personal = rows.findLast(({ message, guest }) => !message.system && !guest);
  if (!personal) return {};
  const { channel, chat } = personal.message.address;
  return { ...placeOf(personal.message), channel, chatType: chat.kind };
}

/** What the session remembers of the turn. `totalTokens` is how full the context was at its last model call. */
export function sessionPatch(input: {
  entry: SessionEntry;
  messages: readonly Message[];
  outcome: TurnOutcome;
  rows: readonly InboundRow[];
  deliverable: boolean;
  contextTokens: number | undefined;
  now: number;
}): SessionPatch {
  const answers = input.messages.filter((message): message is AssistantMessage => message.role === 'assistant');
  const last = answers.at(-1);
  const spent: Usage = input.outcome.usage ?? noUsage;
  // What nobody wrote changes neither where the session is written to nor when a person was there last.
  const personal = input.rows.findLast(({ message }) => !message.system);
  const total = last && last.usage.total > 0 ? last.usage.total : undefined;
  return {
    inputTokens: (input.entry.inputTokens ?? 0) + spent.input,
    outputTokens: (input.entry.outputTokens ?? 0) + spent.output,
    ...present({
      totalTokens: total,
      contextTokens: input.contextTokens,
      costUsd: spent.cost !== undefined ? (input.entry.costUsd ?? 0) + spent.cost : undefined,
      modelProvider: last?.provider,
      model: last?.model,
    }),
    ...(input.entry.title === undefined && personal ? { title: titleOf(personal.message.text) } : {}),
    abortedLastRun: input.outcome.kind === 'aborted' ? true : null,
    ...(personal
      ? {
          lastUserActivityAt: input.now,
          archived: null,
          ...(input.deliverable && !personal.guest
            ? lastRoute(personal)
            : {
                channel: input.entry.channel ?? personal.message.address.channel,
                chatType: input.entry.chatType ?? personal.message.address.chat.kind,
              }),
        }
      : {}),
  };
}

/** At most 60 characters, cut between words; nothing for a message without text. What stands for a file is its kind. */
function titleOf(text: string): string | undefined {
  const flat = text
    .replace(/<media:(\w+)>/g, '$1')
    .replace(/\s+/g, ' ')
    .trim();
  if (flat.length <= 60) return flat || undefined;
  const wordEnd = flat.lastIndexOf(' ', 59);
  return excerpt(flat, wordEnd > 20 ? wordEnd : 60);
}

/** Where unsolicited messages of this session go; an in-product surface never becomes that, nor a guest's chat. */
function lastRoute({ message }: InboundRow): SessionPatch {
  const { address } = message;
  return {
    ...placeOf(message),
    channel: address.channel,
    chatType: address.chat.kind,
    lastChannel: address.channel,
    lastTo: address.chat.id,
    lastAccountId: address.accountId,
    lastThreadId: address.threadId ?? null,
  };
}
