/** Detects the type of a ZIP container by the names in its directory, without decompressing. */
import { extname } from 'node:path';
import { EXTENSIONS } from './extensions.ts';

const OFFICE = 'application/vnd.openxmlformats-officedocument.';
const FOLDERS: readonly (readonly [string, string])[] = [
  ['word/', `${OFFICE}wordprocessingml.document`],
  ['xl/', `${OFFICE}spreadsheetml.sheet`],
  ['ppt/', `${OFFICE}presentationml.presentation`],
  ['META-INF/MANIFEST.MF', 'application/java-archive'],
];
const MAX_NAMES = 2000;

export function zipType(bytes: Uint8Array, name: string | undefined): string {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  const declared = declaredMime(buffer);
  if (declared) return declared;
  const names = directoryNames(buffer);
  const found = FOLDERS.find(([prefix]) => names.some((entry) => entry.startsWith(prefix)));
  if (found) return found[1];
  const claimed =
    EXTENSIONS[
      extname(name ?? '')
        .slice(1)
        .toLowerCase()
    ] ?? '';
  // Without a directory to read the name is all there is; the reader then says that it is damaged.
  return names.length === 0 && /officedocument|opendocument|epub/.test(claimed) ? claimed : 'application/zip';
}

/** OpenDocument and EPUB begin with a stored file named `mimetype`. */
function declaredMime(buffer: Buffer): string | undefined {
  if (buffer.toString('latin1', 30, 38) !== 'mimetype') return undefined;
  return /^application\/(?:vnd\.oasis\.opendocument\.[a-z-]+|epub\+zip)/.exec(buffer.toString('latin1', 38, 138))?.[0];
}

function directoryNames(buffer: Buffer): readonly string[] {
  const end = buffer.lastIndexOf(Buffer.from('PK\x05\x06', 'latin1'));
  if (end < 0 || end + 20 > buffer.length) return [];
  const names: string[] = [];
  let at = buffer.readUInt32LE(end + 16);
  while (names.length < MAX_NAMES && at + 46 <= buffer.length && buffer.readUInt32LE(at) === 0x02014b50) {
    const nameLength = buffer.readUInt16LE(at + 28);
    names.push(buffer.toString('latin1', at + 46, at + 46 + nameLength));
    at += 46 + nameLength + buffer.readUInt16LE(at + 30) + buffer.readUInt16LE(at + 32);
  }
  return names;
}
