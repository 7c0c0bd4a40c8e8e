/** The files a message takes along: read whole, within what the turn may read, before anything is sent. */
import { basename } from 'node:path';
import { AppError, type ToolContext, present } from '../../sdk/index.ts';
import { readWhole } from '../../sdk/files.ts';
import type { MessageSendRequest } from '../../sdk/messaging.ts';

const MAX_BYTES = 50 * 1024 * 1024;
const MAX_FILES = 10;

export interface Wanted {
  readonly references: readonly string[];
  readonly filename?: string | undefined;
}

/** Each once, in order. What kind of file it is, is read from its bytes by whoever sends it. */
export async function attached(
  { references, filename }: Wanted,
  ctx: ToolContext,
): Promise<Pick<MessageSendRequest, 'media' | 'files'>> {
  const all = [...new Set(references)];
  if (all.length > MAX_FILES)
    throw new AppError('invalid', `A message can have at most ${MAX_FILES} files; ${all.length} were given.`);
  const name = all.length === 1 ? filename?.trim() || undefined : undefined;
  const urls = all.filter((each) => /^https:\/\//i.test(each));
  const paths = all.filter((each) => !urls.includes(each));
  const other = paths.find((each) => /^(?!file:)[a-z][a-z0-9+.-]+:/i.test(each));
  if (other !== undefined)
    throw new AppError(
      'denied',
      `${other.split(/[?#]/)[0]!.slice(0, 200)} is not sent: only public https addresses and files of the ` +
        'workspace are.',
    );
  const files: { readonly data: Buffer; readonly name: string }[] = [];
  for (const path of paths.map((each) => each.replace(/^file:\/\//i, ''))) {
    const data = await readWhole(path, ctx, MAX_BYTES);
    // one file may have been named in several ways
    if (!files.some((file) => file.data.equals(data))) files.push({ data, name: name ?? basename(path) });
  }
  return {
    ...present({
      media:
        urls.length > 0
          ? urls.map((url) => present({ from: 'url' as const, url, name: name || undefined }))
          : undefined,
      files: files.length > 0 ? files : undefined,
    }),
  };
}
