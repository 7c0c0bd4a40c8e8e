/**
 * Sends system events to agents as journal rows, so that restarts neither lose nor repeat them. A noted event is in the
 * conversation and read in the next turn; a wake starts a turn.
 */
import { excerpt } from '../core/cut.ts';
import type { Authority } from '../core/authority.ts';
import type { Trigger } from '../core/trigger.ts';
import type { ChatAddress } from '../core/message.ts';
import { NOTHING_SAID } from '../core/said.ts';
import { neutralise } from '../core/neutralise.ts';
import { present } from '../core/present.ts';
import type { SessionKey } from '../core/session-key.ts';
import { textOf, type Message, type StopReason } from '../core/transcript.ts';
import type { TurnOptions } from '../core/turn.ts';
import type { Accepted, InboundRow } from '../journal/rows.ts';
import type { Receive } from './receive.ts';
import { ownChat } from './delivery-target.ts';

/** Begins everything the gateway tells an agent. */
export const EVENT_MARK = 'System event: ';

/** Characters of what happened; the rest is cut. */
const MAX_CHARS = 8000;

/** Something that happened and that an agent should hear of. */
export interface SystemEvent {
  /** The same after a restart, so that the event is sent once. It is also the run id of its turn. */
  readonly id: string;
  readonly agentId: string;
  readonly sessionKey: SessionKey;
  /** Text of the gateway, or of somebody who may write to this conversation. */
  readonly text: string;
  /**
   * What a command printed, what came from outside: set in quotes behind the text, so that no word of it can pass for
   * ours.
   */
  readonly quoted?: string;
  /** Where the answer goes; absent: the web chat of the session. */
  readonly replyTo?: ChatAddress;
  /** On whose word the turn acts. */
  readonly authority: Authority;
  /** False: it is noted. Otherwise a turn of its own; `task`: what to do about it, below the event. */
  readonly wake: false | Wake;
}

/** The turn an event is to have; without one it is only noted. */
export interface Wake {
  readonly trigger?: Trigger;
  readonly options?: TurnOptions;
  readonly task?: string;
}

/** `repeated`: the session already has exactly this event and has not answered yet; nothing was stored. */
export type EventReceipt =
  | { readonly status: 'accepted' | 'duplicate'; readonly row: InboundRow }
  | { readonly status: 'repeated' };

/** A message of the gateway's own, with which it begins a turn or leaves a note. `text` stands as it is. */
export interface SystemMessage extends Omit<SystemEvent, 'quoted' | 'wake'> {
  readonly now: number;
  /** It starts no turn. */
  readonly quiet?: boolean;
  readonly trigger?: Trigger | undefined;
  readonly options?: TurnOptions | undefined;
}

/** See `createSystemEvents`. */
export type SystemEvents = ReturnType<typeof createSystemEvents>;

/** What telling of events works with. */
export interface SystemEventsDeps {
  /** Keeps the message and begins it. */
  receive: Receive;
  now(): number;
  /** The newest messages of a session, oldest first. Absent: repetitions are not noticed. */
  tail?(sessionKey: string, limit: number): Promise<readonly Message[]>;
  /** Resolves with the end of a run; undefined when it is not known. */
  ended?(runId: string): Promise<unknown> | undefined;
}

/** Tells agents of what no person wrote: as a note in the session, or as a turn; the same event once. */
export function createSystemEvents({ receive, now, tail, ended }: SystemEventsDeps) {
  /** By session, what is on its way into it and does not stand there yet: a note waits until nobody speaks. */
  const pending = new Map<string, SystemMessage>();
  const standing = async (sessionKey: string): Promise<readonly string[]> =>
    unanswered(tail ? await tail(sessionKey, MAX_SCANNED) : []);

  async function noted(message: SystemMessage): Promise<EventReceipt> {
    const { sessionKey, text, id } = message;
    const before = pending.get(sessionKey);
    if (before ? before.text === text && before.id !== id : (await standing(sessionKey)).at(-1) === text)
      return { status: 'repeated' };
    pending.set(sessionKey, message);
    const arrived = (): void => void (pending.get(sessionKey) === message && pending.delete(sessionKey));
    try {
      return await receive(systemMessage({ ...message, quiet: true }), id);
    } finally {
      void (ended?.(id) ?? Promise.resolve()).then(arrived);
    }
  }

  return {
    /** Resolves once it is on disk. An id that is known is `duplicate`, with its row as it is now. */
    notify({ text, quoted, wake, ...event }: SystemEvent): Promise<EventReceipt> {
      const said = eventText(text, quoted);
      const message: SystemMessage = { ...event, now: now(), text: said };
      if (wake === false) return noted(message);
      return receive(
        systemMessage({
          ...message,
          text: wake.task === undefined ? said : `${said}\n\n${wake.task}`,
          trigger: wake.trigger,
          options: wake.options,
        }),
        event.id,
      );
    },

    /** Something happened that the agent of this session has not answered yet. */
    pending: async (sessionKey: string): Promise<boolean> => (await standing(sessionKey)).length > 0,
  };
}

/** `System event: <text> :: "<quoted>"`. */
export function eventText(text: string, quoted?: string): string {
  const said = excerpt(text.trim(), MAX_CHARS);
  const flat = quoted === undefined ? '' : neutralise(quoted.trim()).replace(/\s+/g, ' ');
  return `${EVENT_MARK}${said}${flat === '' ? '' : ` :: ${JSON.stringify(excerpt(flat, MAX_CHARS))}`}`;
}

/** What happened, in the shape of a message, so that it takes the path of every other one. */
export function systemMessage({
  id,
  agentId,
  sessionKey,
  text,
  replyTo = ownChat(sessionKey),
  now,
  quiet,
  trigger,
  options = {},
  authority,
}: SystemMessage): Accepted {
  return {
    message: {
      id,
      address: replyTo,
      sender: { id: 'system', name: 'system' },
      system: true,
      said: NOTHING_SAID,
      ...present({ quiet: quiet || undefined }),
      text,
      attachments: [],
      addressesBot: true,
      receivedAt: now,
    },
    route: { agentId, sessionKey, matchedBy: 'session', replyTo },
    options,
    commands: false,
    authority,
    ...(trigger ? { trigger, queue: 'followup' } : {}),
  };
}

/** How many messages are searched for unanswered events. */
const MAX_SCANNED = 50;

/** An answer that broke off answered nothing, nor does what was sent in the agent's name. */
const NO_ANSWER: readonly StopReason[] = ['error', 'aborted', 'injected'];

/** The events behind the last answer, oldest first. */
function unanswered(messages: readonly Message[]): readonly string[] {
  const answered = messages.findLastIndex(
    (message) =>
      message.role === 'toolResult' || (message.role === 'assistant' && !NO_ANSWER.includes(message.stopReason)),
  );
  return messages
    .slice(answered + 1)
    .flatMap((message) => (message.role === 'user' && message.system ? [textOf(message.content)] : []))
    .filter((text) => text.startsWith(EVENT_MARK));
}
