/**
 * Finds the reason for a refused action, which Discord does not give: a missing permission of the bot, or a role that
 * is too low.
 */
import { AppError, type ChannelAction } from '../../sdk/index.ts';
import type { Acting } from './acting.ts';
import { CODE, codeOf } from './errors.ts';
import { missingOf, type PermissionName } from './permissions.ts';
import { createVisibility, rightsThere, type Ground } from './visibility.ts';

interface Refused {
  readonly act: Acting;
  readonly action: ChannelAction;
}

/** The error with what the bot lacks; the same one where that cannot be found out. */
export async function explainRefusal(thrown: unknown, refused: Refused): Promise<unknown> {
  const code = codeOf(thrown);
  if (code !== CODE.missingPermissions && code !== CODE.missingAccess) return thrown;
  const { action, act } = refused;
  try {
    const lacks = await lacksOf(refused);
    if (lacks.length > 0)
      return denial(
        `The bot may not ${action.name} there: it lacks ${lacks.join(', ')}. Give its role these permissions in the ` +
          'server or in this channel.',
        thrown,
      );
    if (code === CODE.missingPermissions && action.moderates !== undefined)
      return denial(
        `The bot has the permission to ${action.name} there, and still may not: move its role above the roles of ` +
          'whom this is about, in the settings of the server.',
        thrown,
      );
  } catch (error) {
    act.account.log.debug('discord.permissions', { action: action.name, error });
  }
  return thrown;
}

const denial = (message: string, cause: unknown): AppError =>
  new AppError('denied', message, { cause, details: { discordCode: codeOf(cause) } });

async function lacksOf({ act, action }: Refused): Promise<readonly string[]> {
  // What the bot wrote itself it may always delete.
  const others = action.name === 'delete' ? ['ManageMessages'] : [];
  const wanted = ['ViewChannel', ...[action.moderates ?? action.needs ?? []].flat(), ...others] as PermissionName[];
  const ground = await groundOf({ act, action });
  if (ground === undefined) return ['ViewChannel'];
  const visibility = createVisibility({ call: act.call, signal: act.action.signal });
  return missingOf(await visibility.rightsOf(act.botId, ground), rightsThere(ground, [...new Set(wanted)]));
}

/** Undefined: the bot cannot even open the channel. */
async function groundOf({ act, action }: Refused): Promise<Ground | undefined> {
  const visibility = createVisibility({ call: act.call, signal: act.action.signal });
  if ('guildId' in action.parameters) return visibility.guildGround(await act.guild());
  try {
    return await visibility.ground(await act.channel());
  } catch (error) {
    if (error instanceof AppError && error.code === 'denied') return undefined;
    throw error;
  }
}
