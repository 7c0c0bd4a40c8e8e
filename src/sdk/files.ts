/** File functions for tools: paths within bounds, atomic changes, text with its encoding. */
export { closestRegion } from './closest-region.ts';
export { loadEditable, type EditableText } from './editable-text.ts';
export {
  listFolder,
  statToRead,
  statToWrite,
  readWhole,
  resolvePathToRead,
  resolvePathToWrite,
  type FileContext,
} from './file-access.ts';
export { plainChar, plainText } from './typography.ts';
export type { FileFacts } from '../platform/files.ts';
export { replaceFiles, type FileChange } from '../platform/replace-files.ts';
export { decodeText } from '../platform/charset/text-encoding.ts';
