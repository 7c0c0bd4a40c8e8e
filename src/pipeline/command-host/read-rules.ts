/** Builds the rules for parsing a message's text from its channel and the configuration. */
import { aliases } from '../../agent/models/model-ref.ts';
import type { AgentsConfig } from '../../agent/config.ts';
import { settingsOf, type ChannelSections } from '../../config/channel-config.ts';
import type { ChannelCapabilities } from '../../core/channel.ts';
import type { ChatAddress } from '../../core/message.ts';
import { registersCommands } from '../commands/native-commands.ts';
import type { CommandsConfig } from '../commands/config.ts';
import type { ReadRules } from '../commands/read-said.ts';
import { COMMANDS } from '../commands/table.ts';
import type { SessionConfig } from '../../sessions/config.ts';

interface ReadConfig {
  readonly agents: AgentsConfig;
  readonly channels: ChannelSections;
  readonly commands: Pick<CommandsConfig, 'text' | 'native'>;
  readonly session: Pick<SessionConfig, 'resetTriggers'>;
}

export function readRules(
  config: ReadConfig,
  { channel, accountId }: ChatAddress,
  capabilities: ChannelCapabilities | undefined,
): ReadRules {
  const { text, native } = config.commands;
  const registered = (): boolean =>
    registersCommands(native, {
      usual: capabilities?.nativeCommands,
      own: settingsOf(config.channels, channel, accountId).commands?.native,
    });
  return {
    commands: COMMANDS,
    // Where a platform has no commands of its own, plain text is the only way to them.
    text: text || (capabilities !== undefined && !capabilities.operator && !registered()),
    resetTriggers: config.session.resetTriggers,
    modelNames: Object.keys(aliases(config)).map((name) => name.toLowerCase()),
  };
}
