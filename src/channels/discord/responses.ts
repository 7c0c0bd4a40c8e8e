/** Responds to native commands in place: the deferred response first, then follow-up messages. */
import { Routes, type APIMessage } from '@discordjs/core';
import { AppError, setNewest, ignoreOutcome } from '../../sdk/index.ts';
import type { Call } from './api.ts';
import { CODE, codeOf } from './errors.ts';
import { readVia, type Via } from './interaction.ts';
import type { Draft } from './outgoing.ts';

const EPHEMERAL = 1 << 6;
const LOADING = 1 << 7;
/** Some time before Discord itself stops to take answers. */
const GIVE_UP_MS = 14 * 60_000;
const GONE: readonly (number | undefined)[] = [
  CODE.unknownWebhook,
  CODE.invalidWebhookToken,
  CODE.unknownInteraction,
  CODE.unknownMessage,
];

export interface Responses extends Disposable {
  /** Tells Discord that an answer comes. False: too late, or somebody did already. */
  defer(
    interaction: { readonly id: string; readonly token: string; readonly application_id: string },
    kind: 'message' | 'update',
  ): Promise<boolean>;
  /** The id of the message; undefined when the response takes none any more and the chat has to serve. */
  answer(via: string | undefined, draft: Draft): Promise<string | undefined>;
  /** What the person sees as the response now. */
  shown(via: string): Promise<APIMessage | undefined>;
}

export function createResponses({ call, ephemeral }: { readonly call: Call; readonly ephemeral: boolean }): Responses {
  const waiting = new Map<string, NodeJS.Timeout>();
  const begun = new Map<string, true>();

  const original = ({ applicationId, token }: Via): `/${string}` =>
    Routes.webhookMessage(applicationId, token, '@original');

  async function isWaiting(via: Via): Promise<boolean> {
    if (settle(via.token)) return true;
    if (begun.has(via.token)) return false;
    const { flags = 0 } = await call<APIMessage>('get', original(via), 'looking at the response to a command', {
      auth: false,
    }); // begun before a restart
    return (flags & LOADING) !== 0;
  }

  function settle(token: string): boolean {
    const timer = waiting.get(token);
    clearTimeout(timer);
    setNewest(begun, token, true, 500);
    return waiting.delete(token);
  }

  /** Nobody answers: e.g. the person may not use commands. The response must not say forever that one comes. */
  function giveUpLater(via: Via): void {
    const timer = setTimeout(() => {
      if (!settle(via.token)) return;
      // where that fails it expires by itself
      void ignoreOutcome(call('delete', original(via), 'taking back a response nobody gave', { auth: false }));
    }, GIVE_UP_MS).unref();
    waiting.set(via.token, timer);
  }

  return {
    async defer({ id, token, application_id: applicationId }, kind) {
      const body = kind === 'update' ? { type: 6 } : { type: 5, data: ephemeral ? { flags: EPHEMERAL } : {} };
      try {
        await call('post', Routes.interactionCallback(id, token), 'acknowledging a command', { body, auth: false });
      } catch (error) {
        if (error instanceof AppError) return false; // the answer goes to the chat
        throw error;
      }
      if (kind === 'message') giveUpLater({ applicationId, token, expiresAt: 0 });
      return true;
    },
    async answer(written, { body, files }) {
      const via = readVia(written);
      if (!via || via.expiresAt <= Date.now()) return undefined;
      const { message_reference: _reference, nonce: _nonce, enforce_nonce: _enforce, ...rest } = body;
      try {
        const first = await isWaiting(via);
        const sent = first
          ? await call<APIMessage>('patch', original(via), 'answering a command', { body: rest, files, auth: false })
          : await call<APIMessage>('post', Routes.webhook(via.applicationId, via.token), 'answering a command', {
              body: ephemeral ? { ...rest, flags: EPHEMERAL | Number(rest['flags'] ?? 0) } : rest,
              files,
              auth: false,
              query: { wait: true },
            });
        return sent.id;
      } catch (error) {
        if (GONE.includes(codeOf(error))) return undefined;
        throw error;
      }
    },
    async shown(written) {
      const via = readVia(written);
      if (!via || via.expiresAt <= Date.now()) return undefined;
      const message = await call<APIMessage>('get', original(via), 'looking at the response to a command', {
        auth: false,
      });
      return ((message.flags ?? 0) & LOADING) === 0 ? message : undefined;
    },
    [Symbol.dispose]() {
      for (const timer of waiting.values()) clearTimeout(timer);
    },
  };
}
