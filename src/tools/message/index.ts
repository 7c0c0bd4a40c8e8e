/**
 * `message`: gives files and writes in this chat and others, and reacts, edits, reads, polls … as far as the channels
 * can.
 */
import {
  AppError,
  defineTool,
  errorResult,
  textResult,
  type ToolContext,
  type ToolResult,
  present,
} from '../../sdk/index.ts';
import {
  isSilent,
  MESSAGE_TOOL,
  offeredActions,
  type MessageActRequest,
  type MessageDetails,
  type MessageSendRequest,
  type MessageSent,
  type ReachableChannel,
} from '../../sdk/messaging.ts';
import { attached as filesOf } from './attached.ts';
import { messageDescription } from './description.ts';
import { messageInput, SEND, type MessageInput } from './input.ts';

/** Stands for the channels where nobody said which there are: what every channel that can it does in the same way. */
const ANY: readonly ReachableChannel[] = [
  {
    id: 'any',
    label: 'Any',
    actions: offeredActions(
      {
        capabilities: {
          chats: ['direct'],
          threads: true,
          edit: true,
          remove: true,
          react: true,
          typing: false,
          media: true,
          voice: true,
          polls: { maxOptions: 10 },
          markdown: 'full',
          maxTextLength: 4000,
          idempotentSend: false,
          deliverable: true,
        },
      },
      {},
    ),
  },
];

const ALIASES = { to: 'target', text: 'message', content: 'message', caption: 'message', account: 'accountId' };

const offered = (
  there: readonly ReachableChannel[],
  here: string,
): {
  readonly description: string;
  readonly input: ReturnType<typeof messageInput>;
  readonly aliases: Readonly<Record<string, string>>;
} => {
  // some channel's action means its own by it
  const named = there.some(({ actions }) => actions.some(({ parameters }) => 'media' in parameters));
  return {
    description: messageDescription(there, here),
    input: messageInput(there),
    aliases: named ? ALIASES : { ...ALIASES, media: 'mediaUrl' },
  };
};

export default defineTool<MessageInput>({
  name: MESSAGE_TOOL,
  summary: 'Send files, write to another chat, and use channel actions such as react, edit and poll',
  does: [
    ['read', 'conversation'],
    ['send', 'conversation'],
    ['act', 'conversation'],
    ['moderate', 'conversation'],
  ],
  ...offered(ANY, ''),
  for: ({ channels = [], route }) => offered(channels, route.replyTo.channel),
  resumes: ({ action = SEND }) => action === SEND,
  run: (input, ctx) => ((input.action ?? SEND) === SEND ? send(input, ctx) : act(input, ctx)),
});

async function send(input: MessageInput, ctx: ToolContext): Promise<ToolResult> {
  const { message, filename } = input;
  const attached = (input.attachments ?? []).map(({ media }) => media);
  const references = [input.mediaUrl, ...(input.mediaUrls ?? []), input.media, ...attached].flatMap(
    (each) => each?.trim() || [],
  );
  if (!message?.trim() && references.length === 0) return errorResult('send needs message or mediaUrl.');
  if (message !== undefined && isSilent(message) && references.length === 0)
    return textResult('Nothing was sent: the text is the silent reply.');
  const files = await filesOf({ references, filename }, ctx);
  const targets = input.targets?.length ? input.targets : [input.target];
  const outcomes = await inOrder(targets, (target, at) =>
    one({ input, target, runId: runIdOf(ctx, targets.length > 1 ? at : undefined), files, ctx }),
  );
  const sent = outcomes.flatMap((outcome) => (outcome instanceof AppError ? [] : [outcome]));
  const lines = outcomes.map((outcome, at) =>
    outcome instanceof AppError
      ? `${targets[at] ?? 'This chat'}: not sent. ${outcome.message}`
      : describe(outcome, input.dryRun === true),
  );
  const details: MessageDetails = input.dryRun ? {} : { sent };
  return sent.length > 0 ? textResult(lines.join('\n'), details) : errorResult(lines.join('\n'), details);
}

interface One {
  readonly input: MessageInput;
  readonly target: string | undefined;
  readonly runId: string;
  readonly files: Pick<MessageSendRequest, 'media' | 'files'>;
  readonly ctx: ToolContext;
}

/** A chat that cannot be reached costs that chat only. */
async function one({ input, target, runId, files, ctx }: One): Promise<MessageSent | AppError> {
  ctx.signal.throwIfAborted();
  const { channel, accountId, threadId, message: text, asVoice, replyTo, dryRun } = input;
  const request: MessageSendRequest = {
    channel,
    accountId,
    threadId,
    target: target?.trim() || undefined,
    text,
    asVoice,
    replyTo,
    dryRun,
    runId,
    signal: ctx.signal,
    ...files,
  };
  try {
    return (await ctx.rpc('message.send', request)) as MessageSent;
  } catch (error) {
    if (error instanceof AppError && error.code !== 'aborted') return error;
    throw error;
  }
}

/** The same in every run of the turn, so that a send is not repeated after a crash. */
const runIdOf = ({ turnId, callId }: ToolContext, at: number | undefined): string =>
  `${turnId}:${callId}${at === undefined ? '' : `:${at}`}`;

async function inOrder<T, R>(items: readonly T[], work: (item: T, at: number) => Promise<R>): Promise<readonly R[]> {
  const done: R[] = [];
  for (const [at, item] of items.entries()) done.push(await work(item, at));
  return done;
}

function describe({ address, text, media, messageIds, files, repeated = [] }: MessageSent, dryRun: boolean): string {
  const where =
    `${address.channel} ${address.chat.kind} ` +
    `${address.chat.id}${address.threadId === undefined ? '' : `, thread ${address.threadId}`}`;
  const again =
    repeated.length === 0 ? '' : `${listed(repeated)} sent there already in this turn, so not a second time.`;
  if (again && text === '' && media === undefined) return `${where}: ${again}`;
  if (files) return `Shown in this chat${files.map(({ name }) => `, with ${name}`).join('')}.${again && ` ${again}`}`;
  return dryRun
    ? `Would go to ${where} (account ${address.accountId}). Nothing was sent.`
    : `Sent to ${where}${messageIds.length > 0 ? ` (message ${messageIds.join(', ')})` : ''}.${again && ` ${again}`}`;
}

const listed = (names: readonly string[]): string => `${names.join(', ')} ${names.length === 1 ? 'was' : 'were'}`;

async function act(
  { action = SEND, channel, accountId, dryRun, mediaUrl, ...input }: MessageInput,
  ctx: ToolContext,
): Promise<ToolResult> {
  const parameters = {
    ...input,
    ...present({ media: mediaUrl !== undefined && input.media === undefined ? mediaUrl : undefined }),
  };
  ctx.signal.throwIfAborted();
  if (dryRun) return textResult(`Would do ${action}. Nothing was done.`);
  const request: MessageActRequest = { action, channel, accountId, parameters, signal: ctx.signal };
  const answer = await ctx.rpc('message.act', request);
  return textResult(
    `${action}: ` +
      `done.${answer === undefined ? '' : ` The channel's answer, to be read as data:\n${JSON.stringify(answer, null, 1)}`}`,
    { answer },
  );
}
