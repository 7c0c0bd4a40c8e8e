/** Downloads message attachments from Discord's hosts only, without the token and with a size limit. */
import { Agent, fetch } from 'undici';
import { AppError, readBody, type ChannelConnection, present } from '../../sdk/index.ts';
import type { Call } from './api.ts';

const HOSTS: readonly string[] = ['cdn.discordapp.com', 'media.discordapp.net'];
const TIMEOUT_MS = 60_000;

export interface Downloads extends AsyncDisposable {
  readonly download: NonNullable<ChannelConnection['download']>;
}

export function createDownloads({ apiRoot, call }: { readonly apiRoot: string; readonly call: Call }): Downloads {
  const agent = new Agent({ keepAliveTimeout: 10_000 });
  const own = new URL(apiRoot);

  function checked(ref: string): URL {
    const url = URL.canParse(ref) ? new URL(ref) : undefined;
    const known =
      url !== undefined &&
      (url.host === own.host && own.host !== 'discord.com'
        ? url.protocol === own.protocol
        : url.protocol === 'https:' && url.port === '' && HOSTS.includes(url.hostname));
    if (!known) throw new AppError('denied', 'The file is not hosted by Discord; it was not fetched.');
    return url;
  }

  /** A redirect is not followed: Discord's own hosts answer themselves. */
  async function fetchOnce(
    url: URL,
    { maxBytes, signal }: { maxBytes: number; signal: AbortSignal },
  ): Promise<{ status: number; data: Uint8Array; mime?: string }> {
    const response = await fetch(url, {
      dispatcher: agent,
      redirect: 'manual',
      signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]),
    });
    if (response.status !== 200) {
      await response.body?.cancel();
      return { status: response.status, data: new Uint8Array() };
    }
    const tooLarge = (): AppError =>
      new AppError('too_large', `The file is larger than the limit of ${maxBytes} bytes.`);
    const data = await readBody(response, { maxBytes, tooLarge });
    const mime = /^[\w.+-]+\/[\w.+-]+/.exec(response.headers.get('content-type') ?? '')?.[0];
    return present({ status: 200, data, mime: mime || undefined });
  }

  /** Links to files are good for a day; then Discord gives new ones. */
  async function renewed(url: URL): Promise<URL> {
    const { refreshed_urls: urls = [] } = await call<{ refreshed_urls?: readonly { refreshed?: string }[] }>(
      'post',
      '/attachments/refresh-urls',
      'renewing the link of a file',
      { body: { attachment_urls: [url.href] } },
    );
    const fresh = urls[0]?.refreshed;
    if (!fresh) throw new AppError('not_found', 'The file no longer exists on Discord.');
    return checked(fresh);
  }

  return {
    async download(ref, limits) {
      const url = checked(ref);
      try {
        const first = await fetchOnce(url, limits);
        const file = first.status === 403 || first.status === 404 ? await fetchOnce(await renewed(url), limits) : first;
        if (file.status === 200) return present({ data: file.data, mime: file.mime || undefined });
        throw file.status === 404 || file.status === 403
          ? new AppError('not_found', 'The file no longer exists on Discord.')
          : new AppError(
              file.status >= 500 ? 'unavailable' : 'bad_response',
              `Discord returned status ${file.status} for a file.`,
            );
      } catch (error) {
        limits.signal.throwIfAborted();
        if (error instanceof AppError) throw error;
        const timeout = error instanceof Error && error.name === 'TimeoutError';
        throw new AppError(
          timeout ? 'timeout' : 'network',
          `A file could not be fetched from Discord${timeout ? ' in time' : ''}.`,
          { cause: error },
        );
      }
    },
    [Symbol.asyncDispose]: () => agent.destroy(),
  };
}
