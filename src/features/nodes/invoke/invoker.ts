/** Pending invocations: each belongs to one connection of one node, and ends exactly once. */
import { AppError } from '../../../core/errors.ts';
import { setNewest } from '../../../core/bounded-map.ts';
import { present } from '../../../core/present.ts';
import type { ClientLink } from '../../../host/clients.ts';
import type { Clock } from '../../../platform/clock.ts';
import { uuid } from '../../../platform/ids.ts';
import { maxResultBytes } from './command-policy.ts';
import { measure } from './measure.ts';
import { createPieces, type Pieces } from './pieces.ts';

/** One command for a node, checked already. */
export interface Invoke {
  readonly nodeId: string;
  readonly link: ClientLink;
  readonly command: string;
  readonly params?: unknown;
  readonly timeoutMs: number;
  /** The same key again is the same invoke: it is not sent twice. */
  readonly idempotencyKey: string;
  /** In words, for the log and for whoever sits at the node: `telegram 4711`. */
  readonly requester: string;
  /** Gives it up. */
  readonly signal?: AbortSignal | undefined;
  /** Told of each piece, as it comes, where the node sends its result in pieces. */
  readonly onPiece?: ((text: string) => void) | undefined;
}

/** What a command came to. */
export interface InvokeAnswer {
  readonly ok: true;
  readonly nodeId: string;
  readonly command: string;
  readonly payload: unknown;
  readonly payloadJSON: string | null;
}

/** What a node sends when a command has ended. */
export interface InvokeResult {
  readonly id: string;
  readonly nodeId: string;
  readonly ok: boolean;
  readonly payload?: unknown;
  readonly payloadJSON?: string | null | undefined;
  readonly error?: { readonly code?: string | undefined; readonly message?: string | undefined } | null | undefined;
}

/** A part of a result, before its end. */
export interface InvokePiece {
  readonly invokeId: string;
  readonly nodeId: string;
  readonly seq: number;
  readonly chunk: string;
}

/** One invoke as pages show it. */
export interface ActiveInvoke {
  readonly nodeId: string;
  readonly command: string;
  readonly requester: string;
  readonly startedAt: number;
}

export interface Invoker {
  /** Rejects with `AppError`; `details.code` is the node's own code, or `TIMEOUT`, `NODE_DISCONNECTED`, `NODE_BUSY`. */
  invoke(invoke: Invoke): Promise<InvokeAnswer>;
  /** `ignored`: nobody waits for it any more. A result for another node's invoke throws `invalid`. */
  result(result: InvokeResult): { readonly ok: true; readonly ignored?: true };
  piece(piece: InvokePiece): { readonly ok: true; readonly ignored?: true };
  /** The connection is gone: what waits on it ends. */
  left(link: ClientLink): void;
  active(): readonly ActiveInvoke[];
}

/** Invokes of one node that have not ended. */
const MAX_PER_NODE = 32;
/** Keys of invokes that are remembered with their answers; of answers with pictures the newest only. */
const REMEMBERED = { all: 500, large: 2 };
const LARGE_CHARS = 64 * 1024;

interface Pending extends Pick<Invoke, 'nodeId' | 'link' | 'command' | 'requester'> {
  readonly startedAt: number;
  readonly pieces: Pieces;
  settle(outcome: InvokeAnswer | AppError): void;
}

/** What invokes run with. */
export interface InvokerDeps {
  readonly clock: Clock;
  /** Told of a node whose invokes under way are other ones now. */
  changed?(nodeId: string): void;
}

type AllPending = Map<string, Pending>;

export function createInvoker(deps: InvokerDeps): Invoker {
  const pending: AllPending = new Map();
  const once = createOnce();
  const of = (id: string, nodeId: string): Pending | undefined => {
    const one = pending.get(id);
    if (one && one.nodeId !== nodeId) throw mismatch(id);
    return one;
  };
  return {
    invoke: (invoke) => once(invoke, () => send(invoke, pending, deps)),

    result(result) {
      const one = of(result.id, result.nodeId);
      if (!one) return { ok: true, ignored: true };
      one.settle(outcomeOf(one, result));
      return { ok: true };
    },

    piece({ invokeId, nodeId, seq, chunk }) {
      const one = of(invokeId, nodeId);
      if (!one) return { ok: true, ignored: true };
      const problem = one.pieces.add(seq, chunk);
      if (problem) one.settle(problem);
      return { ok: true };
    },

    left(link) {
      for (const one of pending.values()) if (one.link === link) one.settle(disconnected(one.command));
    },

    active: () =>
      [...pending.values()].map(({ nodeId, command, requester, startedAt }) => ({
        nodeId,
        command,
        requester,
        startedAt,
      })),
  };
}

async function send(invoke: Invoke, pending: AllPending, { clock, changed }: InvokerDeps): Promise<InvokeAnswer> {
  const { nodeId, command, link, timeoutMs, signal } = invoke;
  if ([...pending.values()].filter((one) => one.nodeId === nodeId).length >= MAX_PER_NODE)
    throw busy(`the node has ${MAX_PER_NODE} commands under way; wait for one to end`);
  const id = uuid();
  const { promise, resolve, reject } = Promise.withResolvers<InvokeAnswer>();
  const ends = new DisposableStack();
  function settle(outcome: InvokeAnswer | AppError): void {
    if (!pending.delete(id)) return;
    ends.dispose();
    changed?.(nodeId);
    if (outcome instanceof AppError) reject(outcome);
    else resolve(outcome);
  }
  function giveUp(reason: string, error: AppError): void {
    link.send('node.invoke.cancel', { id, nodeId, reason });
    settle(error);
  }
  const stopped = (): void =>
    giveUp('given up', new AppError('aborted', `${command} was given up by whoever asked for it`));
  const pieces = createPieces(maxResultBytes(command), invoke.onPiece);
  pending.set(id, { ...invoke, settle, startedAt: clock.now(), pieces });
  ends.use(clock.setTimeout(() => giveUp('timeout', timedOut(command, timeoutMs)), timeoutMs).unref());
  signal?.addEventListener('abort', stopped, { once: true });
  ends.defer(() => signal?.removeEventListener('abort', stopped));
  if (signal?.aborted) stopped();
  changed?.(nodeId);
  // What is sent to a node that reads slowly waits for it, at most as long as the command may take.
  await Promise.race([link.caughtUp(), promise.catch(() => undefined)]);
  if (pending.has(id)) link.send('node.invoke.request', requestOf(id, invoke));
  return promise;
}

interface Remembered {
  readonly command: string;
  readonly answer: Promise<InvokeAnswer>;
}

/** The same key is the same invoke. What failed may be tried again under it: the error says whether it was sent. */
function createOnce() {
  const byKey = new Map<string, Remembered>();
  const largeByKey = new Map<string, Remembered>();

  async function remember(key: string, one: Remembered): Promise<InvokeAnswer> {
    setNewest(byKey, key, one, REMEMBERED.all);
    try {
      const answer = await one.answer;
      if ((answer.payloadJSON?.length ?? 0) > LARGE_CHARS) {
        byKey.delete(key);
        setNewest(largeByKey, key, one, REMEMBERED.large);
      }
      return answer;
    } catch (error) {
      byKey.delete(key);
      throw error;
    }
  }

  return ({ nodeId, command, idempotencyKey }: Invoke, begin: () => Promise<InvokeAnswer>): Promise<InvokeAnswer> => {
    const key = `${nodeId}\n${idempotencyKey}`;
    const known = byKey.get(key) ?? largeByKey.get(key);
    if (!known) return remember(key, { command, answer: begin() });
    if (known.command === command) return known.answer;
    return Promise.reject(new AppError('conflict', `the idempotency key was used for ${known.command}; use a new one`));
  };
}

const requestOf = (id: string, { nodeId, command, params, timeoutMs, idempotencyKey, link, requester }: Invoke) =>
  present({
    id,
    nodeId,
    command,
    paramsJSON: params === undefined ? undefined : JSON.stringify(params),
    timeoutMs,
    idempotencyKey,
    // The published host has no room for it; ours asks for it, and shows it to whoever sits there.
    requester: link.offers.caps.includes('requester') ? requester : undefined,
  });

function outcomeOf({ nodeId, command, pieces }: Pending, result: InvokeResult): InvokeAnswer | AppError {
  if (!result.ok) return nodeError(command, result.error ?? {});
  const max = maxResultBytes(command);
  const text = result.payloadJSON ?? (result.payload === undefined ? pieces.text() : undefined);
  if (text !== undefined && text.length > max) return tooLarge(command, max);
  const payload = text === undefined ? (result.payload ?? null) : parsed(text);
  if (payload instanceof AppError) return payload;
  const size = measure(payload, max);
  if (size === 'too large') return tooLarge(command, max);
  if (size === 'too deep') return invalidResult('that is nested more than a hundred deep');
  return { ok: true, nodeId, command, payload, payloadJSON: text ?? null };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return invalidResult('that is not JSON');
  }
}

const invalidResult = (which: string): AppError =>
  new AppError('bad_response', `the node sent a result ${which}`, { details: { code: 'INVALID_RESULT' } });

/** The node's own words, bounded: its code is what callers tell apart. */
function nodeError(command: string, { code = 'UNAVAILABLE', message }: NonNullable<InvokeResult['error']>): AppError {
  const known = code.slice(0, 64);
  const said = (message ?? 'the node gave no reason').slice(0, 2000);
  return new AppError('unavailable', said.startsWith(known) ? said : `${known}: ${said}`, {
    details: { code: known, command, nodeError: { code: known, message: said } },
  });
}

const tooLarge = (command: string, max: number): AppError =>
  new AppError('too_large', `the result of ${command} has more than ${max} bytes; ask for less`, {
    details: { code: 'PAYLOAD_TOO_LARGE', command },
  });

const disconnected = (command: string): AppError =>
  new AppError('unavailable', `node disconnected (${command})`, {
    details: { code: 'NODE_DISCONNECTED', command },
  });

const timedOut = (command: string, timeoutMs: number): AppError =>
  new AppError('timeout', `node invoke timed out (${command}, ${timeoutMs} ms)`, {
    details: { code: 'TIMEOUT', command, timeoutMs },
  });

const mismatch = (id: string): AppError =>
  new AppError('invalid', `nodeId mismatch: invoke ${id} was not sent to this node`, {
    details: { code: 'NODE_ID_MISMATCH' },
  });

const busy = (why: string): AppError =>
  new AppError('unavailable', why, { retryAfterMs: 1000, details: { code: 'NODE_BUSY' } });
