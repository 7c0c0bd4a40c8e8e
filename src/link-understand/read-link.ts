/** Reads the text of an address: guarded download, then parsing in a worker, within one deadline. */
import { AppError } from '../core/errors.ts';
import { present } from '../core/present.ts';
import type { DocumentReader } from '../documents/document-reader.ts';
import type { FetchedFile, GuardedFetch } from '../platform/net/fetch/guarded-fetch.ts';
import { cutText } from './cut-text.ts';
import type { CachedFile, LinkCache } from './link-cache.ts';
import type { Options } from './options.ts';
import { readJson } from './read-json.ts';
import type { UnderstoodLink } from './understood-link.ts';

export interface ReadLinkDeps {
  readonly fetch: GuardedFetch;
  readonly reader: DocumentReader;
  readonly cache: LinkCache | undefined;
  /** Milliseconds left, at least 1. */
  left(): number;
  readonly signal: AbortSignal;
  /** Something went wrong that the result does not suffer from. */
  warn(line: string): void;
}

/** Bytes of a page, and of anything else. */
const MAX_PAGE = 5 * 1024 * 1024;
const MAX_FILE = 20 * 1024 * 1024;
/** From page to page, by themselves. */
const MAX_HOPS = 3;
const ACCEPT =
  'text/html,application/xhtml+xml,application/pdf,application/json;q=0.9,application/xml;q=0.9,text/*;q=0.9,*/*;q=0.5';
const PDF = { maxPages: 100, maxPixels: 1, minTextChars: 0 };

/**
 * Rejects with `AppError`: those of the guarded fetch; `too_large`, `unsupported`, `timeout` and `bad_response` of the
 * reading.
 */
export async function readLink({ url, maxChars }: Options, deps: ReadLinkDeps): Promise<UnderstoodLink> {
  const { file, mime, more, ...reading } = await follow(url, { maxChars: maxChars + 2, deps });
  const { text, truncated } = cutText(reading.text.trim(), { maxChars, more });
  if (text === '')
    throw new AppError(
      'unsupported',
      reading.title === undefined ? 'there is no text in it' : 'it gives only its title',
    );
  return { ...reading, url: url.href, finalUrl: file.url, contentType: mime, text, truncated };
}

interface ReadRequest {
  readonly maxChars: number;
  readonly deps: ReadLinkDeps;
}

/** A page may send on by itself; each address on the way is fetched with the same care. */
async function follow(
  url: URL,
  request: ReadRequest,
): Promise<Omit<Reading, 'metaRefreshTarget'> & { readonly file: CachedFile }> {
  for (let next = url, hops = 0; ; hops++) {
    const file = await download(next, request.deps);
    if (isPage(file.mime) && file.body.length > MAX_PAGE)
      throw new AppError('too_large', `the page is larger than ${MAX_PAGE / 1024 / 1024} MiB`);
    const { metaRefreshTarget, ...reading } = await readFile(file, request);
    if (metaRefreshTarget === undefined || hops >= MAX_HOPS) return { ...reading, file };
    next = new URL(metaRefreshTarget);
  }
}

type Reading = Pick<UnderstoodLink, 'title' | 'author' | 'date' | 'site' | 'text'> & {
  readonly mime: string;
  /** It goes on. */
  readonly more: boolean;
  readonly metaRefreshTarget?: string;
};

async function readFile(file: CachedFile, { maxChars, deps }: ReadRequest): Promise<Reading> {
  const { body, url, mime, charset, fileName } = file;
  const json = isJson(mime) ? await readJson(file, maxChars) : undefined;
  if (json) return { ...json, mime, more: false };
  const outcome = await deps.reader.read(
    present({ bytes: body, url, mime, charset, name: fileName, maxChars, timeoutMs: deps.left(), pdf: PDF }),
    deps.signal,
  );
  if (!outcome.ok) throw refusal(outcome);
  const { title, author, date, site, metaRefreshTarget } = outcome;
  return present({
    title,
    author,
    date,
    site,
    metaRefreshTarget,
    text: outcome.text,
    mime: outcome.mime,
    more: outcome.truncated,
  });
}

async function download(url: URL, deps: ReadLinkDeps): Promise<CachedFile> {
  const known = await spare(deps, () => deps.cache?.find(url.href));
  const fetched = await deps.fetch.fetch(
    url,
    present({ maxBytes: MAX_FILE, timeoutMs: deps.left(), signal: deps.signal, accept: ACCEPT, headers: known?.ask }),
  );
  if (fetched.status === 304 && known) return known.file;
  rejectEmpty(fetched);
  await spare(deps, () => deps.cache?.keep(url.href, fetched));
  return fetched;
}

/** A cache on a full or broken disk costs time, not the answer. */
async function spare<T>({ warn }: ReadLinkDeps, use: () => Promise<T> | undefined): Promise<T | undefined> {
  try {
    return await use();
  } catch (error) {
    if (!(error instanceof AppError && error.code === 'storage')) throw error;
    warn(`the cache is not used: ${error.message}`);
    return undefined;
  }
}

function rejectEmpty({ body, status }: FetchedFile): void {
  if (body.length === 0) throw new AppError('bad_response', `the server answered ${status} with nothing`);
}

const isJson = (mime: string): boolean => /^(?:application|text)\/(?:[\w.-]+\+)?json$/.test(mime);
const isPage = (mime: string): boolean => mime === 'text/html' || mime === 'application/xhtml+xml' || isJson(mime);

function refusal({
  reason,
  message,
  mime,
}: {
  readonly reason: string;
  readonly message: string;
  readonly mime: string;
}): AppError {
  if (reason === 'timeout') return new AppError('timeout', message);
  if (reason === 'media')
    return new AppError(
      'unsupported',
      'it is ' +
        `${mime.startsWith('image/') ? 'a picture' : mime.startsWith('video/') ? 'a film' : 'a recording'} ` +
        `(${mime}), not text`,
    );
  return new AppError(reason === 'too_large' ? 'too_large' : 'unsupported', message);
}
