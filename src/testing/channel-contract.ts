/** What every channel must do, run against its real protocol; a gap is declared in `capabilities`, never skipped in silence. */
import { describe } from 'node:test';
import type { ChannelPlugin } from '../core/channel.ts';
import { contractOfConnections } from './channel-contract/connections.ts';
import { contractOfInbound } from './channel-contract/inbound.ts';
import { contractOfSends } from './channel-contract/sends.ts';
import { contractOfTrouble } from './channel-contract/trouble.ts';
import type { Chat, ChannelPlatform } from './channel-platform.ts';

export interface ChannelContract {
  readonly plugin: ChannelPlugin;
  start(): Promise<ChannelPlatform>;
  readonly chats: { readonly direct: Chat; readonly group: Chat; readonly thread?: Chat };
  /** Stable ids of two people; the direct chat is Ann's. */
  readonly people: { readonly ann: string; readonly bob: string };
}

export function channelContract(contract: ChannelContract): void {
  describe(`channel ${contract.plugin.id}`, () => {
    contractOfConnections(contract);
    contractOfInbound(contract);
    contractOfSends(contract);
    contractOfTrouble(contract);
  });
}
