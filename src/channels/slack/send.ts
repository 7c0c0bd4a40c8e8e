/** Sends one message: as a post, as the response to a slash command, or as a file. */
import {
  AppError,
  byMenu,
  type ChannelAccount,
  type ChannelConnection,
  type ChatAddress,
  type ChoiceButton,
  type OutboundMessage,
  type ReplyPayload,
  head,
  present,
} from '../../sdk/index.ts';
import { plainDialect, renderMarkdown } from '../../sdk/markdown.ts';
import { millisOf, textOf } from './answer.ts';
import type { Api } from './api.ts';
import type { SlackSettings } from './config.ts';
import type { Directs } from './directs.ts';
import { wordOf } from './errors.ts';
import { escapeText, slackDialect } from './markdown.ts';
import { uploadFile } from './upload.ts';
import { answerAt, readVia } from './via.ts';

/** Slack cuts longer text without a word. */
const HARD_LIMIT = 40_000;
const MARKUP_REFUSED = new Set([
  'invalid_arguments',
  'invalid_blocks',
  'invalid_blocks_format',
  'invalid_text',
  'cannot_parse_attachment',
]);
const THREAD_GONE = new Set(['thread_not_found', 'invalid_thread_ts', 'message_not_found', 'cannot_reply_to_message']);
export const EVENT_TYPE = 'clawdbot_reply';

export interface SenderDeps {
  readonly account: Pick<ChannelAccount<SlackSettings>, 'config' | 'open' | 'log' | 'signal'>;
  readonly api: Api;
  readonly directs: Directs;
  /** Called with what was posted. */
  onSent(sent: { readonly channel: string; readonly ts: string; readonly thread?: string }): void;
}

export type Sender = Required<Pick<ChannelConnection, 'send' | 'edit' | 'remove'>>;

export function createSender(deps: SenderDeps): Sender {
  const {
    api,
    directs,
    account: { config },
  } = deps;
  return {
    async send(to, message) {
      const answered = await sendVia(deps, to, message);
      if (answered) return answered;
      const channel = await directs.channelOf(to.chat);
      const spot = { channel, thread: threadOf(to, message.payload, config) };
      const [media] = message.payload.media ?? [];
      return { messageIds: media ? await withFile(deps, spot, message) : [await post(deps, spot, message)] };
    },
    async edit(to, messageId, { payload }) {
      if (millisOf(messageId) === undefined)
        throw new AppError('not_found', `Slack has no message ${head(messageId, 80)} that can be changed.`);
      const args = { channel: await directs.channelOf(to.chat), ts: messageId };
      await withPlan(payload, config, (text) => api.call('chat.update', { ...args, ...text }));
    },
    async remove(to, messageId) {
      const file = /^file:(\S+)$/.exec(messageId)?.[1];
      if (file) await api.call('files.delete', { file });
      else await api.call('chat.delete', { channel: await directs.channelOf(to.chat), ts: messageId });
    },
  };
}

/**
 * A thread stays a thread; an answer to a message outside one opens one, unless this kind of chat is told not to. A
 * command or a click is no message.
 */
export function threadOf(
  to: Pick<ChatAddress, 'threadId' | 'chat'>,
  { replyTo }: Pick<ReplyPayload, 'replyTo'>,
  { replyToModeByChatType }: SlackSettings,
): string | undefined {
  if (to.threadId !== undefined) return to.threadId;
  return typeof replyTo === 'object' &&
    millisOf(replyTo.id) !== undefined &&
    replyToModeByChatType?.[to.chat.kind] !== 'off'
    ? replyTo.id
    : undefined;
}

interface Spot {
  readonly channel: string;
  readonly thread: string | undefined;
}

async function post(
  { api, account, onSent }: SenderDeps,
  { channel, thread }: Spot,
  { token, payload }: OutboundMessage,
): Promise<string> {
  const { config, log } = account;
  const args = {
    channel,
    unfurl_links: config.unfurl,
    unfurl_media: config.unfurl,
    metadata: { event_type: EVENT_TYPE, event_payload: { token } },
    ...present({ attachments: payload.choices && [buttonsOf(payload.choices)] }),
  };
  const inThread = async (in_: string | undefined): Promise<string> => {
    const answer = await withPlan(payload, config, (text) =>
      api.call('chat.postMessage', { ...args, ...text, ...present({ thread_ts: in_ || undefined }) }),
    );
    const ts = textOf(answer['ts']);
    if (!ts) throw new AppError('network', 'Slack chat.postMessage: the response has no message id.');
    onSent(present({ channel: textOf(answer['channel']) ?? channel, ts, thread: in_ || undefined }));
    return ts;
  };
  try {
    return await inThread(thread);
  } catch (error) {
    if (!thread || !THREAD_GONE.has(wordOf(error) ?? '')) throw error;
    log.debug('slack.thread-gone', { channel });
    return inThread(undefined);
  }
}

/** Below the text, which stays a text of its own. */
const buttonsOf = (choices: readonly ChoiceButton[]): object => ({
  fallback: choices.map(({ label }) => label).join(' · '),
  blocks: [
    {
      type: 'actions',
      elements: byMenu(choices)
        .flatMap(({ menu, of }) => (menu === undefined ? of.map(buttonOf) : [menuOf(menu, of)]))
        .slice(0, MAX_ELEMENTS)
        .map((element, index) => ({ ...element, action_id: `choice-${index}` })),
    },
  ],
});

const MAX_ELEMENTS = 25;
const wordsOf = (text: string): object => ({ type: 'plain_text', text });
const buttonOf = ({ label, data }: ChoiceButton): object => ({ type: 'button', text: wordsOf(label), value: data });
const menuOf = (menu: string, choices: readonly ChoiceButton[]): object => ({
  type: 'static_select',
  placeholder: wordsOf(menu),
  options: choices.map(({ label, data }) => ({ text: wordsOf(label), value: data })),
});

async function withFile(
  deps: SenderDeps,
  { channel, thread }: Spot,
  { payload, token }: OutboundMessage,
): Promise<readonly string[]> {
  const file = await deps.account.open(payload.media![0]!, deps.account.config.mediaMaxMb * 1_000_000);
  const text = payload.text ? textPlans(payload, deps.account.config)[0]!.text : undefined;
  const id = await uploadFile(deps, {
    ...file,
    channel,
    token,
    ...present({ thread: thread || undefined, text: text || undefined }),
  });
  if (!id.startsWith('file:')) deps.onSent(present({ channel, ts: id, thread: thread || undefined }));
  return [id];
}

/**
 * Undefined: the chat serves. What only one person was to see is shown to nobody else, also when the address is used
 * up.
 */
async function sendVia(
  { api, account: { config } }: SenderDeps,
  to: ChatAddress,
  { payload, token }: OutboundMessage,
): Promise<{ readonly messageIds: readonly string[] } | undefined> {
  const via = readVia(to.via, { apiRoot: config.apiRoot, now: Date.now() });
  if (!via || payload.media?.length) return undefined;
  const { ephemeral } = config.slashCommand;
  const { text } = textPlans(payload, config)[0]!;
  const messageIds = [`via:${token}`];
  if (via.url && (await answerAt(via.url, { text, ephemeral, timeoutMs: config.timeoutSeconds * 1000 })))
    return { messageIds };
  if (!ephemeral || to.chat.kind === 'direct') return undefined;
  await api.call('chat.postEphemeral', { channel: to.chat.id, user: via.user, text });
  return { messageIds };
}

interface Plan {
  readonly text: string;
  readonly mrkdwn: boolean;
}

/** With markup first, then without: Slack may refuse it, and it may be too long. */
function textPlans({ text = '', plain }: ReplyPayload, { markdown }: SlackSettings): readonly Plan[] {
  const without: Plan = { text: escapeText(plain ? text : renderMarkdown(text, plainDialect)), mrkdwn: false };
  if (plain) return [without];
  const marked: Plan = {
    text: renderMarkdown(text, slackDialect, { tables: markdown?.tables ?? 'code' }),
    mrkdwn: true,
  };
  return marked.text.length > HARD_LIMIT ? [without] : [marked, without];
}

async function withPlan<T>(payload: ReplyPayload, config: SlackSettings, run: (text: Plan) => Promise<T>): Promise<T> {
  const [first, second] = textPlans(payload, config);
  if (first!.text.length > HARD_LIMIT)
    throw new AppError(
      'too_large',
      `The limit of Slack is ${HARD_LIMIT} characters; the text has ${first!.text.length}.`,
    );
  try {
    return await run(first!);
  } catch (error) {
    if (!second || !MARKUP_REFUSED.has(wordOf(error) ?? '')) throw error;
    return run(second);
  }
}
