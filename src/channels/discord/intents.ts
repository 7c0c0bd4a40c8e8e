/** Selects gateway intents: only what the settings need and the application is allowed. */
import { ApplicationFlags, GatewayIntentBits, type APIApplication } from '@discordjs/core';
import type { ChannelProblem } from '../../sdk/index.ts';
import type { DiscordConfig } from './config.ts';

const mayReadContent = ({ flags }: APIApplication): boolean =>
  flags === undefined ||
  ((flags as number) & (ApplicationFlags.GatewayMessageContent | ApplicationFlags.GatewayMessageContentLimited)) !== 0;

const wantsContent = (config: DiscordConfig): boolean => config.intents?.messageContent ?? true;

/**
 * Asking for an intent the application does not have ends the connection: without it direct messages and mentions still
 * come.
 */
export function intentsOf(application: APIApplication, config: DiscordConfig): number {
  const {
    Guilds,
    GuildMessages,
    DirectMessages,
    GuildMessageReactions,
    DirectMessageReactions,
    MessageContent,
    GuildMembers,
    GuildPresences,
  } = GatewayIntentBits;
  const reactions =
    config.reactionNotifications !== 'off' ||
    Object.values(config.guilds ?? {}).some(({ reactionNotifications = 'off' }) => reactionNotifications !== 'off');
  return (
    Guilds |
    GuildMessages |
    DirectMessages |
    (reactions ? GuildMessageReactions | DirectMessageReactions : 0) |
    (wantsContent(config) && mayReadContent(application) ? MessageContent : 0) |
    (config.intents?.guildMembers ? GuildMembers : 0) |
    (config.intents?.presence ? GuildPresences : 0)
  );
}

export function contentProblem(application: APIApplication, config: DiscordConfig): ChannelProblem | undefined {
  if (!wantsContent(config) || mayReadContent(application)) return undefined;
  return {
    kind: 'intent',
    message: 'The bot cannot read messages in servers that do not mention it: the Message Content Intent is off.',
    fix:
      'Turn it on in the Discord Developer Portal (Bot, Privileged Gateway Intents) and reconnect, or set ' +
      'channels.discord.intents.messageContent to false.',
  };
}
