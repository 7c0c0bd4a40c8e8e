/** The words of a sender, for channels: they alone take them off a platform. */
export { NOTHING_SAID, type SaidWords } from '../core/said.ts';
export { saidTogether, typed } from '../core/saying.ts';
