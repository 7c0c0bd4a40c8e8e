/** Compares the type of a downloaded file, by its first bytes, with its extension. Pure. */

const startsWith =
  (...bytes: readonly number[]) =>
  (data: Uint8Array): boolean =>
    bytes.every((byte, at) => data[at] === byte);

/** Types of executable files. */
const PROGRAMS: readonly (readonly [what: string, is: (data: Uint8Array) => boolean])[] = [
  ['a program for Linux', startsWith(0x7f, 0x45, 0x4c, 0x46)],
  ['a program for Windows', startsWith(0x4d, 0x5a)],
  ['a program for macOS', startsWith(0xcf, 0xfa, 0xed, 0xfe)],
  ['a program for macOS', startsWith(0xca, 0xfe, 0xba, 0xbe)],
  ['a script', startsWith(0x23, 0x21)],
  ['a shortcut of Windows', startsWith(0x4c, 0, 0, 0, 0x01, 0x14, 0x02)],
];

/** Extensions of files that people consider harmless. */
const HARMLESS = new Set(
  (
    'pdf png jpg jpeg gif webp bmp svg tif tiff heic avif txt csv tsv md rtf doc docx xls xlsx ppt pptx odt ods odp ' +
    'epub mp3 m4a wav ogg flac mp4 mov webm mkv json xml ics eml'
  ).split(' '),
);

/** The number of bytes that are needed to detect the type. */
export const CONTENT_BYTES = 16;

/**
 * The detected type of a file that has the extension of a document, picture or recording, but is executable; undefined:
 * it is not.
 */
export function disguisedAs(name: string, data: Uint8Array): string | undefined {
  const end = name.toLowerCase().split('.').at(-1) ?? '';
  return HARMLESS.has(end) ? PROGRAMS.find(([, is]) => is(data))?.[0] : undefined;
}
