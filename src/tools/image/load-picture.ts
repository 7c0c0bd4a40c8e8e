/** Gets the bytes of a picture, never more than allowed and never from where the turn may not read. */
import { basename, join } from 'node:path';
import { AppError, type ToolContext, present } from '../../sdk/index.ts';
import { statToRead, readWhole, type FileContext, type FileFacts } from '../../sdk/files.ts';
import { sizeText } from '../../sdk/pictures.ts';
import type { PictureReference } from './reference.ts';

export interface LoadedPicture {
  readonly data: Uint8Array;
  /** The path as it was given, when the file was found elsewhere. */
  readonly rewrittenFrom?: string;
}

const FETCH_TIMEOUT_MS = 30_000;

/** Rejects with `AppError` saying what is wrong: `not_found`, `denied`, `too_large`, and what fetching rejects with. */
export async function loadPicture(
  reference: Extract<PictureReference, { kind: 'path' | 'url' | 'data' }>,
  { maxBytes, ctx }: { maxBytes: number; ctx: ToolContext },
): Promise<LoadedPicture> {
  switch (reference.kind) {
    case 'data':
      return { data: decoded(reference.payload, maxBytes) };
    case 'url':
      return { data: await fetched(reference.url, { maxBytes, ctx }) };
    case 'path':
      return fromFile(reference.path, { maxBytes, ctx });
  }
}

/** Measured before it is decoded. */
function decoded(payload: string, maxBytes: number): Buffer {
  refuseLarge(Math.floor(payload.length * 0.75) - 2, maxBytes);
  return Buffer.from(payload, 'base64');
}

async function fetched(url: string, { maxBytes, ctx }: { maxBytes: number; ctx: ToolContext }): Promise<Uint8Array> {
  if (ctx.sandboxed)
    throw new AppError('denied', 'Images are not fetched from the network in a sandbox. Use the path of a file.');
  if (!ctx.fetchFile)
    throw new AppError('unavailable', 'Network access is not available here. Use the path of a file.');
  const { data } = await ctx.fetchFile(url, { maxBytes, timeoutMs: FETCH_TIMEOUT_MS, signal: ctx.signal });
  return data;
}

async function fromFile(
  path: string,
  { maxBytes, ctx }: { maxBytes: number; ctx: ToolContext },
): Promise<LoadedPicture> {
  const { name, facts, files, rewrittenFrom } = await locate(path, ctx);
  if (!facts) throw new AppError('not_found', `${path} does not exist.`);
  if (facts.kind !== 'file') throw new AppError('invalid', `${path} is not a file.`);
  refuseLarge(facts.size, maxBytes);
  return present({ data: await readWhole(name, files, maxBytes), rewrittenFrom });
}

/** `name`: within that reach. */
interface Located {
  readonly name: string;
  readonly facts: FileFacts | undefined;
  readonly files: FileContext;
  readonly rewrittenFrom?: string;
}

/** Prompts name received files by their path on the machine; from inside a sandbox they are found by their name. */
async function locate(path: string, ctx: ToolContext): Promise<Located> {
  try {
    return { name: path, facts: (await statToRead(path, ctx)).facts, files: ctx };
  } catch (error) {
    if (!ctx.sandboxed || !(error instanceof AppError) || error.code !== 'denied') throw error;
    return (await amongReceived(path, ctx)) ?? Promise.reject(error);
  }
}

async function amongReceived(
  path: string,
  { workspace, mediaFolder, deniedPaths }: ToolContext,
): Promise<Located | undefined> {
  const name = basename(path.replaceAll('\\', '/'));
  for (const folder of [join(workspace, 'media', 'inbound'), mediaFolder]) {
    if (folder === undefined || name === '' || name === '..') continue;
    const files: FileContext = present({ workspace: folder, sandboxed: true, deniedPaths });
    const { facts } = await statToRead(name, files);
    if (facts?.kind === 'file') return { name, facts, files, rewrittenFrom: path };
  }
  return undefined;
}

function refuseLarge(bytes: number, maxBytes: number): void {
  if (bytes > maxBytes)
    throw new AppError(
      'too_large',
      `The picture has ${sizeText(bytes)}; the limit is ${sizeText(maxBytes)}. Raise maxBytesMb or ` +
        'make it smaller.',
    );
}
