/** Describes the whole content of a folder as text, so that a test can check that nothing changed. */
import { lstat, readdir, readFile, readlink } from 'node:fs/promises';
import { join, relative } from 'node:path';

export async function folderFingerprint(path: string): Promise<string> {
  // With the kinds of entries it does not follow links, which may lead in circles.
  const names = (await readdir(path, { recursive: true, withFileTypes: true }))
    .map(({ parentPath, name }) => join(relative(path, parentPath), name))
    .sort();
  const lines = await Promise.all(
    names.map(async (name) => {
      const facts = await lstat(join(path, name));
      const content = facts.isFile()
        ? await readFile(join(path, name), 'base64')
        : facts.isSymbolicLink()
          ? await readlink(join(path, name))
          : '';
      return `${name} ${facts.mode.toString(8)} ${content}`;
    }),
  );
  return lines.join('\n');
}
