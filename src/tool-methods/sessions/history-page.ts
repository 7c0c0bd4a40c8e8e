/** Selects one page of a session's messages: the newest before an offset, as many as fit. Pure. */
import { present } from '../../core/present.ts';
import type { Message } from '../../core/transcript.ts';
import { MAX_IN_ALL, shownMessage, type ShownMessage } from './shown-message.ts';

export const DEFAULT_LIMIT = 50;
const MAX_LIMIT = 1000;

export interface PageRequest {
  readonly limit?: number | undefined;
  /** Messages to leave out, counted from the newest. */
  readonly offset?: number | undefined;
  readonly includeTools: boolean;
}

export interface HistoryPage {
  /** Oldest first. */
  readonly messages: readonly ShownMessage[];
  /** A text was cut, a picture left out, or not all that was asked for fitted. */
  readonly truncated?: true;
  /** There are older ones: the offset they begin behind. */
  readonly nextOffset?: number;
}

/** `spoken`: all messages, oldest first. */
export function historyPage(
  spoken: readonly Message[],
  { limit = DEFAULT_LIMIT, offset = 0, includeTools }: PageRequest,
): HistoryPage {
  const wanted = Math.min(MAX_LIMIT, Math.max(1, Math.floor(limit)));
  const skipped = Math.max(0, Math.floor(offset));
  const messages: ShownMessage[] = [];
  const state = { seen: 0, bytes: 0, truncated: false };
  for (let index = spoken.length - 1; index >= 0; index--) {
    const message = spoken[index]!;
    if (!counts(message, includeTools)) continue;
    if (state.seen >= skipped + wanted) return page(messages, { truncated: state.truncated, nextOffset: state.seen });
    // What is only counted is not made ready to be shown.
    const shown = state.seen < skipped ? undefined : shownMessage(message, includeTools);
    state.bytes += shown ? Buffer.byteLength(JSON.stringify([shown.message], null, 2)) : 0;
    if (state.bytes > MAX_IN_ALL && messages.length > 0)
      return page(messages, { truncated: true, nextOffset: state.seen });
    if (shown) messages.push(shown.message);
    state.truncated ||= shown?.cut ?? false;
    state.seen++;
  }
  return page(messages, { truncated: state.truncated });
}

/** Something of it can be shown. */
const counts = ({ role, content }: Message, includeTools: boolean): boolean =>
  (role !== 'toolResult' || includeTools) &&
  content.some((block) =>
    block.type === 'text' ? block.text !== '' : block.type === 'image' || (block.type === 'toolCall' && includeTools),
  );

const page = (
  newestFirst: readonly ShownMessage[],
  { truncated, nextOffset }: { readonly truncated: boolean; readonly nextOffset?: number },
): HistoryPage => present({ messages: newestFirst.toReversed(), truncated: truncated ? true : undefined, nextOffset });
