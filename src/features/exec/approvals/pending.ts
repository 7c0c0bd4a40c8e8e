/** Pending approvals: kept in memory, answered once by the first person, until they expire. */
import {
  APPROVAL_DECISIONS,
  type ApprovalRequested,
  type ApprovalDecision,
  type ApprovalRequest,
  type ApprovalResolution,
} from '../../../core/approval.ts';
import { AppError } from '../../../core/errors.ts';
import type { Log } from '../../../core/log.ts';
import { present } from '../../../core/present.ts';
import type { Clock } from '../../../platform/clock.ts';
import { uuid } from '../../../platform/ids.ts';

export type ApprovalQuestion = Omit<ApprovalRequest, 'id' | 'slug' | 'createdAt' | 'expiresAt'>;
export type ApprovalNews = { readonly requested: ApprovalRequest } | { readonly resolved: ApprovalResolution };

export interface AskOptions {
  readonly timeoutMs: number;
  /** Takes the question back. */
  readonly signal: AbortSignal;
  /** Made up by whoever asks; absent: by us. */
  readonly id?: string | undefined;
}

export interface Pending {
  /** `problem`: nobody can be asked, in one sentence. */
  ask(question: ApprovalQuestion, options: AskOptions): ApprovalRequested | { readonly problem: string };
  /** Oldest first. */
  list(): readonly ApprovalRequest[];
  /** By its whole id: what waits, or was answered lately. */
  find(id: string): ApprovalRequested | undefined;
  /**
   * By id or an unambiguous beginning of it. Unknown: `not_found`; answered already: `conflict`; a decision that is not
   * offered: `invalid`. `may`: what whoever answers may not is as good as unknown.
   */
  resolve(
    id: string,
    decision: ApprovalDecision,
    by: string,
    may?: (request: ApprovalRequest) => boolean,
  ): ApprovalResolution;
  subscribe(listener: (news: ApprovalNews) => void): () => void;
}

export interface PendingDeps {
  readonly clock: Clock;
  readonly log: Log;
  newId?(): string;
}

const MAX_PENDING = 100;
const REMEMBERED = 50;
const SLUG_CHARS = 8;
/** Fewer would hit by chance what was asked in the meantime. */
const LEAST_PREFIX = 4;

interface Open extends ApprovalRequested {
  settle(resolution: ApprovalResolution): void;
}
interface Settled extends ApprovalRequested {
  readonly resolution: ApprovalResolution;
}

export function createPending({ clock, log, newId = uuid }: PendingDeps): Pending {
  const open = new Map<string, Open>();
  const settled: Settled[] = [];
  const listeners = new Set<(news: ApprovalNews) => void>();
  const notify = (news: ApprovalNews): void => listeners.forEach((listener) => listener(news));
  const isKnown = (id: string): boolean => open.has(id) || settled.some(({ request }) => request.id === id);

  function freshId(): string {
    for (;;) {
      const id = newId();
      if (![...open.values()].some(({ request }) => request.slug === slugOf(id)) && !isKnown(id)) return id;
    }
  }

  function end(id: string, decision: ApprovalResolution['decision'], by?: string): ApprovalResolution {
    const { request, decided, settle } = open.get(id)!;
    const resolution: ApprovalResolution = present({ id, decision, at: clock.now(), by });
    open.delete(id);
    settled.push({ request, decided, resolution });
    if (settled.length > REMEMBERED) settled.shift();
    log.info('exec.approval.resolved', { id, decision, by, agentId: request.agentId, sessionKey: request.sessionKey });
    settle(resolution);
    notify({ resolved: resolution });
    return resolution;
  }

  function ask(
    question: ApprovalQuestion,
    { timeoutMs, signal, id: input }: AskOptions,
  ): ApprovalRequested | { readonly problem: string } {
    if (open.size >= MAX_PENDING)
      return {
        problem: `${MAX_PENDING} approvals are already pending, which is the limit. Answer those first.`,
      };
    if (input !== undefined && isKnown(input)) return { problem: `Approval ${input} already exists.` };
    const id = input ?? freshId();
    const createdAt = clock.now();
    const request: ApprovalRequest = { ...question, id, slug: slugOf(id), createdAt, expiresAt: createdAt + timeoutMs };
    const waiting = waitFor(request, { clock, timeoutMs, signal, end: (decision) => void end(id, decision) });
    open.set(id, waiting);
    log.info('exec.approval.requested', {
      id,
      agentId: request.agentId,
      sessionKey: request.sessionKey,
      host: request.host,
    });
    notify({ requested: request });
    waiting.follow();
    return { request, decided: waiting.decided };
  }

  return {
    ask,
    list: () => [...open.values()].map(({ request }) => request),
    find: (id) => open.get(id) ?? settled.find(({ request }) => request.id === id),
    resolve(named, decision, by, may = () => true) {
      if (!APPROVAL_DECISIONS.includes(decision))
        throw notOffered(`Unknown decision "${String(decision)}"; use ${APPROVAL_DECISIONS.join(', ')}.`);
      const request = only(
        named,
        [...open.values()].filter(({ request }) => may(request)),
        settled.filter(({ request }) => may(request)),
      );
      if (decision === 'allow-always' && !request.rememberable)
        throw notOffered(
          `Approval ${request.slug} can be answered only with allow-once or deny: remembering it would allow more ` +
            'than this command.',
        );
      return end(request.id, decision, by);
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}

interface WaitOptions {
  readonly clock: Clock;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  end(decision: 'expired' | 'withdrawn'): void;
}

/** `follow`: from then on it is taken back with its signal. */
function waitFor(request: ApprovalRequest, { clock, timeoutMs, signal, end }: WaitOptions): Open & { follow(): void } {
  const { promise, resolve } = Promise.withResolvers<ApprovalResolution>();
  const timer = clock.setTimeout(() => end('expired'), timeoutMs).unref();
  const takeBack = (): void => end('withdrawn');
  return {
    request,
    decided: promise,
    settle(resolution) {
      timer.cancel();
      signal.removeEventListener('abort', takeBack);
      resolve(resolution);
    },
    follow() {
      if (signal.aborted) takeBack();
      else signal.addEventListener('abort', takeBack, { once: true });
    },
  };
}

const slugOf = (id: string): string => id.slice(0, SLUG_CHARS);
const notOffered = (message: string): AppError => new AppError('invalid', message);

/** The one open request somebody means. */
function only(named: string, open: readonly ApprovalRequested[], settled: readonly Settled[]): ApprovalRequest {
  const wanted = named.trim().toLowerCase();
  const exact = open.find(({ request }) => request.id.toLowerCase() === wanted);
  if (exact) return exact.request;
  const begins = ({ request }: ApprovalRequested): boolean => request.id.toLowerCase().startsWith(wanted);
  const late = settled.findLast(({ request }) => request.id.toLowerCase() === wanted);
  if (late) throw tooLate(late);
  if (wanted.length < LEAST_PREFIX)
    throw new AppError('invalid', `Give the approval id or at least its first ${LEAST_PREFIX} characters.`);
  const [first, ...others] = open.filter(begins);
  if (first && others.length > 0)
    throw new AppError(
      'invalid',
      `More than one approval begins with ${named}: ` +
        `${[first, ...others].map(({ request }) => request.slug).join(', ')}.`,
    );
  if (first) return first.request;
  const lateByPrefix = settled.findLast(begins);
  throw lateByPrefix ? tooLate(lateByPrefix) : new AppError('not_found', `No pending approval ${named.slice(0, 64)}.`);
}

function tooLate({ request, resolution: { decision, by } }: Settled): AppError {
  const answered = `it was answered ${decision}${by ? ` by ${by}` : ''}`;
  const happened = decision === 'expired' ? 'it expired' : decision === 'withdrawn' ? 'it was withdrawn' : answered;
  return new AppError('conflict', `Approval ${request.slug} is already settled: ${happened}.`, {
    details: { id: request.id, decision },
  });
}
