/** Reads messages that an earlier connection left in the spool. */
import type { Log } from '../../sdk/index.ts';
import type { BaileysParts } from './begin-socket.ts';
import type { WaMessage } from './content.ts';
import { libraryLog } from './library-log.ts';
import type { SignalRepository } from './library.ts';
import type { LinkedDevice } from './linked-device.ts';

const NO_MAPPING = { getLIDForPN: async () => undefined, storeLIDPNMappings: async () => undefined };

/** Oldest first; broken ones are skipped. */
export async function readLeft(
  { library, spool }: Pick<BaileysParts, 'library' | 'spool'>,
  device: LinkedDevice,
  log: Log,
): Promise<readonly WaMessage[]> {
  const { id, lid = '' } = device.creds.me!;
  const open = async (bytes: Uint8Array): Promise<Uint8Array> => bytes;
  const repository: SignalRepository & { processSenderKeyDistributionMessage(): Promise<void> } = {
    decryptMessage: ({ ciphertext }) => open(ciphertext),
    decryptGroupMessage: ({ msg }) => open(msg),
    processSenderKeyDistributionMessage: async () => undefined,
    lidMapping: Object.assign({ getPNForLID: async () => undefined }, NO_MAPPING),
  };
  const messages: WaMessage[] = [];
  for (const node of await spool.left()) {
    try {
      const { fullMessage, decrypt } = library.decryptMessageNode(node, id, lid, repository, libraryLog(log));
      await decrypt();
      library.cleanMessage(fullMessage, id, lid);
      messages.push(fullMessage);
    } catch (error) {
      if (!(error instanceof Error)) throw error;
      log.warn('whatsapp.spool-broken', { reason: error.message });
      await spool.settle(node.attrs['id'] ?? '');
    }
  }
  return messages;
}
