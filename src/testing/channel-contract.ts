/**
 * The contract suite of channels, run against the real protocol. A missing function must be declared in `capabilities`.
 */
import { describe } from 'node:test';
import { contractOfBadInput } from './channel-contract/bad-input.ts';
import { contractOfConnections } from './channel-contract/connections.ts';
import { contractOfInbound } from './channel-contract/inbound.ts';
import { contractOfSends } from './channel-contract/sends.ts';
import { contractOfFailures } from './channel-contract/failures.ts';
import type { ChannelContract } from './channel-contract/contract.ts';

export function channelContract(contract: ChannelContract): void {
  describe(`channel ${contract.plugin.id}`, () => {
    contractOfConnections(contract);
    contractOfInbound(contract);
    contractOfSends(contract);
    contractOfFailures(contract);
    contractOfBadInput(contract);
  });
}
