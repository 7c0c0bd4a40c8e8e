/** Downloads files from Telegram's file server; the URL contains the token and is never shown. */
import { AppError, readBody, present } from '../../sdk/index.ts';
import type { TelegramApi } from './api.ts';
import { transportError } from './errors.ts';

export interface DownloadLimits {
  readonly maxBytes: number;
  readonly signal: AbortSignal;
}

export async function download(
  api: TelegramApi,
  ref: string,
  { maxBytes, signal }: DownloadLimits,
): Promise<{ data: Uint8Array; name?: string }> {
  const { file_path: path, file_size: size } = await api.calls.getFile({ file_id: ref }, signal);
  if (size !== undefined && size > maxBytes) throw tooLarge(maxBytes);
  if (path === undefined || path.startsWith('/') || path.split('/').includes('..'))
    throw new AppError('not_found', 'The file is no longer available on Telegram.');
  const url = `${api.apiRoot}/file/bot${api.token}/${path.split('/').map(encodeURIComponent).join('/')}`;
  const response = await api.fetch(url, { signal, redirect: 'error' }).catch((thrown: unknown) => {
    throw transportError('a download', thrown, signal);
  });
  if (!response.ok || !response.body)
    throw new AppError(
      response.status === 404 ? 'not_found' : 'network',
      `Telegram did not return the file (status ${response.status}).`,
    );
  const name = path.split('/').at(-1);
  const data = await readBody(response, { maxBytes, tooLarge: () => tooLarge(maxBytes) }).catch((thrown: unknown) => {
    throw transportError('a download', thrown, signal);
  });
  return present({ data, name: name || undefined });
}

const tooLarge = (maxBytes: number): AppError =>
  new AppError('too_large', `The file is larger than the ${Math.ceil(maxBytes / 1024 / 1024)} MB limit.`);
