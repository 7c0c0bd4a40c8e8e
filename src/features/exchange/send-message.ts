/** `sessions_send`: finds the session, checks permissions, sends the message and waits for the answer. */
import type { Turn } from '../../core/turn.ts';
import { exchangeIdOf, stepRunId, type Exchange } from './exchange.ts';
import type { SessionConfig } from '../../sessions/config.ts';
import { maySend } from '../../sessions/send-policy.ts';
import type { Exchanges } from './create-exchanges.ts';
import type { StepEnd } from './next-step.ts';
import { guardExchange } from './exchange-guard.ts';
import { tooMany } from './exchange-limits.ts';
import type { Found, SessionFinder } from '../../host/session-finder.ts';
import { sessionKind } from '../../sessions/session-kind.ts';

export interface SendRequest {
  readonly sessionKey?: string | undefined;
  readonly label?: string | undefined;
  readonly agentId?: string | undefined;
  readonly message: string;
  readonly timeoutSeconds?: number | undefined;
  readonly announce?: boolean | undefined;
  /** The same after a crash: what was asked is not asked again. */
  readonly runId: string;
  readonly signal: AbortSignal;
}

export interface SendAnswer {
  readonly runId: string;
  readonly status: 'ok' | 'accepted' | 'timeout' | 'error' | 'forbidden';
  readonly sessionKey?: string;
  readonly reply?: string;
  readonly error?: string;
  /** Whether the target goes on to tell its own chat. */
  readonly delivery?: { readonly status: 'pending' | 'none'; readonly mode: 'announce' | 'off' };
}

export interface SendDeps {
  readonly turn: Turn;
  readonly finder: SessionFinder;
  readonly exchanges: Exchanges;
  session(): Pick<SessionConfig, 'sendPolicy' | 'agentToAgent'>;
  now(): number;
}

const DEFAULT_SECONDS = 30;
const MAX_SECONDS = 3600;
const MAX_CHARACTERS = 64_000;

export async function sendMessage(request: SendRequest, deps: SendDeps): Promise<SendAnswer> {
  const id = exchangeIdOf(request.runId);
  const known = await deps.exchanges.find(id); // the call of an earlier run: what it sent is sent
  if (known) return answer(known, request, deps.exchanges);
  const checked = await check(request, deps);
  if ('error' in checked) return { runId: stepRunId(id, 0), ...checked };
  const announce = request.announce ?? true;
  const begun = await deps.exchanges.begin({
    id,
    kind: 'send',
    requesterKey: deps.turn.route.sessionKey,
    targetKey: checked.key,
    request: request.message,
    announce,
    turns: announce && talks(deps) ? deps.session().agentToAgent.maxPingPongTurns : 0,
    depth: checked.depth,
    authority: deps.turn.authority,
    createdAt: deps.now(),
  });
  if (!begun) return { runId: stepRunId(id, 0), status: 'error', error: tooMany('send'), sessionKey: checked.key };
  return answer(begun, request, deps.exchanges);
}

type Refused = Pick<SendAnswer, 'sessionKey'> & { readonly status: 'error' | 'forbidden'; readonly error: string };

async function check(
  request: SendRequest,
  { turn, finder, exchanges, session }: SendDeps,
): Promise<{ readonly key: string; readonly depth: number } | Refused> {
  const problem = invalidRequest(request);
  if (problem !== undefined) return { status: 'error', error: problem };
  const found = await target(request, finder);
  if (found.status !== 'ok') return found;
  const { key, entry } = found.session;
  if (!maySend(session().sendPolicy, key, entry))
    return { status: 'forbidden', error: `send blocked by session policy: ${key} takes no messages.`, sessionKey: key };
  const guarded = await guardExchange({ turn, kind: 'send', targetKey: key }, exchanges);
  return guarded.ok ? { key, depth: guarded.depth } : { status: 'error', error: guarded.error, sessionKey: key };
}

async function answer(
  { id, targetKey, announce }: Exchange,
  { timeoutSeconds = DEFAULT_SECONDS, signal }: SendRequest,
  exchanges: Exchanges,
): Promise<SendAnswer> {
  const delivery = announce
    ? ({ status: 'pending', mode: 'announce' } as const)
    : ({ status: 'none', mode: 'off' } as const);
  const base = { runId: stepRunId(id, 0), sessionKey: targetKey, delivery };
  const seconds = Math.min(MAX_SECONDS, Math.max(0, timeoutSeconds));
  if (seconds === 0) return { status: 'accepted', ...base };
  return answered(await exchanges.whenEnded(id, 0, { timeoutMs: seconds * 1000, signal }), { ...base, seconds });
}

function invalidRequest({ sessionKey, label, message }: SendRequest): string | undefined {
  if (sessionKey?.trim() && label?.trim()) return 'Provide either sessionKey or label (not both).';
  if (!sessionKey?.trim() && !label?.trim()) return 'Either sessionKey or label is required';
  if (message.trim() === '') return 'message is empty: write what the other session should know or do.';
  return message.length > MAX_CHARACTERS
    ? `message has ${message.length} characters; the limit is ${MAX_CHARACTERS}. Put the rest into a file ` +
        'and name it.'
    : undefined;
}

const target = ({ sessionKey, label, agentId }: SendRequest, finder: SessionFinder): Promise<Found> =>
  sessionKey?.trim()
    ? finder.find(sessionKey, 'send')
    : finder.findLabel({ label: label!.trim(), agentId: agentId?.trim() || undefined }, 'send');

/** A job or a hook is over when its turn is: nobody is there any more to talk to. */
function talks({ turn, finder }: SendDeps): boolean {
  const kind = sessionKind(turn.route.sessionKey, finder.mainKey());
  return turn.origin !== 'cron' && turn.origin !== 'webhook' && kind !== 'cron' && kind !== 'hook' && kind !== 'node';
}

function answered(
  end: StepEnd | undefined,
  {
    seconds,
    ...base
  }: {
    readonly runId: string;
    readonly sessionKey: string;
    readonly delivery: NonNullable<SendAnswer['delivery']>;
    readonly seconds: number;
  },
): SendAnswer {
  const { runId, sessionKey } = base;
  switch (end?.kind) {
    case undefined:
      return {
        runId,
        status: 'timeout',
        error: `No answer within ${seconds} s. The other session continues; do not send the message again.`,
        sessionKey,
      };
    case 'said':
      return { status: 'ok', reply: end.text, ...base };
    case 'stopped':
      return {
        runId,
        status: 'error',
        error: 'The other session was stopped before it answered.',
        sessionKey,
      };
    case 'failed':
      return { runId, status: 'error', error: end.message, sessionKey };
  }
}
