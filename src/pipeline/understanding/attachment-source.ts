/** Finds the bytes of one attachment: a file inside the allowed folders, else a download that is kept. */
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { AppError, asAppError, type ErrorCode } from '../../core/errors.ts';
import { bareMime, kindOfMime } from '../../core/media-type.ts';
import type { Attachment } from '../../core/message.ts';
import { sniff } from '../../documents/type/sniff.ts';
import type { GuardedFetch } from '../../platform/net/fetch/guarded-fetch.ts';
import { statInside } from '../../platform/read-inside.ts';
import { decideType, mimeOfName, plainName, withExtension } from './attachment-type.ts';
import { sizeText } from '../../core/size-text.ts';

export interface SourceDeps {
  readonly fetch: GuardedFetch;
  /** Fetches what only its channel can (`Attachment.ref`); absent where no channel is asked. */
  download?(ref: string, limits: { readonly maxBytes: number; readonly signal: AbortSignal }): Promise<Downloaded>;
  /** Puts downloaded bytes into the media store; the answer carries `path`. */
  keep(bytes: Buffer, facts: { readonly mime: string; readonly name: string }): Promise<Attachment>;
  /** Folders local attachments may lie in. */
  readonly roots: readonly string[];
  /** Bytes a file of the kind may have at all. */
  maxBytes(kind: Attachment['kind']): number;
  /** Milliseconds one download may take. */
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

/** What somebody else says of the bytes is only a hint. */
export interface Downloaded {
  readonly data: Uint8Array;
  readonly mime?: string;
  readonly name?: string;
}

export interface Facts {
  readonly kind: Attachment['kind'];
  readonly mime: string;
  readonly name: string;
}

/**
 * Where an attachment lies, or why it cannot be had; the message of `trouble` is a clause for people ("it is larger
 * than 20 MiB").
 */
export type Source = Facts &
  (
    | {
        readonly path: string;
        readonly size: number;
        readonly roots: readonly [string, ...string[]];
        readonly trouble?: never;
      }
    | { readonly trouble: AppError; readonly size?: number }
  );

/** Enough for every container format to show itself. */
const HEAD_BYTES = 1024 * 1024;

const UNKNOWN = 'application/octet-stream';

/** Rejects only with `aborted`. */
export async function findSource(attachment: Attachment, index: number, deps: SourceDeps): Promise<Source> {
  const claim = claimOf(attachment, index);
  const onDisk = localPath(attachment);
  const url = webUrl(attachment);
  const local = onDisk && (await troubled(claim, ON_DISK, () => fromDisk(onDisk, claim, deps)));
  if (local && (!local.trouble || !url || local.trouble.code === 'too_large')) return local;
  const afar: WebDeps = { ...deps, index, named: attachment.name !== undefined };
  const clauses = { ...ON_THE_WEB, too_large: tooLarge(webLimit(claim, deps)).message };
  const { ref } = attachment;
  if (ref !== undefined) return troubled(claim, clauses, () => fromChannel(ref, claim, afar));
  if (url) return troubled(claim, clauses, () => fromWeb(url, claim, afar));
  return { ...claim, trouble: new AppError('not_found', 'the message had no file') };
}

function claimOf(attachment: Attachment, index: number): Facts {
  const mime = bareMime(attachment.mime) || UNKNOWN;
  return {
    kind: attachment.kind,
    mime,
    name: plainName(attachment.name ?? lastPart(attachment.path ?? attachment.url), index),
  };
}

/** The last part of a path or of a URL's path. */
function lastPart(where: string | undefined): string | undefined {
  if (!where || !/^[a-z][a-z0-9+.-]+:\/\//i.test(where)) return where;
  const name = URL.parse(where)?.pathname.split('/').at(-1);
  return name && (decoded(name) ?? name);
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch (error) {
    if (error instanceof URIError) return undefined;
    throw error;
  }
}

/** A path as it is, or out of a `file:` URL. */
function localPath({ path, url }: Attachment): string | undefined {
  const written = path ?? (url?.toLowerCase().startsWith('file:') ? url : undefined);
  if (!written?.toLowerCase().startsWith('file:')) return written;
  try {
    return fileURLToPath(written);
  } catch (error) {
    if (error instanceof TypeError || error instanceof URIError) return undefined;
    throw error;
  }
}

const webUrl = ({ url }: Attachment): string | undefined => (url && /^https?:\/\//i.test(url) ? url : undefined);

async function fromDisk(path: string, claim: Facts, { roots, maxBytes }: SourceDeps): Promise<Source> {
  const [first, ...rest] = roots;
  if (!first) throw new AppError('denied', 'No folder is allowed for attachments.');
  if (/^[\\/]{2}/.test(path)) throw new AppError('denied', `${path} names another machine.`);
  const allowed: [string, ...string[]] = [first, ...rest];
  const { head, path: real, size } = await statInside(path, allowed, HEAD_BYTES);
  const facts = await factsOf(head, claim);
  const trouble = unfit(facts.kind, size, maxBytes);
  return trouble ? { ...facts, size, trouble } : { ...facts, size, path: real, roots: allowed };
}

async function fromWeb(url: string, claim: Facts, deps: WebDeps): Promise<Source> {
  const { body, mime, fileName } = await deps.fetch.fetch(url, {
    maxBytes: webLimit(claim, deps),
    timeoutMs: deps.timeoutMs,
    signal: deps.signal,
  });
  return kept({ body, mime, name: fileName }, claim, deps);
}

async function fromChannel(ref: string, claim: Facts, deps: WebDeps): Promise<Source> {
  if (!deps.download) throw new AppError('unavailable', 'Its channel is not connected.');
  const signal = AbortSignal.any([deps.signal, AbortSignal.timeout(deps.timeoutMs)]);
  const { data, mime = '', name } = await deps.download(ref, { maxBytes: webLimit(claim, deps), signal });
  return kept({ body: Buffer.from(data.buffer, data.byteOffset, data.byteLength), mime, name }, claim, deps);
}

async function kept(
  fetched: { readonly body: Buffer; readonly mime: string; readonly name: string | undefined },
  claim: Facts,
  deps: WebDeps,
): Promise<Source> {
  const mime = claim.mime === UNKNOWN ? bareMime(fetched.mime) || UNKNOWN : claim.mime;
  const facts = await factsOf(fetched.body, {
    ...claim,
    mime,
    name: fetched.name && !deps.named ? plainName(fetched.name, deps.index) : claim.name,
  });
  const size = fetched.body.length;
  const trouble = unfit(facts.kind, size, deps.maxBytes);
  if (trouble) return { ...facts, size, trouble };
  const { path } = await deps.keep(fetched.body, facts);
  if (!path) throw new AppError('storage', 'The media store returned no path.');
  return { ...facts, size, path, roots: [dirname(path)] };
}

interface WebDeps extends SourceDeps {
  readonly index: number;
  /** The message named it; the server need not. */
  readonly named: boolean;
}

/** A kind the channel got wrong shall not cut a download short that its name would allow. */
function webLimit({ kind, name }: Facts, { maxBytes }: SourceDeps): number {
  const byName = mimeOfName(name);
  return Math.max(maxBytes(kind), byName ? maxBytes(kindOfMime(byName)) : 0);
}

async function factsOf(head: Buffer, { name, mime }: Facts): Promise<Facts> {
  const type = decideType(await sniff(head, { name, mime }), { name, mime });
  return { ...type, name: withExtension(name, type.mime) };
}

/** An empty document is a document, and recordings have a least size of their own; an empty picture is nothing. */
function unfit(kind: Facts['kind'], size: number, maxBytes: SourceDeps['maxBytes']): AppError | undefined {
  if (size === 0 && (kind === 'image' || kind === 'video')) return new AppError('invalid', 'it is empty');
  return size > maxBytes(kind) ? tooLarge(maxBytes(kind)) : undefined;
}

const tooLarge = (limit: number): AppError => new AppError('too_large', `it is larger than ${sizeText(limit)}`);

/**
 * The boundary of one attachment: whatever goes wrong becomes a clause for people, and the others are there all the
 * same.
 * The error itself, which may name paths and addresses, stays as the cause.
 */
async function troubled(claim: Facts, clauses: Clauses, find: () => Promise<Source>): Promise<Source> {
  try {
    return await find();
  } catch (error) {
    const { code } = asAppError(error);
    if (code === 'aborted') throw error;
    return { ...claim, trouble: new AppError(code, clauses[code] ?? clauses.internal, { cause: error }) };
  }
}

type Clauses = Partial<Record<ErrorCode, string>> & { readonly internal: string };

const ON_DISK: Clauses = {
  denied: 'it is outside the folders that attachments may be read from',
  not_found: 'the file no longer exists',
  internal: 'it cannot be read as a file',
};

const ON_THE_WEB: Clauses = {
  denied: 'its address may not be fetched',
  timeout: 'the download took too long',
  storage: 'it could not be stored',
  internal: 'it could not be downloaded',
};
