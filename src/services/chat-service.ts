/** The gateway's `chat` service: sends messages of the web chat and HTTP to the pipeline, and gives access to runs. */
import { operatorAuthority } from '../core/authority.ts';
import { visibleChatPrefix } from '../core/directives/visible-prefix.ts';
import { originOf } from '../core/trigger.ts';
import { AppError } from '../core/errors.ts';
import type { Attachment, InboundMessage } from '../core/message.ts';
import { present } from '../core/present.ts';
import { NOTHING_SAID } from '../core/said.ts';
import { typed } from '../core/saying.ts';
import type { Principal } from '../core/principal.ts';
import { DEFAULT_ACCOUNT_ID, OWN_CHANNEL } from '../core/product.ts';
import { noUsage } from '../core/transcript.ts';
import type { TurnOutcome } from '../core/turn.ts';
import type { ChatReceipt, ChatRequest, ChatService, RunSnapshot } from '../host/chat.ts';
import type { Journal } from '../journal/journal.ts';
import type { InboundRow } from '../journal/rows.ts';
import type { EndStopped } from '../pipeline/end-stopped.ts';
import type { MessageInbox } from '../pipeline/inbox.ts';
import { keyRules, routeToSession, type RoutingRules } from '../pipeline/routing/route.ts';
import type { RunHub } from '../pipeline/run-hub.ts';
import type { TurnLanes } from '../pipeline/turn-lanes.ts';
import { shortId } from '../platform/ids.ts';
import { createKeyedQueue, inOrder, type KeyedQueue } from '../platform/keyed-queue.ts';
import { within } from '../platform/timeout.ts';
import { canonicalSessionKey } from '../core/session-key.ts';
import { injected } from '../sessions/injected.ts';
import { maySend } from '../sessions/send-policy.ts';
import type { Sessions } from '../sessions/sessions.ts';
import type { SessionConfig } from '../sessions/config.ts';
import type { MediaStore } from '../sessions/media-store.ts';
import { chatHistory } from './chat-history.ts';

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

export function createChatService(deps: ChatServiceDeps): ChatService {
  const { journal, hub, media } = deps;
  const arriving = createKeyedQueue();
  return {
    send: (request) => send(request, arriving, deps),
    wait: (runId, timeoutMs, signal) => wait(runId, { timeoutMs, signal }, deps),
    history: async ({ sessionKey, limit }) => chatHistory(keyOf(sessionKey, deps), limit, deps),
    subscribe: (listener) => hub.subscribe(listener),
    abort: async ({ sessionKey, runId }) => abort(keyOf(sessionKey, deps), runId, deps),
    inject: (words) => inject(words, deps),

    active: (sessionKey) =>
      hub
        .active()
        .filter((run) => sessionKey === undefined || run.sessionKey === keyOf(sessionKey, deps))
        .map((run) => ({ ...run, text: visibleChatPrefix(run.text) })),

    file: ({ sessionKey, id }, part) => media.part({ sessionKey: keyOf(sessionKey, deps), id }, part),

    async timeline(runId) {
      const stages = await journal.timeline(runId);
      if (!stages)
        throw new AppError('not_found', `Unknown message ${runId}; the journal keeps finished messages for 14 days.`);
      return stages;
    },
  };
}

const keyOf = (raw: string, { rules }: ChatServiceDeps): string => canonicalSessionKey(raw, keyRules(rules()));

const keepFiles = (
  { attachments = [] }: ChatRequest,
  sessionKey: string,
  { media }: ChatServiceDeps,
): Promise<Attachment[]> => Promise.all(attachments.map((file) => media.keep(file, sessionKey)));

async function send(request: ChatRequest, arriving: KeyedQueue, deps: ChatServiceDeps): Promise<ChatReceipt> {
  const { sessions } = deps;
  if (!deps.accepting())
    throw new AppError('unavailable', 'The gateway is shutting down or restarting; send again in a moment.', {
      retryAfterMs: 1000,
    });
  const sessionKey = keyOf(request.sessionKey, deps);
  const [attachments] = await inOrder(
    arriving,
    sessionKey,
    Promise.all([keepFiles(request, sessionKey, deps), sessions.ready(sessionKey)]),
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
  return receipt(row, status, deps);
}

async function receipt(row: InboundRow, status: 'accepted' | 'duplicate', deps: ChatServiceDeps): Promise<ChatReceipt> {
  const base = { runId: row.runId, sessionKey: row.route.sessionKey };
  if (status === 'accepted') return { ...base, status: 'started' };
  return row.state === 'accepted'
    ? { ...base, status: 'in_flight' }
    : { ...base, status: 'done', outcome: await outcomeOf(row, deps) };
}

/** How a message ended, from the journal: after a restart nobody remembers it. */
async function outcomeOf(row: InboundRow, { journal }: ChatServiceDeps): Promise<TurnOutcome> {
  const turn = row.turnId === undefined ? undefined : await journal.turns.find(row.turnId);
  if (turn?.outcome && (turn.id === row.runId || turn.outcome.kind !== 'done')) return turn.outcome;
  const reply = (await journal.outbox.ofRun(row.runId)).at(-1)?.payload.text ?? '';
  return row.state === 'failed'
    ? { kind: 'failed', code: 'internal', message: row.reason ?? 'It failed.', usage: noUsage }
    : { kind: 'done', text: reply, usage: noUsage };
}

interface Waiting {
  readonly timeoutMs: number;
  readonly signal: AbortSignal | undefined;
}

/** Undefined: it still goes on. */
async function wait(
  runId: string,
  { timeoutMs, signal }: Waiting,
  deps: ChatServiceDeps,
): Promise<RunSnapshot | undefined> {
  const { hub, journal } = deps;
  const live = hub.whenEnded(runId);
  if (live) return within(live, { ms: timeoutMs, otherwise: undefined, signal });
  const row = await journal.inbound.find(runId);
  if (!row) throw new AppError('not_found', `Unknown run ${runId}.`);
  // It may have begun, or begun and ended, while the journal was asked.
  const begun = row.state === 'accepted' ? hub.whenEnded(runId) : undefined;
  if (begun) return within(begun, { ms: timeoutMs, otherwise: undefined, signal });
  if (row.state === 'accepted') return undefined;
  return {
    runId,
    sessionKey: row.route.sessionKey,
    agentId: row.route.agentId,
    origin: originOf(row.trigger),
    outcome: await outcomeOf(row, deps),
    startedAt: row.acceptedAt,
    endedAt: row.endedAt ?? row.acceptedAt,
  };
}

/** Ends one run of a session, or all of it with what works for it. */
async function abort(key: string, runId: string | undefined, deps: ChatServiceDeps): ReturnType<ChatService['abort']> {
  const known = runId === undefined ? undefined : deps.hub.active().find((run) => run.runId === runId);
  if (known && known.sessionKey !== key) throw new AppError('invalid', `Run ${runId} belongs to another session.`);
  const { aborted, removed } = deps.lanes.abort(key, runId);
  const [children] = await Promise.all([runId === undefined ? deps.stopChildren(key) : 0, deps.endStopped(removed)]);
  const runIds = [...aborted, ...removed].map((item) => item.runId);
  return { aborted: runIds.length + children > 0, runIds };
}

/** Puts words into a transcript without a turn. */
async function inject(
  { sessionKey, message, label }: Parameters<ChatService['inject']>[0],
  deps: ChatServiceDeps,
): ReturnType<ChatService['inject']> {
  const session = await deps.sessions.existing(keyOf(sessionKey, deps));
  if (!session) throw new AppError('not_found', `There is no session ${sessionKey}.`);
  const id = shortId();
  const text = label ? `[${label}]\n\n${message}` : message;
  await session.transcript.append([{ type: 'message', id, message: injected(text, deps.now()) }]);
  return { messageId: id };
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
    address: { channel: OWN_CHANNEL, accountId: DEFAULT_ACCOUNT_ID, chat: { kind: 'direct', id: sessionKey } },
    sender: present({ id: senderId(principal), name: senderName || undefined }),
    ...present({ system: principal.kind === 'internal' ? true : undefined }),
  };
}

const senderId = (principal: Principal): string => ('id' in principal ? principal.id : principal.kind);
