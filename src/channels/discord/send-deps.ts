/** Dependencies of sending. */
import type { ChannelAccount } from '../../sdk/index.ts';
import type { Call } from './api.ts';
import type { DiscordConfig } from './config.ts';
import type { Ledger } from './ledger.ts';
import type { Places } from './places.ts';
import type { Responses } from './responses.ts';

export interface SendDeps {
  readonly call: Call;
  readonly places: Places;
  readonly account: ChannelAccount<DiscordConfig>;
  readonly responses: Responses;
  readonly ledger: Ledger;
  readonly botId: string;
}
