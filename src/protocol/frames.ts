/**
 * The three frame types of the protocol, and the strict parser of client frames. No dependencies, because browsers load
 * it too.
 */
import type { WireError } from './errors.ts';
import { head } from '../core/cut.ts';
import { present } from '../core/present.ts';

/** A call, answered by one `ResponseFrame` with its id (`agent`: by two). */
export interface RequestFrame {
  readonly type: 'req';
  readonly id: string;
  readonly method: string;
  readonly params?: unknown;
  readonly traceparent?: string;
}

/** The answer to a call; `payload` when `ok`, else `error`. */
export interface ResponseFrame {
  readonly type: 'res';
  readonly id: string;
  readonly ok: boolean;
  readonly payload?: unknown;
  readonly error?: WireError;
}

/** Counts up with each change, so that a client knows whether it has missed one. */
export interface StateVersion {
  readonly presence: number;
  readonly health: number;
}

/** Something the gateway tells without being asked. */
export interface EventFrame {
  readonly type: 'event';
  readonly event: string;
  readonly payload?: unknown;
  /** Counts per connection, without gaps unless something was dropped for a slow reader. */
  readonly seq?: number;
  readonly stateVersion?: StateVersion;
}

/** A frame that was read, or what is wrong with it. */
export type ReadRequest =
  | { readonly ok: true; readonly frame: RequestFrame }
  /** `id` is there when the broken frame carried one, so that its sender can be answered. */
  | { readonly ok: false; readonly problem: string; readonly id?: string };

const REQUEST_KEYS = new Set(['type', 'id', 'method', 'params', 'traceparent']);
const MAX_NAME_LENGTH = 256;

/** Reads one text frame of a client; says what is wrong instead of throwing. */
export function readRequest(text: string): ReadRequest {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    // Its message quotes the input; the sender needs only to know that it is not JSON.
    return { ok: false, problem: 'the frame is not JSON' };
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return { ok: false, problem: 'the frame is not an object' };
  const frame = value as Record<string, unknown>;
  const problem = requestProblem(frame);
  if (!problem) return { ok: true, frame: value as RequestFrame };
  return present({ ok: false, problem, id: isName(frame.id) ? frame.id : undefined });
}

const isName = (value: unknown): value is string =>
  typeof value === 'string' && value.length > 0 && value.length <= MAX_NAME_LENGTH;

function requestProblem(frame: Record<string, unknown>): string | undefined {
  if (frame.type !== 'req') return 'type must be "req"';
  for (const name of ['id', 'method'] as const)
    if (!isName(frame[name])) return `${name} must be a string of 1 to ${MAX_NAME_LENGTH} characters`;
  if (frame.traceparent !== undefined && !isName(frame.traceparent)) return 'traceparent must be a string';
  const unknown = Object.keys(frame).find((key) => !REQUEST_KEYS.has(key));
  return unknown === undefined ? undefined : `unknown property ${JSON.stringify(head(unknown, 64))}`;
}
