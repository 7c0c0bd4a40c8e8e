/** Everything in a folder as text, so that a test can say that nothing changed. */
import { lstat, readdir, readFile, readlink } from 'node:fs/promises';
import { join } from 'node:path';

export async function folderFingerprint(path: string): Promise<string> {
  const names = (await readdir(path, { recursive: true })).sort();
  const lines = await Promise.all(names.map(async (name) => {
    const facts = await lstat(join(path, name));
    const content = facts.isFile() ? await readFile(join(path, name), 'base64') : facts.isSymbolicLink() ? await readlink(join(path, name)) : '';
    return `${name} ${facts.mode.toString(8)} ${content}`;
  }));
  return lines.join('\n');
}
