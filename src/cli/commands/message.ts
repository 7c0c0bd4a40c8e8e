/** `message send|poll|action …`: sends messages and runs channel actions through the gateway. */
import { basename, extname } from 'node:path';
import { MEDIA_EXTENSIONS } from '../../core/media-type.ts';
import { AppError } from '../../core/errors.ts';
import { present } from '../../core/present.ts';
import { readBytesIfExists } from '../../platform/files.ts';
import { uuid } from '../../platform/ids.ts';
import type { Call } from '../command.ts';
import type { GatewayLink } from '../gateway-link.ts';
import { OWN_COMMAND } from '../../platform/own-command.ts';

/** A platform may make us wait; the gateway answers after half a minute at the latest. */
const TIMEOUT_MS = 45_000;

interface Sent {
  readonly runId: string;
  readonly messageId: string;
  readonly channel: string;
  readonly chatId?: string;
}

export async function messageSend(call: Call): Promise<void> {
  const { flags, io } = call;
  const message = await wordsOf(call);
  const files = await Promise.all(flags.list('media').map(fileOf));
  if (message === undefined && files.length === 0)
    throw new AppError('invalid', 'Nothing to send: give --message, --media or both.');
  const key = flags.text('key') ?? uuid();
  const base = {
    ...place(call),
    ...filled({ replyToId: flags.text('reply-to'), sessionKey: flags.text('session') }),
    ...present({ asVoice: flags.has('voice') ? true : undefined }),
  };
  const requests = inRequests({ message, files, key }).map((request) => ({ ...base, ...request }));
  if (flags.has('dry-run'))
    return requests.forEach((request) =>
      io.out(
        JSON.stringify(
          {
            ...request,
            ...present({ buffer: 'buffer' in request ? `${String(request.buffer).length} characters` : undefined }),
          },
          null,
          2,
        ),
      ),
    );
  const link = await call.gateway();
  for (const request of requests) {
    const sent = await link.request<Sent>('send', request, { timeoutMs: TIMEOUT_MS });
    io.out(
      flags.has('json')
        ? JSON.stringify(sent, null, 2)
        : `Sent to ${sent.channel} ${sent.chatId ?? base.to}: message ${sent.messageId}.`,
    );
  }
}

interface File {
  readonly url?: string;
  readonly buffer?: string;
  readonly filename?: string;
  readonly contentType?: string;
}

/** Addresses go together; the method takes one file of ours at a time. The words go with the first. */
function inRequests({
  message,
  files,
  key,
}: {
  readonly message: string | undefined;
  readonly files: readonly File[];
  readonly key: string;
}): readonly Record<string, unknown>[] {
  const urls = files.flatMap(({ url }) => (url === undefined ? [] : [url]));
  const [first, ...others] = files.filter(({ buffer }) => buffer !== undefined);
  const opening = {
    ...filled({ message }),
    ...present({ mediaUrls: urls.length > 0 ? urls : undefined }),
    ...first,
    idempotencyKey: key,
  };
  return [opening, ...others.map((file, at) => ({ ...file, idempotencyKey: `${key}:${at + 1}` }))];
}

export async function messagePoll(call: Call): Promise<void> {
  const { flags, io } = call;
  const options = flags.list('option');
  if (options.length < 2)
    throw new AppError('invalid', 'A poll needs at least two answers: --option Mon --option Tue.');
  const hours = flags.number('hours');
  const link = await call.gateway();
  const result = await link.request<Sent & { pollId?: string }>(
    'poll',
    {
      ...place(call),
      question: flags.text('question'),
      options,
      idempotencyKey: flags.text('key') ?? uuid(),
      ...present({ maxSelections: flags.has('multi') ? options.length : undefined, durationHours: hours }),
    },
    { timeoutMs: TIMEOUT_MS },
  );
  io.out(
    flags.has('json')
      ? JSON.stringify(result, null, 2)
      : `Asked on ${result.channel} ${result.chatId ?? flags.text('to')}: message ${result.messageId}.`,
  );
}

export async function messageAct(call: Call): Promise<void> {
  const { flags, io } = call;
  const action = call.args[0]!;
  const link = await call.gateway();
  const channel = flags.text('channel') ?? (await onlyChannel(link));
  const answer = await link.request<unknown>(
    'message.action',
    {
      channel,
      action,
      params: parametersOf(call),
      idempotencyKey: uuid(),
      ...filled({ accountId: flags.text('account') }),
    },
    { timeoutMs: TIMEOUT_MS },
  );
  io.out(answer === undefined || answer === null ? `${action}: done.` : JSON.stringify(answer, null, 2));
}

/** The method wants a name; the person need not know it while there is only one. */
async function onlyChannel(link: GatewayLink): Promise<string> {
  const { channelOrder, channels } = await link.request<{
    channelOrder: readonly string[];
    channels: Readonly<Record<string, { configured?: boolean }>>;
  }>('channels.status', {});
  const configured = channelOrder.filter((id) => channels[id]?.configured);
  if (configured.length === 1) return configured[0]!;
  throw new AppError(
    'invalid',
    configured.length === 0
      ? `No channel is configured. Run \`${OWN_COMMAND} channels add --help\` for how to add one.`
      : `Set --channel: ${configured.join(' | ')}.`,
  );
}

const NAMES: Readonly<Record<string, string>> = {
  to: 'target',
  thread: 'threadId',
  'message-id': 'messageId',
  emoji: 'emoji',
  message: 'message',
  query: 'query',
  name: 'name',
  before: 'before',
  after: 'after',
  around: 'around',
};

function parametersOf({ flags }: Call): Readonly<Record<string, unknown>> {
  const named = Object.entries(NAMES)
    .map(([option, parameter]) => [parameter, flags.text(option)] as const)
    .filter(([, value]) => value !== undefined);
  const limit = flags.number('limit');
  return {
    ...Object.fromEntries(named),
    ...present({ limit, remove: flags.has('remove') ? true : undefined }),
    ...Object.fromEntries(flags.list('param').map(pairOf)),
  };
}

function pairOf(written: string): readonly [string, string] {
  const at = written.indexOf('=');
  if (at < 1) throw new AppError('invalid', `--param is "${written}"; write name=value.`);
  return [written.slice(0, at), written.slice(at + 1)];
}

const place = ({ flags }: Call): { readonly to: string } & Record<string, unknown> => ({
  to: flags.text('to')!,
  ...filled({ channel: flags.text('channel'), accountId: flags.text('account'), threadId: flags.text('thread') }),
});

const filled = (fields: Readonly<Record<string, string | undefined>>): Record<string, string> =>
  Object.fromEntries(Object.entries(fields).filter((entry): entry is [string, string] => entry[1] !== undefined));

async function wordsOf({ flags, io }: Call): Promise<string | undefined> {
  const written = flags.text('message');
  if (written !== '-') return written;
  const parts: string[] = [];
  for await (const part of io.stdin) parts.push(String(part));
  return parts.join('').trimEnd();
}

async function fileOf(reference: string): Promise<File> {
  if (/^https?:\/\//i.test(reference)) return { url: reference };
  const bytes = await readBytesIfExists(reference);
  if (!bytes) throw new AppError('not_found', `--media: file not found: ${reference}.`);
  const contentType = MEDIA_EXTENSIONS[extname(reference).slice(1).toLowerCase()];
  return present({ buffer: bytes.toString('base64'), filename: basename(reference), contentType });
}
