/** Sending, changing, taking back and looking up messages of the bot. */
import { Routes, type APIMessage, type APIThreadChannel } from '@discordjs/core';
import {
  AppError,
  type ChannelAccount,
  type ChannelConnection,
  type ChatAddress,
  type OutboundMessage,
  head,
} from '../../sdk/index.ts';
import type { Call } from './api.ts';
import type { DiscordConfig } from './config.ts';
import { CODE, codeOf } from './errors.ts';
import { nonceOf, type Ledger } from './ledger.ts';
import { contentOf, draftOf, plainOf, type Draft } from './outgoing.ts';
import { missingToSend } from './permissions.ts';
import { idAt } from './place.ts';
import { bounded, type Places } from './places.ts';
import { emojiPath } from './reaction.ts';
import type { Responses } from './responses.ts';

export interface SendDeps {
  readonly call: Call;
  readonly places: Places;
  readonly account: ChannelAccount<DiscordConfig>;
  readonly responses: Responses;
  readonly ledger: Ledger;
  readonly botId: string;
}

export type Sending = Required<
  Pick<ChannelConnection, 'send' | 'readBack' | 'edit' | 'remove' | 'react' | 'typing' | 'poll'>
> & {
  /** The channel that is written to; opens what does not exist yet. */
  channelOf(to: ChatAddress): Promise<string>;
};

/** Our clock and Discord's may differ. */
const CLOCK_SLACK_MS = 5000;
const NAME_LENGTH = 80;

/** What each way of writing works with. */
interface Writing extends SendDeps {
  channelOf(to: ChatAddress): Promise<string>;
}

export function createSending(deps: SendDeps): Sending {
  const on: Writing = { ...deps, channelOf: createChannelOf(deps) };
  return {
    channelOf: on.channelOf,
    send: async (to, message) => ({ messageIds: [await send(on, to, message)] }),
    readBack: (to, token, looked) => readBack(on, to, token, looked),
    async edit(to, messageId, message) {
      const channelId = await on.channelOf(to);
      await withMarkup(on, message, (content) =>
        on.call('patch', Routes.channelMessage(channelId, messageId), `changing message ${messageId}`, {
          body: { content, allowed_mentions: { parse: [] } },
        }),
      );
    },
    async remove(to, messageId) {
      const at = Routes.channelMessage(await on.channelOf(to), messageId);
      await on.call('delete', at, `deleting message ${messageId}`);
    },
    react: (to, messageId, emoji, options) => react(on, { to, messageId, emoji, remove: options?.remove === true }),
    async typing(to) {
      if (to.via?.startsWith('interaction:')) return; // Discord shows there that an answer comes
      await on.call('post', Routes.channelTyping(await on.channelOf(to)), 'showing that the bot types');
    },
    poll: (to, asked) => poll(on, to, asked),
  };
}

/** Which channel an address means; opens threads that do not exist yet, once each. */
function createChannelOf(deps: SendDeps): Writing['channelOf'] {
  const threads = new Map<string, string>();
  return async (to) => {
    if (to.chat.kind === 'direct') return deps.places.directChannel(to.chat.id);
    if (to.threadId === undefined) return to.chat.id;
    if (to.via !== 'thread') return to.threadId;
    const known = threads.get(to.threadId);
    return known ?? bounded(threads, to.threadId, await openThread(deps, to.chat.id, to.threadId), 1000);
  };
}

/** A thread on a message has the message's id. Where the bot may not open one, the answer goes into the channel. */
async function openThread({ call, account }: SendDeps, channelId: string, messageId: string): Promise<string> {
  try {
    const at = Routes.channelMessage(channelId, messageId);
    const { content } = await call<APIMessage>('get', at, `reading message ${messageId}`);
    const opened = await call<APIThreadChannel>(
      'post',
      Routes.threads(channelId, messageId),
      `opening a thread on message ${messageId}`,
      { body: { name: threadName(content), auto_archive_duration: 1440 } },
    );
    return opened.id;
  } catch (error) {
    if (codeOf(error) === CODE.threadExists) return messageId;
    if (!(error instanceof AppError) || error.retryable || error.code === 'auth') throw error;
    account.log.warn('discord.thread', { channel: channelId, error });
    return channelId;
  }
}

function send(on: Writing, to: ChatAddress, message: OutboundMessage): Promise<string> {
  return withMarkup(on, message, async (content) =>
    post(on, to, message.token, await draftOf(message.payload, { content, account: on.account })),
  );
}

async function post(on: Writing, to: ChatAddress, token: string, draft: Draft): Promise<string> {
  const answered = await on.responses.answer(to.via, draft);
  if (answered !== undefined) return answered;
  const channelId = await on.channelOf(to);
  const nonce = nonceOf(token);
  on.ledger.expect(nonce);
  const doing = `sending to channel ${channelId}`;
  try {
    const { id } = await on.call<APIMessage>('post', Routes.channelMessages(channelId), doing, {
      body: { ...bodyIn(channelId, to, draft), nonce, enforce_nonce: true },
      files: draft.files,
    });
    on.ledger.sent(nonce, id);
    return id;
  } catch (error) {
    throw await explained(on, error, { channelId, files: draft.files.length > 0 });
  }
}

/** What Discord does not take with markup it gets without. */
async function withMarkup<T>(
  { account }: SendDeps,
  { payload }: OutboundMessage,
  go: (content: string) => Promise<T>,
): Promise<T> {
  const content = contentOf(payload, account.config);
  try {
    return await go(content);
  } catch (error) {
    if (payload.plain || content === '' || codeOf(error) !== CODE.invalidForm) throw error;
    return await go(plainOf(payload));
  }
}

/** The refusal, with the permissions the bot lacks where they can be found out: an explanation, not more. */
async function explained(
  { call, places, botId, account }: SendDeps,
  thrown: unknown,
  at: { channelId: string; files: boolean },
): Promise<unknown> {
  if (codeOf(thrown) !== CODE.missingPermissions && codeOf(thrown) !== CODE.missingAccess) return thrown;
  const missing = await missingToSend({ call, places, botId }, at).catch((error: unknown) => {
    account.log.debug('discord.permissions', { channel: at.channelId, error });
    return [];
  });
  if (missing.length === 0) return thrown;
  const what = `The bot may not write in channel ${at.channelId}: it lacks ${missing.join(', ')}.`;
  const fix = 'Give its role these permissions in the server or in this channel.';
  return new AppError('denied', `${what} ${fix}`, { cause: thrown });
}

/** The message a send made, looked for by its nonce, in the interaction it answered, and in the channel. */
async function readBack(
  on: Writing,
  to: ChatAddress,
  token: string,
  { payload, since }: Parameters<Sending['readBack']>[2],
): Promise<readonly string[]> {
  const nonce = nonceOf(token);
  const known = on.ledger.messageOf(nonce);
  if (known !== undefined) return [known];
  const fits = matcher(payload, on.account.config);
  const shown = to.via?.startsWith('interaction:') ? await on.responses.shown(to.via).catch(gone) : undefined;
  if (shown && fits(shown)) return [shown.id];
  const channelId = to.via === 'thread' ? to.threadId! : await on.channelOf(to);
  const found = (await recent(on, channelId, since - CLOCK_SLACK_MS)).find(
    (entry) => entry.author.id === on.botId && !on.ledger.isClaimed(entry.id, nonce) && fits(entry),
  );
  if (!found) return [];
  on.ledger.sent(nonce, found.id);
  return [found.id];
}

/** An interaction that Discord knows no more says nothing: the chat is looked at. */
function gone(error: unknown): undefined {
  if (!(error instanceof AppError)) throw error;
  return undefined;
}

async function recent({ call }: SendDeps, channelId: string, since: number): Promise<readonly APIMessage[]> {
  try {
    return await call<APIMessage[]>(
      'get',
      Routes.channelMessages(channelId),
      `looking whether a message arrived in channel ${channelId}`,
      { query: { limit: 100, after: idAt(since) } },
    );
  } catch (error) {
    if (codeOf(error) === CODE.unknownChannel) return []; // the thread was not opened: nothing can be in it
    throw error;
  }
}

interface Reacting {
  readonly to: ChatAddress;
  readonly messageId: string;
  /** Empty: takes back every reaction of the bot. */
  readonly emoji: string;
  readonly remove: boolean;
}

async function react(on: Writing, { to, messageId, emoji, remove }: Reacting): Promise<void> {
  const channelId = await on.channelOf(to);
  const at = (path: string): `/${string}` => Routes.channelMessageOwnReaction(channelId, messageId, path);
  if (emoji !== '') {
    await on.call(remove ? 'delete' : 'put', at(emojiPath(emoji)), `reacting to message ${messageId}`);
    return;
  }
  const { reactions = [] } = await on.call<APIMessage>(
    'get',
    Routes.channelMessage(channelId, messageId),
    `reading the reactions of message ${messageId}`,
  );
  for (const { me, emoji: one } of reactions) {
    if (!me) continue;
    const path = emojiPath(one.id ? `${one.name}:${one.id}` : (one.name ?? ''));
    await on.call('delete', at(path), `taking a reaction back from message ${messageId}`);
  }
}

async function poll(
  on: Writing,
  to: ChatAddress,
  { question, options, maxSelections, durationHours = 24 }: Parameters<Sending['poll']>[1],
): ReturnType<Sending['poll']> {
  if (options.length < 2 || options.length > 10)
    throw new AppError('invalid', `A poll on Discord has 2 to 10 answers, not ${options.length}.`);
  const channelId = await on.channelOf(to);
  const asked = {
    question: { text: question },
    answers: options.map((text) => ({ poll_media: { text } })),
    duration: Math.round(Math.min(768, Math.max(1, durationHours))),
    allow_multiselect: maxSelections > 1,
    layout_type: 1,
  };
  const { id } = await on.call<APIMessage>(
    'post',
    Routes.channelMessages(channelId),
    `asking in channel ${channelId}`,
    {
      body: { poll: asked, allowed_mentions: { parse: [] } },
    },
  );
  return { messageIds: [id], pollId: id };
}

/** The message a new thread hangs on lies outside it: it cannot be replied to from inside. */
function bodyIn(channelId: string, { via, chat }: ChatAddress, { body }: Draft): Draft['body'] {
  if (via !== 'thread' || channelId === chat.id) return body;
  const { message_reference: _outside, ...rest } = body;
  return rest;
}

/** Discord tells no nonce in its history: what was said tells which message it is. */
function matcher(payload: OutboundMessage['payload'], config: DiscordConfig): (message: APIMessage) => boolean {
  const contents = [contentOf(payload, config).trim(), plainOf(payload).trim()];
  return ({ content, attachments }) =>
    contents.includes(content.trim()) && attachments.length === (payload.media?.length ?? 0);
}

function threadName(content: string): string {
  const line = content
    .replace(/<@[!&]?\d+>/g, '')
    .trim()
    .split('\n', 1)[0]!
    .trim();
  return line === '' ? 'Conversation' : head(line, NAME_LENGTH);
}
