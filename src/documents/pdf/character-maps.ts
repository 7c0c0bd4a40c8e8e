/** Gives pdf.js the character maps of fonts that are not embedded, only from the bundled folder. */
import { fileURLToPath } from 'node:url';
import { readBytesIfExists } from '../../platform/files.ts';

/** The same from `src/` and from `dist/`. */
const FOLDER = fileURLToPath(new URL('../../../data/cmaps/', import.meta.url));

/** What pdf.js makes one of for each document, and asks by name; the name comes from the document. */
export class CharacterMaps {
  async fetch({ kind, filename }: { readonly kind: string; readonly filename: string }): Promise<Uint8Array> {
    const map =
      kind === 'cMapUrl' && /^[\w-]{1,40}\.bcmap$/.test(filename)
        ? await readBytesIfExists(`${FOLDER}${filename}`)
        : undefined;
    if (!map) throw new Error(`There is no ${filename}.`);
    return new Uint8Array(map);
  }
}

export const characterMaps = { BinaryDataFactory: CharacterMaps, cMapUrl: FOLDER, cMapPacked: true } as const;
