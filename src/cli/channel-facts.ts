/** The parts of the `channels.status` result that commands show. */
import type { AccountStatus, ChannelsStatusResult } from '../protocol/answers/channels.ts';

export type AccountFacts = AccountStatus;
export type ChannelFacts = Pick<ChannelsStatusResult, 'channelOrder' | 'channels' | 'channelAccounts'>;

/** Every problem of every account, with where it is. */
export const problemsOf = ({
  channelOrder,
  channelAccounts,
}: ChannelFacts): readonly {
  readonly where: string;
  readonly kind: string;
  readonly message: string;
  readonly fix?: string;
}[] =>
  channelOrder.flatMap((id) =>
    (channelAccounts[id] ?? [])
      .filter(({ enabled }) => enabled)
      .flatMap(({ accountId, problems }) => problems.map((problem) => ({ where: `${id}/${accountId}`, ...problem }))),
  );
