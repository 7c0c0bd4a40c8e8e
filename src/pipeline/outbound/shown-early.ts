/** What the chat already shows of an unfinished answer, including from an earlier run. */
import type { OutboxRow } from '../../journal/rows.ts';
import { isBlockToken } from '../delivery/blocks.ts';
import type { Live } from '../delivery/live.ts';
import { previewToken } from '../delivery/preview-token.ts';
import type { LiveDeliveryDeps } from './live-delivery-deps.ts';

export interface ShownEarly {
  /** A preview stands there and is to become the answer. */
  readonly preview: boolean;
  /** The words of blocks; empty: there are none, or one of them failed. */
  readonly sent: string;
}

export async function shownEarly(
  { runId, prefix }: { readonly runId: string; readonly prefix: string | undefined },
  { outbox, streamed }: { readonly outbox: LiveDeliveryDeps['journal']['outbox']; readonly streamed: Live['streamed'] },
): Promise<ShownEarly> {
  const early = await streamed(runId);
  const shown = await outbox.ofRun(runId);
  const blocks = shown.filter(({ token }) => isBlockToken(token));
  const failed = blocks.some(({ state }) => state === 'failed') || (early !== undefined && early.sent === undefined);
  return {
    preview: shown.some(({ token }) => token === previewToken(runId)),
    sent: failed ? '' : early?.sent || wordsOf(blocks, prefix),
  };
}

const wordsOf = (rows: readonly OutboxRow[], prefix: string | undefined): string => {
  const words = rows.map(({ payload }) => payload.text ?? '').join('\n');
  return prefix !== undefined && words.startsWith(prefix) ? words.slice(prefix.length) : words;
};
