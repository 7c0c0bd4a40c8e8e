/** Sends an action, and repeats it with the same id until the gateway reports its outcome. */
import type { ActionState, FeedEvent, UserAction } from '../surface/canvas-feed.ts';

const STATUS_EVENT = 'clawdbot:a2ui-action-status';
const ERROR_EVENT = 'clawdbot:a2ui-error';
const MAX_REPORTS = 50;
const BUSY_MS = 1500;

/** How an action stands, for the page to show. */
export interface ActionNews {
  readonly id: string;
  readonly state: ActionState | 'sending';
  /** What a person reads; absent: nothing. */
  readonly text?: string;
  readonly bad?: boolean;
}

/** What could not be drawn. */
export interface DrawFault {
  readonly surfaceId: string;
  readonly componentId: string;
  readonly message: string;
}

export interface Sender {
  send(action: Omit<UserAction, 'id' | 'timestamp'>, nodeKey: string): void;
  /** Those without an outcome once more: the connection is back. */
  resend(): void;
  outcome(event: Extract<FeedEvent, { readonly kind: 'action' }>): void;
  isSending(surfaceId: string, nodeKey: string): boolean;
  /** Each fault once. */
  report(fault: DrawFault): void;
}

interface Sent {
  readonly body: string;
  readonly surfaceId: string;
  readonly nodeKey: string;
  accepted: boolean;
}

/** Tells the page of every change. */
export function createSender(report: (news: ActionNews) => void): Sender {
  const sent = new Map<string, Sent>();
  const reported = new Set<string>();

  function ended(id: string, state: ActionState, error?: string): void {
    sent.delete(id);
    const detail = error === undefined ? { id, ok: true } : { id, ok: false, error };
    document.dispatchEvent(new CustomEvent(STATUS_EVENT, { detail }));
    report({ id, state, text: error ?? 'Done.', bad: error !== undefined });
  }

  function follow(id: string, state: ActionState): void {
    const one = sent.get(id);
    if (!one) return;
    if (state === 'answered') return ended(id, state);
    if (state !== 'accepted') return ended(id, state, 'The agent could not answer.');
    if (one.accepted) return;
    one.accepted = true;
    report({ id, state, text: 'Sent. The agent is working on it.' });
  }

  async function post(id: string, one: Sent): Promise<void> {
    const answer = await postJson(one.body);
    // Sent again with the next snapshot, when the connection is back.
    if (answer === undefined) return;
    if (answer.isBusy) return void setTimeout(() => sent.get(id) === one && void post(id, one), BUSY_MS);
    if (answer.state !== undefined) follow(id, answer.state);
    else ended(id, 'failed', answer.error ?? 'That did not work.');
  }

  return {
    send(action, nodeKey) {
      const id = freshId();
      const userAction: UserAction = { id, ...action, timestamp: new Date().toISOString() };
      const one = { body: JSON.stringify({ userAction }), surfaceId: action.surfaceId, nodeKey, accepted: false };
      sent.set(id, one);
      report({ id, state: 'sending' });
      void post(id, one);
    },
    resend: () => sent.forEach((one, id) => void post(id, one)),
    outcome: ({ id, state }) => follow(id, state),
    isSending: (surfaceId, nodeKey) =>
      [...sent.values()].some((one) => one.surfaceId === surfaceId && one.nodeKey === nodeKey && !one.accepted),
    report(fault) {
      const error = JSON.stringify({ error: fault });
      if (reported.has(error) || reported.size >= MAX_REPORTS) return;
      reported.add(error);
      document.dispatchEvent(new CustomEvent(ERROR_EVENT, { detail: { error: fault } }));
      void postJson(error);
    },
  };
}

interface Answered {
  readonly state?: ActionState;
  readonly error?: string;
  /** The gateway is starting or stopping. */
  readonly isBusy?: boolean;
}

/** Undefined: the gateway was not reached. */
async function postJson(body: string): Promise<Answered | undefined> {
  try {
    // Without a type of content it is a request that needs no question before it.
    const answer = await fetch('action', { method: 'POST', body: new Blob([body]), credentials: 'omit' });
    const read = (await answer.json()) as {
      readonly state?: ActionState;
      readonly error?: { readonly message?: string };
    };
    if (answer.status === 503) return { isBusy: true };
    return answer.ok
      ? read.state === undefined
        ? {}
        : { state: read.state }
      : { error: read.error?.message ?? `HTTP ${answer.status}` };
  } catch (error) {
    if (error instanceof TypeError || error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** Without `randomUUID`, which pages over plain HTTP do not have. */
const freshId = (): string =>
  [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join('');
