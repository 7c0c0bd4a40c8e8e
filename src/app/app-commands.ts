/** What slash commands act on, put together from the parts of the app. */
import type { Children } from '../host/children.ts';
import type { RequestRestart } from '../host/restart.ts';
import { PRODUCT_LABEL } from '../core/product.ts';
import { createBashDesk } from '../pipeline/command-host/bash-desk.ts';
import { createCommandHost } from '../pipeline/command-host/create-command-host.ts';
import { senderEntry } from '../pipeline/command-host/sender-entry.ts';
import { createCommandHands } from './hands/command-hands.ts';
import { restartRules } from '../host/reload-rules.ts';
import { statusText } from '../pipeline/command-host/status-card.ts';
import type { createTurnSetting } from '../agent/turn/turn-setting.ts';
import type { Config } from '../schema.ts';
import type { ChannelPlugin } from '../core/channel.ts';
import type { AppDeps } from './app-deps.ts';
import type { CommandHostDeps } from '../pipeline/command-host/create-command-host.ts';
import type { Hands } from './hands/hands.ts';
import type { Reaches } from './hands/reach.ts';
import type { SessionFacts } from '../pipeline/command-host/status-card.ts';
import type { Toolbox } from '../agent/toolbox/toolbox.ts';

export interface AppCommandsParts
  extends Pick<CommandHostDeps, 'sessions' | 'models' | 'log' | 'clock' | 'lanes' | 'inbound'> {
  readonly deps: AppDeps;
  config(): Config;
  readonly parts: {
    readonly hands: Hands;
    readonly children: Children;
    readonly toolbox: Toolbox;
    readonly reaches: Reaches;
    readonly turnSetting: ReturnType<typeof createTurnSetting>;
    readonly requestRestart: RequestRestart;
    facts(key: string): Promise<SessionFacts>;
  };
  readonly going: AbortSignal;
  readonly channels: { ids(): readonly string[]; active(): readonly ChannelPlugin[] };
}

export function createAppCommands({ deps, parts, lanes, inbound, going, channels, ...common }: AppCommandsParts) {
  const { hands, children, toolbox, reaches, turnSetting, requestRestart, facts } = parts;
  const { sessions, models, config, clock } = common;
  return createCommandHost({
    ...common,
    hands: createCommandHands({ hands, sessions, config }),
    lanes,
    inbound,
    store: deps.config,
    needsRestart: restartRules(deps.features),
    prepare: turnSetting.prepare,
    requestRestart,
    stopChildren: children.stop,
    subagents: children.of,
    skills: turnSetting.skillsOf,
    bash: createBashDesk({ models, sessions, toolbox, reaches, place: hands.place, going: () => going }),
    channelIds: () => channels.ids(),
    senderEntry: (channel, entry) =>
      senderEntry(
        channels.active().find(({ id }) => id === channel),
        entry,
      ),
    statusCard: async (key, whole) => statusText(await facts(key), PRODUCT_LABEL, clock.now(), whole),
  });
}
