/** Runs the actions declared in `action-list.ts`; results are short and contain the ids other actions need. */
import { AppError, head, readButtonRows, type ActionCall, present } from '../../sdk/index.ts';
import { renderMarkdown } from '../../sdk/markdown.ts';
import { listOf, millisOf, recordOf, textOf, type Answer } from './answer.ts';
import type { Api } from './api.ts';
import type { Directs } from './directs.ts';
import { emojiOf } from './emoji.ts';
import { mentionsIn, readText, slackDialect } from './markdown.ts';
import type { Names, User } from './names.ts';
import { reactionsOf } from './reactions.ts';

export interface ActionDeps {
  readonly api: Api;
  /** With the user token; absent: there is none. */
  readonly userApi?: Api;
  readonly directs: Directs;
  readonly names: Names;
}

type Run = (deps: ActionDeps, call: ActionCall) => Promise<unknown>;

/** Of a button's value, and of one message. */
const BUTTON_LIMITS = { maxDataBytes: 2000, maxButtons: 25 };
/** Characters of a section, and of a button. */
const SECTION_MAX = 3000;
const BUTTON_MAX = 75;

const RUNS: Readonly<Record<string, Run>> = {
  buttons,
  read,
  async reactions(deps, call) {
    const found = await reactionsOf(deps.api, {
      channel: await channelOf(deps, call),
      timestamp: need(call, 'messageId'),
    });
    return {
      reactions: found.map(({ name, count, users }) => ({ emoji: emojiOf(textOf(name) ?? ''), count, userIds: users })),
    };
  },
  async pin(deps, call) {
    await deps.api.call('pins.add', { channel: await channelOf(deps, call), timestamp: need(call, 'messageId') });
    return { ok: true };
  },
  async unpin(deps, call) {
    await deps.api.call('pins.remove', { channel: await channelOf(deps, call), timestamp: need(call, 'messageId') });
    return { ok: true };
  },
  async pins(deps, call) {
    const items = listOf((await deps.api.call('pins.list', { channel: await channelOf(deps, call) }))['items']);
    return {
      messages: await listed(
        deps,
        items.map(({ message }) => recordOf(message)).filter(({ ts }) => textOf(ts)),
      ),
    };
  },
  async 'member-info'({ api }, call) {
    const id = need(call, 'userId')
      .replace(/^<@([A-Z0-9]+)(?:\|[^>]*)?>$/, '$1')
      .replace(/^user:/i, '');
    const user = recordOf((await api.call('users.info', { user: id }))['user']);
    const profile = recordOf(user['profile']);
    return {
      id: user['id'],
      name: profile['real_name'] ?? user['real_name'],
      displayName: profile['display_name'],
      handle: user['name'],
      title: profile['title'],
      timezone: user['tz'],
      isBot: user['is_bot'],
      isAdmin: user['is_admin'],
      deleted: user['deleted'],
    };
  },
  async 'emoji-list'({ api }, call) {
    const names = Object.keys(recordOf((await api.call('emoji.list'))['emoji'])).sort();
    return { emoji: names.slice(0, limitOf(call, 500)), total: names.length };
  },
  async search({ userApi }, call) {
    if (!userApi)
      throw new AppError('unsupported', 'Searching Slack needs channels.slack.userToken with the scope search:read.');
    const answer = recordOf(
      (await userApi.call('search.messages', { query: need(call, 'query'), count: limitOf(call, 20) }))['messages'],
    );
    return {
      total: answer['total'],
      messages: listOf(answer['matches']).map((match) => ({
        id: match['ts'],
        channelId: recordOf(match['channel'])['id'],
        sender: match['username'],
        text: match['text'],
        link: match['permalink'],
      })),
    };
  },
};

export async function act(deps: ActionDeps, action: string, call: ActionCall): Promise<unknown> {
  const run = Object.hasOwn(RUNS, action) ? RUNS[action] : undefined;
  if (!run)
    throw new AppError(
      'unsupported',
      `Slack does not support the action ${action}; actions: ${Object.keys(RUNS).join(', ')}.`,
    );
  return run(deps, call);
}

async function buttons(deps: ActionDeps, call: ActionCall): Promise<unknown> {
  const words = need(call, 'message');
  const text = renderMarkdown(words, slackDialect);
  if (text.length > SECTION_MAX)
    throw new AppError('too_large', `A message with buttons has at most ${SECTION_MAX} characters on Slack.`);
  const rows = readButtonRows(call.parameters['buttons'], BUTTON_LIMITS);
  const elements = (row: (typeof rows)[number]): readonly object[] =>
    row.map(({ text: label, data, url }, index) => ({
      type: 'button',
      action_id: `button-${index}`,
      text: { type: 'plain_text', text: head(label, BUTTON_MAX) },
      ...present({ value: data, url }),
    }));
  const thread = optional(call, 'threadId') ?? call.to?.threadId;
  const answer = await deps.api.call('chat.postMessage', {
    channel: await channelOf(deps, call),
    text,
    blocks: [
      { type: 'section', text: { type: 'mrkdwn', text } },
      ...rows.map((row) => ({ type: 'actions', elements: elements(row) })),
    ],
    ...present({ thread_ts: thread }),
  });
  return { messageIds: [answer['ts']] };
}

async function read(deps: ActionDeps, call: ActionCall): Promise<unknown> {
  const channel = await channelOf(deps, call);
  const thread = optional(call, 'threadId') ?? call.to?.threadId;
  const latest = optional(call, 'before');
  const oldest = optional(call, 'after');
  const answer = await deps.api.call(
    thread ? 'conversations.replies' : 'conversations.history',
    present({
      channel,
      limit: limitOf(call, 20),
      ts: thread || undefined,
      latest: latest || undefined,
      oldest: oldest || undefined,
    }),
  );
  return { messages: await listed(deps, listOf(answer['messages'])), hasMore: answer['has_more'] === true };
}

/** Oldest first, as people read. */
async function listed({ names }: ActionDeps, messages: readonly Answer[]): Promise<readonly unknown[]> {
  const people = messages.flatMap((message) =>
    [textOf(message['user']) ?? [], mentionsIn(textOf(message['text']) ?? '')].flat(),
  );
  const { users } = await names.resolve({ users: people, rooms: [] });
  return messages.map((message) => line(message, users)).sort((a, b) => (String(a.id) < String(b.id) ? -1 : 1));
}

function line(
  message: Answer,
  users: ReadonlyMap<string, User>,
): { readonly id: unknown } & Readonly<Record<string, unknown>> {
  const senderId = textOf(message['user']) ?? textOf(message['bot_id']);
  const files = listOf(message['files']).map(({ name, mimetype }) => ({ name, mime: mimetype }));
  return {
    id: message['ts'],
    senderId,
    sender: (senderId && users.get(senderId)?.name) ?? textOf(message['username']),
    text: readText(textOf(message['text']) ?? '', { user: (id) => users.get(id)?.name, chat: () => undefined }),
    at: millisOf(message['ts']),
    threadId: message['thread_ts'],
    replies: message['reply_count'],
    ...present({ files: files.length > 0 ? files : undefined }),
  };
}

async function channelOf({ directs }: ActionDeps, { to }: ActionCall): Promise<string> {
  if (!to) throw new AppError('invalid', '`target` is required: a channel id such as C012AB3CD.');
  return directs.channelOf(to.chat);
}

const optional = ({ parameters }: ActionCall, name: string): string | undefined => {
  const value = parameters[name];
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined;
};

function need(call: ActionCall, name: string): string {
  const value = optional(call, name);
  if (value === undefined) throw new AppError('invalid', `\`${name}\` is missing.`);
  return value;
}

function limitOf({ parameters }: ActionCall, usual: number): number {
  const limit = Number(parameters['limit'] ?? usual);
  return Number.isFinite(limit) ? Math.min(Math.max(Math.round(limit), 1), 200) : usual;
}
