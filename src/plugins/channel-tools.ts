/** The tools a channel brings along, offered where that channel is in use. Pure. */
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
