/** Downloads shared files: from Slack with the bot's token, from other hosts without it and via the URL guard. */
import { AppError, readBody, type ChannelAccount, type ChannelConnection, present } from '../../sdk/index.ts';
import { recordOf, textOf } from './answer.ts';
import type { Api } from './api.ts';
import type { SlackSettings } from './config.ts';

const HOPS = 5;
type Limits = Parameters<NonNullable<ChannelConnection['download']>>[1];
type File = { readonly data: Uint8Array; readonly mime?: string; readonly name?: string };

export interface DownloadDeps {
  readonly api: Api;
  readonly token: string;
  readonly account: Pick<ChannelAccount<SlackSettings>, 'config' | 'open'>;
}

/** `ref`: the file's id, and its address where the message had it. */
export async function download(deps: DownloadDeps, ref: string, limits: Limits): Promise<File> {
  const [id = '', name] = ref.split(' ');
  const url = name ?? (await addressOf(deps.api, id));
  if (!isSlack(url, deps.account.config.apiRoot)) return elsewhere(deps, url, limits);
  let next = url;
  for (let hop = 0; hop < HOPS; hop++) {
    const response = await ask(next, deps.token, limits.signal);
    const location = response.status >= 300 && response.status < 400 ? response.headers.get('location') : null;
    if (location === null) return readFile(response, limits);
    await response.body?.cancel();
    const target = new URL(location, next).href;
    if (new URL(target).origin !== new URL(next).origin) return elsewhere(deps, target, limits);
    next = target;
  }
  throw new AppError('bad_response', `The file ${id} at Slack redirects too often.`);
}

/** Where the token may go: Slack over https, and the address the settings name. */
function isSlack(url: string, apiRoot: string): boolean {
  if (!URL.canParse(url)) return false;
  const { protocol, hostname, origin } = new URL(url);
  return (
    origin === new URL(apiRoot).origin ||
    (protocol === 'https:' && (hostname === 'slack.com' || hostname.endsWith('.slack.com')))
  );
}

/** The product's own way out: no token, and nothing private. */
async function elsewhere({ account }: DownloadDeps, url: string, { maxBytes, signal }: Limits): Promise<File> {
  signal.throwIfAborted();
  const file = await account.open({ from: 'url', url }, maxBytes);
  if (file.mime === 'text/html') throw noPermission();
  return file;
}

async function addressOf(api: Api, file: string): Promise<string> {
  const about = recordOf((await api.call('files.info', { file }))['file']);
  const url = textOf(about['url_private_download']) ?? textOf(about['url_private']);
  if (!url) throw new AppError('not_found', `Slack has no address for the file ${file}.`);
  return url;
}

async function ask(url: string, token: string, signal: AbortSignal): Promise<Response> {
  try {
    return await fetch(url, { headers: { authorization: `Bearer ${token}` }, redirect: 'manual', signal });
  } catch (error) {
    throw new AppError(
      signal.aborted ? 'timeout' : 'network',
      'The file at Slack cannot be fetched: the connection closed.',
      { cause: error },
    );
  }
}

async function readFile(response: Response, { maxBytes }: Limits): Promise<File> {
  if (response.status === 401 || response.status === 403) throw noPermission();
  if (!response.ok)
    throw new AppError(
      response.status === 404 || response.status === 410 ? 'not_found' : 'network',
      `The file at Slack cannot be fetched: HTTP status ${response.status}.`,
    );
  const mime = response.headers.get('content-type')?.split(';')[0]!.trim().toLowerCase();
  const file = response.headers.get('content-disposition');
  if (mime === 'text/html' && !file?.startsWith('attachment')) {
    await response.body?.cancel();
    throw noPermission();
  }
  const data = await readBody(response, {
    maxBytes,
    tooLarge: (bytes) =>
      new AppError(
        'too_large',
        `The file at Slack has ${bytes ?? `more than ${maxBytes}`} bytes; the limit is ${maxBytes}.`,
      ),
  });
  return present({ data, mime: mime || undefined });
}

const noPermission = (): AppError =>
  new AppError(
    'denied',
    'Slack returned its sign-in page instead of the file: add the scope files:read to the Slack app and reinstall it.',
  );
