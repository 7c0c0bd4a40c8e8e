/** Files that a browser creates: pictures, PDFs, downloads, each with a unique name in the folder of its owner. */
import { extname, join } from 'node:path';
import { head } from '../../../core/cut.ts';
import { ensureDir, listDir, removeIfExists, writeFileAtomic } from '../../../platform/files.ts';
import { shortId } from '../../../platform/ids.ts';

/** The oldest files are deleted above this number. */
const MAX_FILES = 500;
const MAX_NAME = 80;

export async function stageFile(folder: string, name: string, data: Uint8Array): Promise<string> {
  const path = await stagedPath(folder, name);
  await writeFileAtomic(path, data, { sync: false });
  return path;
}

/** A new unique path in an existing folder. Names begin with the creation time, so the first are the oldest. */
export async function stagedPath(folder: string, name: string): Promise<string> {
  await ensureDir(folder);
  const files = (await listDir(folder)).filter(({ kind, name: known }) => kind === 'file' && /^\d{13}-/.test(known));
  const surplus = files.slice(0, Math.max(0, files.length + 1 - MAX_FILES));
  await Promise.all(surplus.map((file) => removeIfExists(join(folder, file.name))));
  return join(folder, `${Date.now()}-${shortId()}-${safeName(name)}`);
}

/** Letters, digits, dots and dashes; the end is kept, because it contains the extension. */
export function safeName(name: string): string {
  const plain = name
    .normalize('NFC')
    .replace(/[^\p{L}\p{N}._-]+/gu, '_')
    .replace(/^[._-]+|[._]+$/g, '');
  const end = extname(plain).slice(0, 12);
  return `${head(plain.slice(0, plain.length - end.length) || 'file', MAX_NAME)}${end}`;
}
