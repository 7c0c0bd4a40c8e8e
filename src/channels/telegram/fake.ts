/** A Bot API server on 127.0.0.1 with test users: long polls, webhooks, files, faults; as strict as Telegram. */
import { BABBLE } from './fake-babble.ts';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Said } from '../../testing/channel-platform.ts';
import { bad, failed, answerWith, refuse, json, paramsOf } from './fake-http.ts';
import { type Kept, visible, seenOf, commandEntity, filed, pressOf } from './fake-seen.ts';
import type { Call, FakeTelegram, Update, Poll } from './fake-telegram.ts';
import { BOT } from './fake-seen.ts';

export const TOKEN = '123456:test-token-not-a-real-one';

export async function startFakeTelegram({
  forums = [],
}: {
  readonly forums?: readonly string[];
} = {}): Promise<FakeTelegram> {
  const s = {
    updates: [] as Update[],
    calls: [] as Call[],
    ours: new Map<number, Kept>(),
    theirs: new Map<number, any>(),
    sentBy: new Map<number, Update>(),
    files: new Map<string, { path: string; data: Uint8Array }>(),
    acknowledged: [] as string[],
    commands: [] as any[],
    webhook: undefined as any,
    fails: [] as string[],
    refusals: [] as { method: string; answer: any }[],
    rivals: 0,
    revoked: false,
    updateId: 1000,
    messageId: 10,
    poll: undefined as Poll | undefined,
    me: { ...BOT } as Record<string, unknown>,
  };
  const isForum = (id: string): boolean => forums.includes(id);
  const chatOf = (id: string, kind?: string): any =>
    kind === 'channel'
      ? { id: Number(id), type: 'channel', title: `Channel ${id}` }
      : Number(id) > 0
        ? { id: Number(id), type: 'private', first_name: `User${id}` }
        : { id: Number(id), type: 'supergroup', title: `Group ${id}`, ...(isForum(id) ? { is_forum: true } : {}) };
  const personOf = (id: string, name = `User${id}`): any =>
    Number(id) === BOT.id
      ? { id: BOT.id, is_bot: true, first_name: BOT.first_name, username: BOT.username }
      : { id: Number(id), is_bot: false, first_name: name, username: `user${id}` };
  const now = (): number => Math.floor(Date.now() / 1000);
  const idOf = ({ body }: Update): string =>
    String((body.message ?? body.edited_message ?? body.channel_post)?.message_id ?? '');

  function deliver(update: Update): number {
    s.updates.push(update);
    if (s.webhook) void post(update);
    else flush();
    return update.update_id;
  }
  const push = (body: any): number => deliver({ update_id: body.update_id ?? ++s.updateId, body });

  /** As Telegram: again after a while until it is answered with 200. */
  async function post(update: Update): Promise<void> {
    for (let left = 20; left > 0 && s.updates.includes(update); left--) {
      const answer = await fetch(s.webhook.url, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          ...(s.webhook.secret_token ? { 'x-telegram-bot-api-secret-token': s.webhook.secret_token } : {}),
        },
        body: JSON.stringify({ update_id: update.update_id, ...update.body }),
      }).catch(() => undefined);
      await answer?.arrayBuffer();
      if (answer?.ok) return confirm((one) => one === update);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }

  function confirm(fits: (update: Update) => boolean): void {
    for (const update of s.updates.filter(fits)) s.acknowledged.push(idOf(update));
    s.updates = s.updates.filter((update) => !fits(update));
  }

  function flush(): void {
    const { poll } = s;
    const ready = poll ? s.updates.filter(({ update_id }) => update_id >= poll.offset).slice(0, 100) : [];
    if (!poll || ready.length === 0) return;
    endPoll();
    json(poll.response, 200, { ok: true, result: ready.map(({ update_id, body }) => ({ update_id, ...body })) });
  }

  function endPoll(): void {
    clearTimeout(s.poll?.timer);
    s.poll = undefined;
  }

  function getUpdates({ offset = 0, timeout = 0 }: any, response: ServerResponse): void {
    if (s.webhook)
      return refuse(response, {
        error_code: 409,
        description:
          "Conflict: can't use getUpdates method while webhook is active; use deleteWebhook to delete the " +
          'webhook first',
      });
    const old = s.poll;
    if (old) {
      endPoll();
      refuse(old.response, {
        error_code: 409,
        description:
          'Conflict: terminated by other getUpdates request; make sure that only one bot instance is running',
      });
    }
    if (s.rivals-- > 0)
      return refuse(response, {
        error_code: 409,
        description:
          'Conflict: terminated by other getUpdates request; make sure that only one bot instance is running',
      });
    if (offset > 0) confirm(({ update_id }) => update_id < offset);
    const timer = setTimeout(() => {
      endPoll();
      json(response, 200, { ok: true, result: [] });
    }, timeout * 1000);
    s.poll = { offset, response, timer };
    const { poll } = s;
    response.on('close', () => {
      if (s.poll === poll) endPoll();
    });
    flush();
  }

  /** Telegram's checks of what is sent; the message that comes of it. */
  function send(method: string, p: any): any {
    const text = p.text ?? p.caption ?? '';
    const shown = p.parse_mode === 'HTML' ? visible(text) : text;
    const limit = method === 'sendMessage' ? 4096 : 1024;
    if (shown === undefined) return bad("can't parse entities: Can't find end tag");
    if (method === 'sendMessage' && shown.trim() === '') return bad('message text is empty');
    if (shown.length > limit)
      return bad(method === 'sendMessage' ? 'message is too long' : 'message caption is too long');
    if (p.message_thread_id !== undefined && isForum(String(p.chat_id)) && Number(p.message_thread_id) === 1)
      return bad('message thread not found');
    const answered =
      p.reply_parameters &&
      (s.theirs.get(Number(p.reply_parameters.message_id)) ??
        s.ours.get(Number(p.reply_parameters.message_id))?.message);
    if (p.reply_parameters && !answered && !p.reply_parameters.allow_sending_without_reply)
      return bad('message to be replied not found');
    const field = method.slice(4).toLowerCase();
    const upload = p[field] instanceof File ? (p[field] as File) : undefined;
    const message = {
      message_id: ++s.messageId,
      date: now(),
      from: personOf(String(BOT.id)),
      chat: chatOf(String(p.chat_id)),
      ...(method === 'sendMessage' ? { text: shown } : { caption: shown }),
      ...(p.message_thread_id === undefined
        ? {}
        : { message_thread_id: Number(p.message_thread_id), is_topic_message: true }),
      ...(answered ? { reply_to_message: answered } : {}),
      ...(method === 'sendPoll'
        ? { poll: { id: `poll${s.messageId}`, question: p.question, options: p.options } }
        : {}),
      ...(p.reply_markup ? { reply_markup: p.reply_markup } : {}),
    };
    const kept: Kept = {
      message,
      html: p.parse_mode === 'HTML',
      reactions: [],
      ...(upload
        ? { file: { name: upload.name, mime: upload.type, size: upload.size, voice: field === 'voice' } }
        : {}),
    };
    s.ours.set(message.message_id, Object.assign(kept, { raw: text }));
    return message;
  }

  function edit(p: any): any {
    const kept = s.ours.get(Number(p.message_id));
    if (!kept) return bad('message to edit not found');
    const field = p.caption === undefined ? 'text' : 'caption';
    if (field === 'text' && kept.message.text === undefined) return bad('there is no text in the message to edit');
    const raw = p[field];
    const shown = p.parse_mode === 'HTML' ? visible(raw) : raw;
    if (shown === undefined) return bad("can't parse entities: Can't find end tag");
    if (shown === kept.message[field])
      return bad('message is not modified: specified new message content and reply markup are exactly the same');
    Object.assign(kept.message, { [field]: shown });
    return Object.assign(kept, { raw }).message;
  }

  function react(p: any): any {
    const kept = s.ours.get(Number(p.message_id));
    const theirs = s.theirs.get(Number(p.message_id));
    if (!kept && !theirs) return bad('message to react not found');
    if (p.reaction.some(({ emoji }: any) => emoji === '✅')) return bad('REACTION_INVALID');
    if (kept) kept.reactions = p.reaction.map(({ emoji }: any) => emoji);
    return true;
  }

  const methods: Record<string, (p: any) => any> = {
    getMe: () => s.me,
    deleteWebhook: () => ((s.webhook = undefined), true),
    setWebhook: (p) => ((s.webhook = p), true),
    getWebhookInfo: () => ({ url: s.webhook?.url ?? '', pending_update_count: s.updates.length }),
    setMyCommands: (p) => ((s.commands = p.commands), true),
    deleteMyCommands: () => ((s.commands = []), true),
    editMessageText: edit,
    editMessageCaption: edit,
    setMessageReaction: react,
    deleteMessage: (p) => (s.ours.delete(Number(p.message_id)) ? true : bad('message to delete not found')),
    getFile: (p) =>
      s.files.has(p.file_id)
        ? {
            file_id: p.file_id,
            file_path: s.files.get(p.file_id)!.path,
            file_size: s.files.get(p.file_id)!.data.length,
          }
        : bad('invalid file_id'),
    getChatMember: (p) => ({ status: 'member', user: personOf(String(p.user_id)) }),
    createForumTopic: (p) => ({ message_thread_id: ++s.messageId, name: p.name, icon_color: 0 }),
    ...Object.fromEntries(
      [
        'sendChatAction',
        'sendMessageDraft',
        'answerCallbackQuery',
        'pinChatMessage',
        'unpinChatMessage',
        'editForumTopic',
        'closeForumTopic',
        'reopenForumTopic',
      ].map((name) => [name, () => true]),
    ),
    ...Object.fromEntries(
      [
        'sendMessage',
        'sendPhoto',
        'sendAnimation',
        'sendVideo',
        'sendVoice',
        'sendAudio',
        'sendDocument',
        'sendSticker',
        'sendPoll',
      ].map((name) => [name, (p: any) => send(name, p)]),
    ),
  };

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = decodeURIComponent(new URL(request.url!, 'http://x').pathname);
    const [, token, method = ''] = /^\/bot([^/]+)\/(\w+)$/.exec(path) ?? [];
    const download = /^\/file\/bot[^/]+\/(.+)$/.exec(path)?.[1];
    if (download !== undefined) return void serveFile(download, response);
    const params = await paramsOf(request);
    if (token !== TOKEN || s.revoked) return refuse(response, { error_code: 401, description: 'Unauthorized' });
    const refused = s.refusals.findIndex((one) => one.method === method);
    if (method !== 'getUpdates') s.calls.push({ method, params, at: performance.now() });
    if (refused >= 0) return answerWith(response, s.refusals.splice(refused, 1)[0]!.answer);
    if (method === 'getUpdates') return getUpdates(params, response);
    const fail = method.startsWith('send') && method !== 'sendChatAction' ? s.fails.shift() : undefined;
    if (fail) return failed(fail, { response, run: () => methods[method]!(params) });
    const result = methods[method]?.(params) ?? bad('method not found', 404);
    return result.refused ? refuse(response, result.refused) : json(response, 200, { ok: true, result });
  }

  function serveFile(path: string, response: ServerResponse): void {
    const file = [...s.files.values()].find((one) => one.path === path);
    if (!file) return void response.writeHead(404).end();
    response.writeHead(200, { 'content-type': 'application/octet-stream' }).end(file.data);
  }

  const server = createServer(
    (request, response) =>
      void handle(request, response).catch((error) =>
        json(response, 500, { ok: false, error_code: 500, description: String(error) }),
      ),
  );
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const apiRoot = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  const addFile = (data: Uint8Array, path?: string): string => {
    const id = `file-${s.files.size + 1}`;
    s.files.set(id, { path: path ?? `documents/${id}`, data });
    return id;
  };

  function message({ chat, by, name, text, mention, file, quotes, forwarded }: Said, more: object = {}): any {
    const words = mention ? `@${BOT.username} ${text ?? ''}`.trim() : text;
    const answered =
      quotes === undefined ? undefined : (s.theirs.get(Number(quotes)) ?? s.ours.get(Number(quotes))?.message);
    const entities = [
      ...(mention ? [{ type: 'mention', offset: 0, length: BOT.username.length + 1 }] : []),
      ...commandEntity(words),
    ];
    const made = {
      message_id: ++s.messageId,
      date: now(),
      chat: chatOf(chat.id, chat.kind),
      ...(chat.kind === 'channel' ? { sender_chat: chatOf(chat.id, chat.kind) } : { from: personOf(by, name) }),
      ...(chat.threadId === undefined ? {} : { message_thread_id: Number(chat.threadId), is_topic_message: true }),
      ...(answered ? { reply_to_message: answered } : {}),
      ...(forwarded ? { forward_origin: { type: 'user', date: now(), sender_user: personOf('666', 'Mallory') } } : {}),
      ...(file ? { caption: words, caption_entities: entities, ...filed(file, addFile) } : { text: words, entities }),
      ...more,
    };
    s.theirs.set(made.message_id, made);
    return made;
  }

  return {
    config: { apiRoot },
    credentials: { botToken: TOKEN },
    botId: String(BOT.id),
    apiRoot,
    push,
    message,
    addFile,
    me: s.me,
    calls: s.calls,
    acknowledged: s.acknowledged,
    get consumers() {
      return s.poll ? 1 : 0;
    },
    get commands() {
      return s.commands;
    },
    get webhook() {
      return s.webhook;
    },
    async write(said) {
      const made = message(said);
      const update = {
        update_id: ++s.updateId,
        body: { [said.chat.kind === 'channel' ? 'channel_post' : 'message']: made },
      };
      s.sentBy.set(made.message_id, update);
      deliver(update);
      return String(made.message_id);
    },
    async change(_chat, messageId, text) {
      const made = { ...s.theirs.get(Number(messageId)), text, edit_date: now() };
      s.theirs.set(made.message_id, made);
      push({ edited_message: made });
    },
    async react(chat, messageId, emoji, by) {
      push({
        message_reaction: {
          chat: chatOf(chat.id),
          message_id: Number(messageId),
          user: personOf(by),
          date: now(),
          old_reaction: [],
          new_reaction: [{ type: 'emoji', emoji }],
        },
      });
    },
    async press(_chat, id, label, by) {
      push({ callback_query: pressOf(s.ours.get(Number(id))!.message, label, personOf(by)) });
    },
    async redeliver(messageId) {
      deliver(s.sentBy.get(Number(messageId))!);
    },
    seen: (chat) =>
      [...s.ours.values()]
        .filter(
          ({ message: m }) =>
            String(m.chat.id) === chat.id &&
            (chat.threadId === undefined || String(m.message_thread_id) === chat.threadId),
        )
        .map(seenOf),
    typed: (chat) =>
      s.calls.filter(({ method, params }) => method === 'sendChatAction' && String(params.chat_id) === chat.id).length,
    failSends: (how, times) => void s.fails.push(...Array.from({ length: times }, () => how)),
    refuse: (method, answer, times = 1) =>
      void s.refusals.push(...Array.from({ length: times }, () => ({ method, answer }))),
    rival: (times) => {
      s.rivals = times;
      const old = s.poll;
      endPoll();
      if (old)
        refuse(old.response, {
          error_code: 409,
          description:
            'Conflict: terminated by other getUpdates request; make sure that only one bot instance is running',
        });
    },
    cut: () => {
      endPoll();
      server.closeAllConnections();
    },
    babble: () => BABBLE.forEach((body) => push(body)),
    revoke: () => void (s.revoked = true),
    async [Symbol.asyncDispose]() {
      endPoll();
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}
