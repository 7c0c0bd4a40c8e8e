/** Sends to a chat without a turn: through the outbox, once per run id, recorded in the session of the chat. */
import type { ChannelConnection } from '../../core/channel.ts';
import { AppError, asAppError } from '../../core/errors.ts';
import type { ChatAddress } from '../../core/message.ts';
import { present } from '../../core/present.ts';
import type { MediaRef, ReplyPayload } from '../../core/reply.ts';
import type { SendRequest, Sent } from '../../host/channel-services.ts';
import type { OutboxRow } from '../../journal/rows.ts';
import type { Journal } from '../../journal/journal.ts';
import type { OutboxSender } from '../../pipeline/delivery/outbox-sender.ts';
import type { Clock } from '../../platform/clock.ts';
import { typeOfFile } from '../../pipeline/outbound/file-type.ts';
import { sentText, type Note } from '../../pipeline/outbound/sent-note.ts';
import { orAborted, orTimeout } from '../../platform/timeout.ts';
import { askPoll } from './ask-poll.ts';

/** After this time the caller is told that the message is still queued. */
const SEND_TIMEOUT_MS = 30_000;
/** So long the same key answers the same, also when the answer was a failure. */
const REMEMBER_MS = 5 * 60_000;

export interface ChannelSendDeps {
  readonly journal: Pick<Journal, 'outbox'>;
  readonly sender: Pick<OutboxSender, 'send'>;
  readonly clock: Clock;
  connection(address: ChatAddress): { readonly connection: ChannelConnection } | undefined;
  resolve(request: SendRequest): ChatAddress;
  sessionKeyOf(address: ChatAddress): string;
  /** One platform message each, as the channel and its settings have it. */
  plan(
    address: ChatAddress,
    payload: ReplyPayload,
    sessionKey: string,
  ): Promise<readonly ReplyPayload[]> | readonly ReplyPayload[];
  keep(file: {
    readonly data: Uint8Array;
    readonly mime: string;
    readonly name?: string;
  }): Promise<{ readonly path: string }>;
  /** Writes into the session's transcript, once per token. */
  note(note: Note): Promise<void>;
}

export function createChannelSend(deps: ChannelSendDeps): (request: SendRequest) => Promise<Sent> {
  /** By run id, oldest first. */
  const flights = new Map<string, { readonly at: number; readonly sent: Promise<Sent> }>();

  function forgetOld(): void {
    for (const [runId, { at }] of flights) {
      if (deps.clock.now() - at < REMEMBER_MS) return;
      flights.delete(runId);
    }
  }

  return (request) => {
    forgetOld();
    const known = flights.get(request.runId);
    if (known) return known.sent;
    const sent = request.poll ? ask(request, deps) : deliver(request, deps);
    flights.set(request.runId, { at: deps.clock.now(), sent });
    // A send with an open outcome is checked again, in the outbox.
    sent.catch((error: unknown) => {
      if (stillOpen(asAppError(error))) flights.delete(request.runId);
    });
    return sent;
  };
}

const stillOpen = ({ code, details }: AppError): boolean =>
  code === 'timeout' || code === 'aborted' || details?.['waiting'] === true;

async function deliver(request: SendRequest, deps: ChannelSendDeps): Promise<Sent> {
  const { runId, signal } = request;
  const address = request.address ?? deps.resolve(request);
  const sessionKey = request.sessionKey?.toLowerCase() ?? deps.sessionKeyOf(address);
  const ids = await posted({ ...request, sessionKey }, { address, deps });
  if (ids.length === 0) throw new AppError('invalid', 'Nothing to send: give a text or a file.');
  const outcomes = await patiently(Promise.all(ids.map((id) => outcomeOf(id, deps))), {
    address,
    signal,
    clock: deps.clock,
  });
  const failed = outcomes.filter(({ error }) => error !== undefined);
  if (failed.length > 0) throw refusal({ failed, all: outcomes.length, channel: address.channel });
  const messageIds = outcomes.flatMap((one) => one.messageIds);
  if (sessionKey !== request.fromSession)
    await deps.note({ token: `${runId}:send`, sessionKey, address, text: sentText(request) });
  return { messageId: messageIds[0] ?? runId, channel: address.channel, address, messageIds };
}

/** The rows of this run; those of an earlier run of it, when it has any. */
async function posted(
  request: SendRequest & { readonly sessionKey: string },
  { address, deps }: { readonly address: ChatAddress; readonly deps: ChannelSendDeps },
): Promise<readonly number[]> {
  const { runId, sessionKey, signal } = request;
  const known = (await deps.journal.outbox.ofRun(runId)).filter(({ token }) => token.startsWith(`${runId}:send:`));
  if (known.length > 0) return known.map(({ id }) => id);
  const payload = await payloadOf(request, deps);
  // Whoever names a message to answer means it, whatever the channel's habit is.
  const payloads = (await deps.plan(address, payload, sessionKey)).map((one, n) =>
    n === 0 && payload.replyTo ? { ...one, replyTo: payload.replyTo } : one,
  );
  if (signal?.aborted) throw new AppError('aborted', 'The send was cancelled; nothing was sent.');
  return payloads.length === 0
    ? []
    : deps.journal.outbox.post(
        payloads.map((one, n) => ({ token: `${runId}:send:${n}`, runId, sessionKey, address, payload: one })),
        [],
      );
}

async function payloadOf(
  { text, media = [], files = [], asVoice, replyTo }: SendRequest,
  { keep }: ChannelSendDeps,
): Promise<ReplyPayload> {
  const kept = await Promise.all(
    files.map(async ({ name, mime: claimed, data }): Promise<MediaRef> => {
      const mime = await typeOfFile(data, { name, mime: claimed });
      return {
        from: 'file',
        path: (await keep(present({ data, mime, name: name || undefined }))).path,
        mime,
        ...present({ name: name || undefined }),
      };
    }),
  );
  const all = [...media, ...kept];
  return {
    kind: 'final',
    ...present({
      text: text?.trim() ? text : undefined,
      media: all.length > 0 ? all : undefined,
      audioAsVoice: asVoice ? true : undefined,
      replyTo: replyTo !== undefined ? { id: replyTo } : undefined,
    }),
  };
}

interface RowOutcome {
  readonly messageIds: readonly string[];
  readonly error?: string;
  readonly waiting?: true;
}

/** Whoever sends it: this call, one before, or the gateway once the channel is back. */
async function outcomeOf(id: number, { sender, journal }: ChannelSendDeps): Promise<RowOutcome> {
  const outcome = await sender.send(id);
  if (outcome?.status === 'sent') return { messageIds: outcome.messageIds };
  if (outcome?.status === 'failed') return { messageIds: [], error: outcome.error };
  const row: OutboxRow | undefined = await journal.outbox.get(id);
  if (row?.state === 'sent') return { messageIds: row.messageIds ?? [] };
  if (row?.state === 'failed') return { messageIds: [], error: row.error ?? 'it was refused' };
  return { messageIds: [], error: 'it is not connected', waiting: true };
}

function refusal({
  failed,
  all,
  channel,
}: {
  readonly failed: readonly RowOutcome[];
  readonly all: number;
  readonly channel: string;
}): AppError {
  if (failed.some(({ waiting }) => waiting))
    return new AppError(
      'unavailable',
      `${channel} is not connected. The message stays in the outbox and is sent once it connects; do not send ` +
        'it again.',
      { details: { waiting: true } },
    );
  const part = all > 1 ? `${failed.length} of the ${all} parts of the message` : 'the message';
  return new AppError('unavailable', `${channel} did not take ${part}: ${failed[0]!.error}`);
}

const patiently = <T>(
  work: Promise<T>,
  {
    address,
    signal,
    clock,
  }: { readonly address: ChatAddress; readonly signal: AbortSignal | undefined; readonly clock: Clock },
): Promise<T> =>
  orTimeout(
    orAborted(work, signal, 'The send was cancelled while the message was being delivered; it stays in the outbox.'),
    {
      ms: SEND_TIMEOUT_MS,
      clock,
      error: () =>
        new AppError(
          'timeout',
          `${address.channel} has not accepted the message yet. It stays in the outbox and is retried; do not ` +
            'send it again.',
        ),
    },
  );

/** A poll has no outbox row: it is sent now or not at all, and the caller gets the outcome. */
async function ask(request: SendRequest, deps: ChannelSendDeps): Promise<Sent> {
  const address = request.address ?? deps.resolve(request);
  const live = deps.connection(address);
  if (!live) throw new AppError('unavailable', `${address.channel} is not connected; the poll was not sent.`);
  request.signal?.throwIfAborted();
  const { messageIds, pollId } = await askPoll(live.connection, {
    to: address,
    poll: request.poll!,
    token: request.runId,
  });
  const sessionKey = request.sessionKey?.toLowerCase() ?? deps.sessionKeyOf(address);
  if (sessionKey !== request.fromSession)
    await deps.note({ token: `${request.runId}:send`, sessionKey, address, text: sentText(request) });
  return present({ messageId: messageIds[0] ?? request.runId, channel: address.channel, address, messageIds, pollId });
}
