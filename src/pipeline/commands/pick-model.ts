/** Resolves a model from a number, a name or part of a name. Pure. */
import { nearest } from '../../config/suggest.ts';
import type { ModelService, NamedModel } from './command-host.ts';

export const refOf = ({ provider, id }: NamedModel): string => `${provider}/${id}`;

/** `others` would fit as well. */
export interface Picked {
  readonly model: NamedModel;
  readonly others: readonly NamedModel[];
}

/** Exact names first, then a word of the id, then a part of it, then the nearest spelling. */
export function pickModel(written: string, models: readonly NamedModel[]): Picked | undefined {
  const word = written.trim().toLowerCase();
  if (/^\d+$/.test(word) && models[Number(word) - 1]) return { model: models[Number(word) - 1]!, others: [] };
  for (const fits of [exactly, asWord, inside]) {
    const [model, ...others] = models.filter((one) => fits(one, word));
    if (model) return { model, others };
  }
  const near = nearest(
    word,
    models.flatMap((one) => [one.id, refOf(one), ...(one.alias ? [one.alias] : []), ...words(one)]),
  );
  return near === undefined || word.length < 4 ? undefined : pickModel(near, models);
}

const exactly = ({ alias, ...one }: NamedModel, word: string): boolean =>
  [one.id, refOf(one), alias].some((name) => name?.toLowerCase() === word);
const words = ({ id }: NamedModel): string[] =>
  id
    .toLowerCase()
    .split(/[^a-z0-9.]+/)
    .filter((part) => part.length > 2);
const asWord = (one: NamedModel, word: string): boolean => word.length > 2 && words(one).includes(word);
const inside = (one: NamedModel, word: string): boolean => word.length > 2 && refOf(one).toLowerCase().includes(word);

/** Words every conversation may begin with, though models are called so too. */
const ORDINARY = new Set([
  'chat',
  'code',
  'large',
  'latest',
  'mini',
  'small',
  'medium',
  'preview',
  'instruct',
  'think',
  'thinking',
  'reasoning',
  'vision',
  'text',
  'open',
  'echo',
  'fast',
  'pro',
  'max',
  'nano',
  'flash',
  'model',
  'concierge',
]);

/** The first word behind `/new`, when it surely names a model; anything else is what the person says. */
export async function modelForNew(word: string, { list }: Pick<ModelService, 'list'>): Promise<string | undefined> {
  const models = await list();
  const named = models.find((one) => exactly(one, word.toLowerCase()));
  if (named) return refOf(named);
  if (/^[\w.-]+\/\S+$/.test(word) && models.some(({ provider }) => word.toLowerCase().startsWith(`${provider}/`)))
    return word;
  if (!/^[\w.-]{3,}$/.test(word) || ORDINARY.has(word.toLowerCase())) return undefined;
  const family = models.find((one) => asWord(one, word.toLowerCase()));
  if (family) return refOf(family);
  // A slip of the pen is only taken for one in what looks like a model's name.
  const close = /^[^a-z]*[a-z].*[-\d]/i.test(word)
    ? nearest(
        word,
        models.map(({ id }) => id),
      )
    : undefined;
  const meant = models.find(({ id }) => id === close);
  return meant && refOf(meant);
}
