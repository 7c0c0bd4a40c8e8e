/** Reads files to upload: only those the agent itself may read. */
import { AppError, type ToolContext } from '../../../../sdk/index.ts';
import { readWhole } from '../../../../sdk/file-access.ts';

export interface FileForPage {
  readonly name: string;
  readonly mimeType: string;
  readonly buffer: Buffer;
}

const MAX_BYTES = 32 * 1024 * 1024;
const MAX_FILES = 20;

/** Rejects with `AppError`: `invalid` without paths, or the error of reading a file. */
export async function readFiles(written: unknown, ctx: ToolContext): Promise<readonly FileForPage[]> {
  const listed = Array.isArray(written) ? written : [written];
  const paths = listed.filter((one): one is string => typeof one === 'string' && one.trim() !== '');
  if (paths.length === 0) throw new AppError('invalid', 'paths required: the files to upload, in the workspace.');
  if (paths.length > MAX_FILES) throw new AppError('invalid', `At most ${MAX_FILES} files at once.`);
  return Promise.all(
    paths.map(async (path) => ({
      name: path.split(/[\\/]/).at(-1)!,
      mimeType: 'application/octet-stream',
      buffer: await readWhole(path, ctx, MAX_BYTES),
    })),
  );
}
