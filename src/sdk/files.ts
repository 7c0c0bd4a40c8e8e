/** What tools need of the file system: paths that stay where they may be, private atomic writes, honest text. */
export { resolveInside } from '../platform/inside.ts';
export { listDir, readBytesIfExists, statIfExists, writeFileAtomic, type DirEntry, type FileFacts } from '../platform/files.ts';
export { decodeText, encodeText, type DecodedText } from '../platform/charset/text-encoding.ts';
