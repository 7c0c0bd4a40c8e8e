/**
 * Handles gateway requests that a tool makes for its turn: treated as untrusted input, allowed only for the owner, and
 * reported to the conversation.
 */
import type { z } from 'zod';
import type { Act } from '../core/access-table.ts';
import { AppError } from '../core/errors.ts';
import { assertAllowed, may, type RecordAccess } from '../core/may.ts';
import type { ChatAddress } from '../core/message.ts';
import { parseSessionKey } from '../core/session-key.ts';
import type { Turn } from '../core/turn.ts';
import { describeProblem } from '../protocol/fields.ts';
import type { RestartRequest } from './restart.ts';

/** Maximum characters of the notice afterwards. */
export const MAX_NOTE_LENGTH = 1000;

/** Whose request it is, and where the access check on it is kept. */
export interface TurnRequestDeps {
  readonly turn: Turn;
  keep?: RecordAccess | undefined;
}

/** It takes a message of the owner (`commands.ownerAllowFrom`), or the scope for it. */
export function assertOwner({ turn, keep }: TurnRequestDeps, [verb, kind]: Act, what: string): void {
  const check = may(turn.authority, verb, { kind });
  assertAllowed(
    check,
    `This conversation may not ${what}: only a message from the owner alone may (commands.ownerAllowFrom).`,
  );
  keep?.(turn, check);
}

/** What a tool sent, as the schema reads it. Throws `invalid` and names the field. */
export function readToolParams<S extends z.ZodType>(schema: S, params: unknown): z.output<S> {
  const parsed = schema.safeParse(params ?? {});
  if (!parsed.success) throw new AppError('invalid', describeProblem(parsed.error));
  return parsed.data;
}

/** The conversation of the turn, in its chat and thread; or another of the same agent, by its agent. */
export function notificationTarget(
  { turn, canonicalKey }: { readonly turn: Turn; canonicalKey(raw: string): string },
  requested: string | undefined,
): Pick<RestartRequest, 'sessionKey' | 'replyTo' | 'authority'> {
  const { authority, route } = turn;
  const key = requested?.trim() ? canonicalKey(requested) : route.sessionKey;
  if (key === route.sessionKey) return { sessionKey: key, replyTo: withoutVia(route.replyTo), authority };
  if (parseSessionKey(key)?.agentId !== route.agentId)
    throw new AppError('denied', 'Tools can only access the conversations of their own agent.');
  return { sessionKey: key, authority };
}

/** The other way answers to one message may go is gone by then. */
function withoutVia(address: ChatAddress): ChatAddress {
  const { via: _, ...rest } = address;
  return rest;
}
