/** Creates the words of a sender; only channels use it, when they read them from the platform. */
export { NOTHING_SAID, type SaidWords } from '../core/said.ts';
export { mergeAlbum, typed } from '../core/saying.ts';
