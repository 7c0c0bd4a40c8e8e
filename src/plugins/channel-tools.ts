/** The tools of channel plugins, offered where the channel is used. Pure. */
import type { ChannelPlugin } from '../core/channel.ts';
import type { Tool } from '../core/tool.ts';

export const toolsOfChannel = ({ id, tools = [] }: ChannelPlugin): readonly Tool[] =>
  tools.map(
    (tool): Tool => ({
      ...tool,
      available: (where) =>
        (where.channels ?? []).some((channel) => channel.id === id) && (tool.available?.(where) ?? true),
    }),
  );
