/** Records what people see of an answer while it is generated, with a fake clock. */
import type { ChannelConnection } from '../core/channel.ts';
import { silentLog } from '../core/log.ts';
import { noUsage } from '../core/transcript.ts';
import { createFakeClock } from './fake-clock.ts';
import { createLeavingPreviews } from '../pipeline/delivery/leaving-previews.ts';
import { createLive } from '../pipeline/delivery/live.ts';
import type { LiveRun } from '../pipeline/delivery/live-run.ts';

export const base: LiveRun = {
  runId: 'r',
  sessionKey: 's',
  messageId: 'm',
  address: { channel: 'desk', accountId: 'default', chat: { kind: 'direct', id: 'ann' } },
  typing: 'never',
  typingEveryMs: 6000,
  removeAck: false,
  streaming: 'off',
  toolSummaries: false,
  prefix: () => undefined,
  blocks: {
    minChars: 10,
    maxChars: 30,
    prefer: 'paragraph',
    flush: 'text_end',
    coalesce: { minChars: 1, maxChars: 100, idleMs: 1000 },
  },
  humanDelay: { mode: 'off', minMs: 0, maxMs: 0 },
  rules: { chunks: { limit: 200 }, maxCaption: 100, media: true, voice: true, replyTo: 'first', prefix: undefined },
};

export const long = 'This is a sentence that is longer than forty characters.';

export function harness(
  over: Partial<LiveRun> = {},
  {
    connection = {},
    sends = [],
  }: { connection?: Partial<ChannelConnection>; sends?: ('sent' | 'failed' | Promise<void>)[] } = {},
) {
  const clock = createFakeClock();
  const seen: string[] = [];
  const rows: { token: string; text: string | undefined; replyTo: unknown }[] = [];
  const withdrawn: number[] = [];
  const previews = createLeavingPreviews();
  const live = createLive({
    previews,
    clock,
    log: silentLog,
    random: () => 0.5,
    liveOf: (runId) => (runId.startsWith('unknown') ? undefined : { ...base, ...over, runId }),
    connection: () =>
      ({
        async edit(_to: unknown, id: string, { payload }: { payload: { text?: string } }) {
          seen.push(`edit ${id}: ${payload.text}`);
        },
        async remove(_to: unknown, id: string) {
          seen.push(`remove ${id}`);
        },
        async typing() {
          seen.push('typing');
        },
        async react(_to: unknown, id: string, emoji: string, options?: { remove?: boolean }) {
          seen.push(`${options?.remove ? 'unreact' : 'react'} ${id} ${emoji}`);
        },
        ...connection,
      }) as unknown as ChannelConnection,
    async post(_run, posted) {
      return posted.map(({ token, payload }) => rows.push({ token, text: payload.text, replyTo: payload.replyTo }));
    },
    async send(id) {
      const how = sends.shift() ?? 'sent';
      if (typeof how !== 'string') await how;
      seen.push(`send ${rows[id - 1]!.text}`);
      return how === 'failed' ? { status: 'failed', error: 'no' } : { status: 'sent', messageIds: [`p${id}`] };
    },
    withdraw: (id) => void withdrawn.push(id),
    delivered: async () => void seen.push('delivered'),
  });
  const say = (delta: string, runId = 'r'): void => live.event(runId, { type: 'text', delta });
  const end = (text = '', runId = 'r'): void =>
    live.event(runId, { type: 'ended', outcome: { kind: 'done', text, usage: noUsage } });
  return { clock, seen, rows, withdrawn, live, previews, say, end };
}
