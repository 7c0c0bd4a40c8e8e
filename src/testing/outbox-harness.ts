/** An outbox and a platform under a test's control: the sends, and the outcome of each. */
import type { ChannelCapabilities, ChannelConnection } from '../core/channel.ts';
import { AppError } from '../core/errors.ts';
import { silentLog } from '../core/log.ts';
import type { OutboxRows, OutgoingRow } from '../pipeline/delivery/outbox-rows.ts';
import { createOutboxSender } from '../pipeline/delivery/outbox-sender.ts';
import { createSendLines } from '../pipeline/delivery/send-lines.ts';
import { createFakeClock } from './fake-clock.ts';

type Answer = 'ok' | Error | Promise<unknown>;
export interface PlatformOptions {
  idempotent?: boolean;
  readBack?: (token: string) => Promise<readonly string[] | undefined>;
  edit?: (messageId: string) => Promise<void>;
  readonly maxAttempts?: number;
}

/** An outbox in memory, a platform that answers as told, and a clock that stands still. */
export function outboxHarness({ idempotent = false, readBack, edit, maxAttempts = 3 }: PlatformOptions = {}) {
  const rows = new Map<number, OutgoingRow & { error?: string; nextAt?: number }>();
  const clock = createFakeClock();
  const sent: string[] = [];
  const answers: Answer[] = [];
  const state = {
    connected: true,
    reachable: true,
    journalFails: false,
    /** Rows this run of the gateway wrote as begun. */
    begun: new Set<number>(),
    disk: undefined as PromiseWithResolvers<void> | undefined,
    /** Called when a row found nobody to take it. */ alone: undefined as (() => void) | undefined,
  };
  const set = async (id: number, over: object): Promise<void> => {
    if (state.journalFails) throw new AppError('storage', 'disk full');
    rows.set(id, { ...rows.get(id)!, ...over });
  };
  const outbox: OutboxRows = {
    async take(id) {
      const row = rows.get(id);
      return row && { row, begun: state.begun.delete(id) };
    },
    byToken: async (token) => [...rows.values()].find((row) => row.token === token),
    open: async () => [...rows.values()].filter((row) => row.state !== 'sent' && row.state !== 'failed'),
    sending: (id) => set(id, { state: 'sending', attempts: rows.get(id)!.attempts + 1 }),
    sent: (id, messageIds) => set(id, { state: 'sent', messageIds }),
    retryAt: (id, next, nextAt, error) => set(id, { state: next, nextAt, error }),
    failed: (id, error) => set(id, { state: 'failed', error }),
    synced: async () => state.disk?.promise,
  };
  const connection: ChannelConnection = {
    async send(_to, { token }) {
      sent.push(token);
      const answer = answers.shift() ?? 'ok';
      if (answer instanceof Error) throw answer;
      if (answer !== 'ok') await answer;
      return { messageIds: [`p-${token}`] };
    },
    ...(edit
      ? {
          edit: async (_to, messageId, { payload }) => {
            sent.push(`edit ${messageId}: ${payload.text}`);
            await edit(messageId);
          },
        }
      : {}),
    ...(readBack ? { readBack: (_to, token) => readBack(token) } : {}),
    probe: async () => ({ ok: state.reachable }),
    [Symbol.asyncDispose]: async () => {},
  };
  const checkpoints: string[] = [];
  const failures: string[] = [];
  const changing = new Map<string, Promise<void>>();
  const sender = createOutboxSender({
    outbox,
    log: silentLog,
    clock,
    maxAttempts,
    checkpoint: (point) => void checkpoints.push(point),
    onFailed: (row, error) => void failures.push(`${row.token}: ${error.message}`),
    previews: { settled: async (token) => changing.get(token) },
    lines: createSendLines(() => {
      if (state.connected) return { connection, capabilities: { idempotentSend: idempotent } as ChannelCapabilities };
      state.alone?.();
      return undefined;
    }),
  });
  return {
    rows,
    clock,
    sent,
    answers,
    state,
    sender,
    checkpoints,
    failures,
    changing,
    row(id: number, over: Partial<OutgoingRow> & { chat?: string } = {}): number {
      const { chat = 'c', ...rest } = over;
      rows.set(id, {
        id,
        token: `t${id}`,
        runId: `r${id}`,
        sessionKey: 's',
        address: { channel: 'pipe', accountId: 'default', chat: { kind: 'direct', id: chat } },
        payload: { kind: 'final', text: 'hi' },
        state: 'pending',
        attempts: 0,
        createdAt: 0,
        ...rest,
      });
      return id;
    },
    stateOf: (id: number) => rows.get(id)!.state,
  };
}
