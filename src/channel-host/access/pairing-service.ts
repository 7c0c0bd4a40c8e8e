/** Serves pairing requests and the owner's decisions; an approved person gets a message that survives a crash. */
import { AppError } from '../../core/errors.ts';
import type { Log } from '../../core/log.ts';
import type { ChatAddress } from '../../core/message.ts';
import { present } from '../../core/present.ts';
import { DEFAULT_ACCOUNT_ID } from '../../core/product.ts';
import type { PairingRequestView, PairingService } from '../../host/channel-services.ts';
import type { Journal } from '../../journal/journal.ts';
import { PAIRING_TTL_MS, type ChannelRequest, type PairingStore } from '../../pipeline/access/pairing-store.ts';
import { PAIRED_TEXT, pairedToken } from '../../pipeline/access/pairing-text.ts';
import { PUBLIC_COMMAND } from '../../platform/own-command.ts';

export interface PairingServiceDeps {
  readonly store: PairingStore;
  readonly journal: Pick<Journal, 'outbox'>;
  readonly sender: { send(id: number): Promise<unknown> };
  readonly log: Log;
  /** The channel's id for any name it goes by. */
  channelId(name: string): Promise<string>;
  sessionKeyOf(address: ChatAddress): string;
}

export function createPairingService({
  store,
  journal,
  sender,
  log,
  channelId,
  sessionKeyOf,
}: PairingServiceDeps): PairingService {
  /** The person is notified once, even if the gateway is killed meanwhile. */
  async function notify(request: ChannelRequest): Promise<void> {
    const token = pairedToken(request);
    const address: ChatAddress = {
      channel: request.channel,
      accountId: request.accountId ?? DEFAULT_ACCOUNT_ID,
      chat: { kind: 'direct', id: request.chatId ?? request.id },
    };
    const [id] = await journal.outbox.post(
      [
        {
          token,
          runId: token,
          sessionKey: sessionKeyOf(address),
          address,
          payload: { kind: 'notice', text: PAIRED_TEXT },
        },
      ],
      [],
    );
    sender.send(id!).catch((error: unknown) => log.warn('pairing.notice', { token, error }));
  }

  return {
    list: async (channel) =>
      (await store.pending(channel === undefined ? undefined : await channelId(channel))).map(view),
    async approve(channel, code, as) {
      const id = await channelId(channel);
      const request = (await store.approve(id, code, as)) ?? unknown(id);
      log.info('pairing.approved', present({ channel: id, sender: request.id, owner: as?.owner ? true : undefined }));
      await notify(request);
      return view(request);
    },
    async reject(channel, code) {
      const id = await channelId(channel);
      const request = (await store.reject(id, code)) ?? unknown(id);
      log.info('pairing.rejected', { channel: id, sender: request.id });
      return view(request);
    },
    approved: async (channel) =>
      (await store.allowed(await channelId(channel))).map(({ id, name, at }) => present({ id, name, at })),
    revoke: async (channel, id) => store.revoke(await channelId(channel), id),
    subscribe: (listener) =>
      store.subscribe((news) =>
        listener(
          'requested' in news
            ? { requested: view(news.requested) }
            : { resolved: view(news.resolved), decision: news.decision },
        ),
      ),
  };
}

function unknown(channel: string): never {
  throw new AppError(
    'not_found',
    `No pending request with that code on ${channel}. Codes expire after one hour; \`${PUBLIC_COMMAND} pairing ` +
      `list ${channel}\` lists the pending requests.`,
  );
}

const view = ({
  channel,
  accountId = DEFAULT_ACCOUNT_ID,
  id,
  code,
  name,
  handle,
  createdAt,
  lastSeenAt,
}: ChannelRequest): PairingRequestView =>
  present({ channel, accountId, id, code, createdAt, lastSeenAt, expiresAt: createdAt + PAIRING_TTL_MS, name, handle });
