/** Adds, removes and reads the bot's reactions. */
import { AppError } from '../../sdk/index.ts';
import { listOf, millisOf, recordOf, textOf, type Answer } from './answer.ts';
import type { Api } from './api.ts';
import { emojiName } from './emoji.ts';
import { wordOf } from './errors.ts';

export interface Spot {
  readonly channel: string;
  readonly timestamp: string;
}

export async function react(
  api: Api,
  spot: Spot,
  { emoji, remove, selfId }: { readonly emoji: string; readonly remove: boolean; readonly selfId: string },
): Promise<void> {
  if (millisOf(spot.timestamp) === undefined)
    throw new AppError('not_found', 'Slack supports reactions to messages only, not to commands or clicks.');
  if (emoji !== '') return remove ? take(api, spot, emojiName(emoji)) : add(api, spot, emojiName(emoji));
  if (!remove) throw new AppError('invalid', 'Slack needs an emoji to react with, such as 👍 or thumbsup.');
  const mine = (await reactionsOf(api, spot)).filter(({ users }) => Array.isArray(users) && users.includes(selfId));
  for (const { name } of mine) await take(api, spot, textOf(name) ?? '');
}

export const reactionsOf = async (api: Api, spot: Spot): Promise<readonly Answer[]> =>
  listOf(recordOf((await api.call('reactions.get', { ...spot, full: true }))['message'])['reactions']);

const add = (api: Api, spot: Spot, name: string): Promise<void> =>
  settled(() => api.call('reactions.add', { ...spot, name }), 'already_reacted');
const take = (api: Api, spot: Spot, name: string): Promise<void> =>
  settled(() => api.call('reactions.remove', { ...spot, name }), 'no_reaction');

/** What was so before is as good as done. */
async function settled(run: () => Promise<unknown>, word: string): Promise<void> {
  try {
    await run();
  } catch (error) {
    if (wordOf(error) !== word) throw error;
  }
}
