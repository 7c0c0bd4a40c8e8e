/** The gateway's `chat` service: the web chat's and HTTP's way into the pipeline, and what they may ask of runs. */
import { operatorAuthority } from '../core/authority.ts';
import { seenSoFar, withoutDirectives } from '../core/directives.ts';
import { originOf } from '../core/trigger.ts';
import { AppError } from '../core/errors.ts';
import type { Attachment, InboundMessage } from '../core/message.ts';
import { present } from '../core/present.ts';
import { NOTHING_SAID } from '../core/said.ts';
import { typed } from '../core/saying.ts';
import type { Principal } from '../core/principal.ts';
import { DEFAULT_ACCOUNT_ID } from '../core/product.ts';
import { noUsage, textOf, type Message, type UserMessage } from '../core/transcript.ts';
import type { TurnOutcome } from '../core/turn.ts';
import type { ChatHistory, ChatReceipt, ChatRequest, ChatService, RunSnapshot, SeenMessage } from '../host/chat.ts';
import type { Journal } from '../journal/journal.ts';
import type { InboundRow } from '../journal/rows.ts';
import { GREETING } from '../pipeline/commands/new.ts';
import type { EndStopped } from '../pipeline/end-stopped.ts';
import type { MessageInbox } from '../pipeline/inbox.ts';
import { keyRules, routeToSession, type RoutingRules } from '../pipeline/routing/route.ts';
import type { RunHub } from '../pipeline/run-hub.ts';
import type { TurnLanes } from '../pipeline/turn-lanes.ts';
import { shortId } from '../platform/ids.ts';
import { createKeyedQueue, inOrder } from '../platform/keyed-queue.ts';
import { within } from '../platform/timeout.ts';
import { canonicalSessionKey } from '../core/session-key.ts';
import { remembered } from '../sessions/transcript-line.ts';
import { injected } from '../sessions/injected.ts';
import { maySend } from '../sessions/send-policy.ts';
import type { Sessions } from '../sessions/sessions.ts';
import type { SessionConfig } from '../sessions/config.ts';
import type { ActiveRun } from '../host/runs.ts';
import type { MediaStore } from '../sessions/media-store.ts';

export interface ChatServiceDeps {
  readonly inbox: Pick<MessageInbox, 'receive'>;
  endStopped: EndStopped;
  readonly journal: Journal;
  readonly lanes: TurnLanes;
  readonly hub: RunHub;
  readonly sessions: Sessions;
  readonly media: MediaStore;
  /** Ends the sub-agents a session started; how many there were. */
  stopChildren(sessionKey: string): Promise<number>;
  rules(): RoutingRules;
  sendPolicy(): SessionConfig['sendPolicy'];
  accepting(): boolean;
  now(): number;
}

const WEBCHAT = 'webchat';

export function createChatService(deps: ChatServiceDeps): ChatService {
  const { journal, hub, sessions } = deps;
  const arriving = createKeyedQueue();
  const keyOf = (raw: string): string => canonicalSessionKey(raw, keyRules(deps.rules()));
  const keepFiles = ({ attachments = [] }: ChatRequest, sessionKey: string): Promise<Attachment[]> =>
    Promise.all(attachments.map((file) => deps.media.keep(file, sessionKey)));

  async function send(request: ChatRequest): Promise<ChatReceipt> {
    if (!deps.accepting())
      throw new AppError('unavailable', 'The gateway is shutting down or restarting; send again in a moment.', {
        retryAfterMs: 1000,
      });
    const sessionKey = keyOf(request.sessionKey);
    const [attachments] = await inOrder(
      arriving,
      sessionKey,
      Promise.all([keepFiles(request, sessionKey), sessions.ready(sessionKey)]),
    );
    const message = inboundMessage({ ...request, sessionKey }, attachments, deps.now());
    const route = routeToSession(message, sessionKey, deps.rules());
    // A command may lift the block; what only looks like one ends as declined further on.
    const mayLift = (request.commands ?? true) && /^\s*\//.test(request.text);
    if (!mayLift && !maySend(deps.sendPolicy(), route.sessionKey, sessions.peek(route.sessionKey)))
      throw new AppError('denied', 'send blocked by session policy');
    const { status, row } = await deps.inbox.receive(
      {
        message,
        route,
        options: request.options ?? {},
        commands: request.commands ?? true,
        authority: operatorAuthority(request.principal, {
          agentId: route.agentId,
          sessionKey: route.sessionKey,
          address: route.replyTo,
        }),
        ...present({ queue: request.queue }),
      },
      request.runId,
    );
    return receipt(row, status);
  }

  async function receipt(row: InboundRow, status: 'accepted' | 'duplicate'): Promise<ChatReceipt> {
    const base = { runId: row.runId, sessionKey: row.route.sessionKey };
    if (status === 'accepted') return { ...base, status: 'started' };
    return row.state === 'accepted'
      ? { ...base, status: 'in_flight' }
      : { ...base, status: 'done', outcome: await outcomeOf(row) };
  }

  /** How a message ended, from the journal: after a restart nobody remembers it. */
  async function outcomeOf(row: InboundRow): Promise<TurnOutcome> {
    const turn = row.turnId === undefined ? undefined : await journal.turns.find(row.turnId);
    if (turn?.outcome && (turn.id === row.runId || turn.outcome.kind !== 'done')) return turn.outcome;
    const reply = (await journal.outbox.ofRun(row.runId)).at(-1)?.payload.text ?? '';
    return row.state === 'failed'
      ? { kind: 'failed', code: 'internal', message: row.reason ?? 'It failed.', usage: noUsage }
      : { kind: 'done', text: reply, usage: noUsage };
  }

  async function wait(runId: string, timeoutMs: number, signal?: AbortSignal): Promise<RunSnapshot | undefined> {
    const live = hub.whenEnded(runId);
    if (live) return within(live, { ms: timeoutMs, otherwise: undefined, signal });
    const row = await journal.inbound.find(runId);
    if (!row) throw new AppError('not_found', `There is no run ${runId}.`);
    // It may have begun, or begun and ended, while the journal was asked.
    const begun = row.state === 'accepted' ? hub.whenEnded(runId) : undefined;
    if (begun) return within(begun, { ms: timeoutMs, otherwise: undefined, signal });
    if (row.state === 'accepted') return undefined;
    return {
      runId,
      sessionKey: row.route.sessionKey,
      agentId: row.route.agentId,
      origin: originOf(row.trigger),
      outcome: await outcomeOf(row),
      startedAt: row.acceptedAt,
      endedAt: row.endedAt ?? row.acceptedAt,
    };
  }

  async function history({ sessionKey, limit }: { sessionKey: string; limit: number }): Promise<ChatHistory> {
    const key = keyOf(sessionKey);
    const session = await sessions.existing(key);
    const waiting = await beingUnderstood(key);
    if (!session) return { sessionKey: key, messages: stillWaiting(waiting) };
    // From here on nothing is waited for: what has entered the transcript meanwhile waits no more.
    const inside = session.entry.lastChannel === undefined;
    const known = remembered(session.transcript.lines).flatMap((line) =>
      line.type === 'message'
        ? asSeen(line.message, inside).map((message) => ({
            ...message,
            id: line.id,
            ...present({ turnId: line.turnId || undefined }),
          }))
        : [],
    );
    const messages = [...known, ...stillWaiting(waiting)].slice(-limit);
    return present({
      sessionKey: key,
      sessionId: session.entry.sessionId,
      messages,
      thinkingLevel: session.entry.thinkingLevel,
    });
  }

  /** A message enters the transcript with its notes; until it has them, the person's words stand for it. */
  async function beingUnderstood(key: string): Promise<readonly InboundRow[]> {
    const runs = hub.active().filter((run) => run.sessionKey === key && isUnderstood(run));
    const rows = await Promise.all(runs.map(({ runId }) => journal.inbound.find(runId)));
    return rows.filter((row) => row !== undefined).filter(({ turnId }) => turnId === undefined);
  }

  function stillWaiting(rows: readonly InboundRow[]): ChatHistory['messages'] {
    const waiting = new Set(
      hub
        .active()
        .filter(isUnderstood)
        .map(({ runId }) => runId),
    );
    return rows.filter(({ runId }) => waiting.has(runId)).map((row) => ({ ...asSent(row), turnId: row.runId }));
  }

  return {
    send,
    wait,
    history,
    subscribe: (listener) => hub.subscribe(listener),

    async abort({ sessionKey, runId }) {
      const key = keyOf(sessionKey);
      const known = runId === undefined ? undefined : hub.active().find((run) => run.runId === runId);
      if (known && known.sessionKey !== key) throw new AppError('invalid', `Run ${runId} belongs to another session.`);
      const { aborted, removed } = deps.lanes.abort(key, runId);
      const [children] = await Promise.all([
        runId === undefined ? deps.stopChildren(key) : 0,
        deps.endStopped(removed),
      ]);
      const runIds = [...aborted, ...removed].map((item) => item.runId);
      return { aborted: runIds.length + children > 0, runIds };
    },

    async inject({ sessionKey, message, label }) {
      const session = await sessions.existing(keyOf(sessionKey));
      if (!session) throw new AppError('not_found', `There is no session ${sessionKey}.`);
      const id = shortId();
      await session.transcript.append([
        { type: 'message', id, message: injected(label ? `[${label}]\n\n${message}` : message, deps.now()) },
      ]);
      return { messageId: id };
    },

    active: (sessionKey) =>
      hub
        .active()
        .filter((run) => sessionKey === undefined || run.sessionKey === keyOf(sessionKey))
        .map((run) => (run.inside ? { ...run, text: seenSoFar(run.text) } : run)),

    file: ({ sessionKey, id }, part) => deps.media.part({ sessionKey: keyOf(sessionKey), id }, part),

    async timeline(runId) {
      const stages = await journal.timeline(runId);
      if (!stages)
        throw new AppError('not_found', `There is no message ${runId}; the journal keeps ended ones for 14 days.`);
      return stages;
    },
  };
}

/** Understanding is at its message. */
const isUnderstood = ({ progress }: ActiveRun): boolean => progress !== undefined;

/**
 * As people see it; none: what it says was said before. A bare reset asks for a greeting; the person wrote `/new`.
 * `inside`: the conversation was never on a channel, which would have read the directives of an answer.
 */
function asSeen(message: Message, inside: boolean): readonly SeenMessage[] {
  if (message.role === 'user' && textOf(message.content) === GREETING)
    return [{ ...message, content: [{ type: 'text', text: '/new' }] }];
  if (message.role !== 'assistant') return [message];
  if (!message.shown) return [inside ? withoutDirectives(message) : message];
  const { shown, ...answer } = message;
  const content = [
    ...answer.content.filter(({ type }) => type !== 'text'),
    ...(shown.text === '' ? [] : [{ type: 'text' as const, text: shown.text }]),
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

function inboundMessage(
  { runId, sessionKey, text, principal, senderName }: ChatRequest,
  attachments: readonly Attachment[],
  now: number,
): InboundMessage {
  return {
    id: runId,
    text,
    said: principal.kind === 'internal' ? NOTHING_SAID : typed(text),
    attachments,
    addressesBot: true,
    receivedAt: now,
    address: { channel: WEBCHAT, accountId: DEFAULT_ACCOUNT_ID, chat: { kind: 'direct', id: sessionKey } },
    sender: present({ id: senderId(principal), name: senderName || undefined }),
    ...present({ system: principal.kind === 'internal' ? true : undefined }),
  };
}

const senderId = (principal: Principal): string => ('id' in principal ? principal.id : principal.kind);
