/** The fake Discord's answers to commands and buttons, and what its answers look like. */
import type { createGuild } from './fake-guild.ts';
import { BOT, LOADING, type Answered } from './fake-discord.ts';

export const fault = (status: number, code: number, message: string): Answered => ({ status, body: { code, message } });
export const ok = (body?: unknown): Answered => ({ status: body === undefined ? 204 : 200, body });

export function createInteractions({ blank, user }: Pick<ReturnType<typeof createGuild>, 'blank' | 'user'>) {
  const interactions = new Map<
    string,
    { readonly channel: string; readonly ephemeral: boolean; readonly shown: any[] }
  >();

  function deferred(token: string, body: any): Answered {
    const interaction = interactions.get(token);
    if (!interaction) return fault(404, 10062, 'Unknown interaction');
    if (body.type === 5)
      interaction.shown.push({
        ...blank(interaction.channel, user(BOT), ''),
        flags: LOADING | (body.data?.flags ?? 0),
      });
    return ok();
  }

  function responded(method: string, token: string, { body, at }: { body: any; at: string | undefined }): Answered {
    const interaction = interactions.get(token);
    if (!interaction) return fault(404, 10015, 'Unknown Webhook');
    if (method === 'POST') {
      interaction.shown.push({ ...blank(interaction.channel, user(BOT), body.content), flags: body.flags ?? 0 });
      return ok(interaction.shown.at(-1));
    }
    if (at !== '@original' || !interaction.shown[0]) return fault(404, 10008, 'Unknown Message');
    if (method === 'DELETE') interaction.shown.shift();
    else if (method === 'PATCH')
      Object.assign(interaction.shown[0], { content: body.content, flags: interaction.shown[0].flags & ~LOADING });
    return ok(interaction.shown[0] ?? {});
  }

  return { interactions, deferred, responded };
}
