/**
 * Unsent messages: drafts, queued behind a run, or sent but not confirmed. Each keeps its idempotency key until the
 * gateway confirms it. Pure.
 */
import type { FileView } from './items.ts';

/** `src` is a data URL; `recorded`: a voice note, whose transcript counts as text of the person. */
export interface OutgoingFile extends FileView {
  readonly src: string;
  readonly bytes: number;
  readonly recorded?: true;
}

export interface Outgoing {
  /** Idempotency key, and the id of the run it starts. */
  readonly id: string;
  readonly sessionKey: string;
  readonly text: string;
  readonly files: readonly OutgoingFile[];
  readonly at: number;
  /**
   * `queued`: waits for the end of the running answer. `sending`: to be sent, or sent without a confirmation; sent
   * again after a reconnect. `accepted`: confirmed, but not in the history yet. `failed`: rejected without any effect.
   */
  readonly state: 'queued' | 'sending' | 'accepted' | 'failed';
  readonly error?: string;
  /** Sent into the running answer (steered) instead of after its end. */
  readonly steer?: boolean;
}

export type Outbox = readonly Outgoing[];

export const withOutgoing = (outbox: Outbox, message: Outgoing): Outbox => [...outbox, message];
export const withoutOutgoing = (outbox: Outbox, id: string): Outbox => outbox.filter((message) => message.id !== id);

export function withState(outbox: Outbox, id: string, state: Outgoing['state'], error?: string): Outbox {
  return outbox.map((message) => {
    if (message.id !== id) return message;
    const { error: _old, ...rest } = message;
    return { ...rest, state, ...(error === undefined ? {} : { error }) };
  });
}

export const steered = (outbox: Outbox, id: string): Outbox =>
  outbox.map((message) => (message.id === id ? { ...message, steer: true, state: 'sending' } : message));

/** The message to send when `sessionKey` becomes idle. */
export const nextQueued = (outbox: Outbox, sessionKey: string): Outgoing | undefined =>
  outbox.find((message) => message.sessionKey === sessionKey && message.state === 'queued');

export const unconfirmed = (outbox: Outbox): Outbox => outbox.filter((message) => message.state === 'sending');

/**
 * Removes messages that the history contains. If the conversation was idle at `idleSince`, the history contains
 * everything sent before, in some form (a steered message has no run of its own).
 */
export function withKnownDropped(
  outbox: Outbox,
  {
    sessionKey,
    known,
    idleSince,
  }: { readonly sessionKey: string; readonly known: ReadonlySet<string>; readonly idleSince: number | undefined },
): Outbox {
  const gone = (message: Outgoing): boolean =>
    message.sessionKey === sessionKey &&
    (known.has(message.id) || (message.state === 'accepted' && idleSince !== undefined && message.at < idleSince));
  return outbox.some(gone) ? outbox.filter((message) => !gone(message)) : outbox;
}

/** What is stored for a reload: messages that the gateway has not accepted yet. */
export const serialise = (outbox: Outbox): string =>
  JSON.stringify(outbox.filter((message) => message.state !== 'accepted'));

/** Parses the output of `serialise`; invalid input is an empty outbox. */
export function deserialise(text: string | null): Outbox {
  if (!text) return [];
  try {
    const value: unknown = JSON.parse(text);
    return Array.isArray(value)
      ? value.filter(
          (entry): entry is Outgoing =>
            typeof entry?.id === 'string' &&
            typeof entry?.sessionKey === 'string' &&
            typeof entry?.text === 'string' &&
            Array.isArray(entry?.files),
        )
      : [];
  } catch (cause) {
    if (cause instanceof SyntaxError) return [];
    throw cause;
  }
}
