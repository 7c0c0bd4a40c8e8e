/** Uploads a file in Slack's three steps; it becomes visible with the last one. */
import { AppError, type ChannelAccount, pause, present } from '../../sdk/index.ts';
import { listOf, recordOf, textOf, type Answer } from './answer.ts';
import type { Api } from './api.ts';
import type { SlackSettings } from './config.ts';

export interface UploadDeps {
  readonly api: Api;
  readonly account: Pick<ChannelAccount<SlackSettings>, 'config' | 'signal'>;
}

export interface Upload {
  readonly data: Uint8Array;
  readonly mime: string;
  readonly name: string;
  readonly channel: string;
  readonly thread?: string;
  /** Slack's markup. */
  readonly text?: string;
  readonly token: string;
}

/** Slack shares a file a moment after it said so. */
const POLL_DELAYS_MS = [0, 150, 400, 1000];

/** The message's id, or `file:<id>` when Slack does not tell it in time. */
export async function uploadFile({ api, account: { config, signal } }: UploadDeps, upload: Upload): Promise<string> {
  const { channel, thread, text, name } = upload;
  const id = await beforehand(() => bring(api, upload, config));
  const done = await api.call('files.completeUploadExternal', {
    files: [{ id, title: name }],
    channel_id: channel,
    ...present({ thread_ts: thread || undefined, initial_comment: text || undefined }),
  });
  const ts = sharedAs(listOf(done['files'])[0], channel);
  return ts ?? (await pollForShare({ api, id, channel, signal })) ?? `file:${id}`;
}

/** Up to here a lost answer leaves nothing in doubt: the whole can be tried again. */
async function beforehand<T>(run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    if (error instanceof AppError && (error.code === 'timeout' || error.code === 'network'))
      throw new AppError('unavailable', error.message, { cause: error });
    throw error;
  }
}

async function bring(
  api: Api,
  { data, mime, name }: Upload,
  { apiRoot, timeoutSeconds }: { readonly apiRoot: string; readonly timeoutSeconds: number },
): Promise<string> {
  const place = await api.call('files.getUploadURLExternal', { filename: name, length: data.length });
  const url = textOf(place['upload_url']);
  const id = textOf(place['file_id']);
  if (
    !url ||
    !id ||
    !URL.canParse(url) ||
    (new URL(url).protocol !== 'https:' && new URL(url).origin !== new URL(apiRoot).origin)
  )
    throw new AppError('bad_response', 'Slack files.getUploadURLExternal: the response has no upload URL.');
  const response = await put(url, data, { mime, timeoutMs: Math.max(timeoutSeconds * 1000, 60_000) });
  if (!response.ok)
    throw new AppError(
      response.status >= 500 ? 'unavailable' : 'invalid',
      `Slack rejected the file: HTTP status ${response.status}.`,
    );
  return id;
}

async function put(
  url: string,
  data: Uint8Array,
  { mime, timeoutMs }: { readonly mime: string; readonly timeoutMs: number },
): Promise<Response> {
  try {
    return await fetch(url, {
      method: 'POST',
      headers: { 'content-type': mime },
      body: Buffer.from(data),
      redirect: 'error',
      signal: AbortSignal.timeout(timeoutMs),
    });
  } catch (error) {
    throw new AppError('unavailable', 'The upload to Slack failed: the connection closed.', { cause: error });
  }
}

async function pollForShare({
  api,
  id,
  channel,
  signal,
}: {
  readonly api: Api;
  readonly id: string;
  readonly channel: string;
  readonly signal: AbortSignal;
}): Promise<string | undefined> {
  for (const wait of POLL_DELAYS_MS) {
    await pause(wait, signal);
    if (signal.aborted) return undefined;
    try {
      const ts = sharedAs(recordOf((await api.call('files.info', { file: id }))['file']), channel);
      if (ts) return ts;
    } catch (error) {
      if (error instanceof AppError) return undefined; // the file is there all the same; only its message has no name
      throw error;
    }
  }
  return undefined;
}

function sharedAs(file: Answer | undefined, channel: string): string | undefined {
  const shares = recordOf(file?.['shares']);
  for (const kind of ['public', 'private']) {
    const ts = textOf(listOf(recordOf(shares[kind])[channel])[0]?.['ts']);
    if (ts) return ts;
  }
  return undefined;
}
