/**
 * Selects the tool limits of a channel that apply to a place. A limit also applies if the turn has too few facts to
 * rule it out. Pure.
 */
import type { ListedPlace } from '../../config/place-tools.ts';
import { isSameId, placeSlug, readPlaceKey } from '../../core/place-key.ts';
import { normaliseAccountId } from '../../core/session-key.ts';
import type { GroupPlace } from './group-place.ts';

/** `sure`: nothing less specific is asked behind it. */
export interface Matched {
  readonly listed: ListedPlace;
  readonly sure: boolean;
}

interface Fit {
  readonly rank: number;
  readonly sure: boolean;
}

const EXACT: Fit = { rank: 3, sure: true };
const NAMED: Fit = { rank: 2, sure: true };
const EVERY: Fit = { rank: 1, sure: true };
const WHOLE: Fit = { rank: 0, sure: true };
const MAYBE: Fit = { rank: 3, sure: false };

/** The most specific first: the account's own, the server, the topic, the chat; ids before names before `*`. */
export function matching(listed: readonly ListedPlace[], place: GroupPlace): readonly Matched[] {
  return listed
    .flatMap((one) => {
      const fits = [accountFit(one, place), spaceFit(one, place), topicFit(one, place), chatFit(one, place)];
      if (fits.includes(undefined)) return [];
      const known = fits as readonly Fit[];
      return [
        {
          listed: one,
          sure: known.every(({ sure }) => sure),
          rank: known.reduce((sum, { rank }) => sum * 5 + rank, 0),
        },
      ];
    })
    .sort((a, b) => b.rank - a.rank);
}

function accountFit({ account }: ListedPlace, { accountId }: GroupPlace): Fit | undefined {
  if (account === undefined) return WHOLE;
  if (accountId === undefined) return MAYBE;
  return account.trim().toLowerCase() === normaliseAccountId(accountId) ? EXACT : undefined;
}

function spaceFit({ space }: ListedPlace, { channel, spaceId, names, ids }: GroupPlace): Fit | undefined {
  if (space === undefined) return WHOLE;
  const key = readPlaceKey(space, ids?.space ?? LIKE_ID, channel);
  if (key.kind === 'every') return EVERY;
  if (spaceId === undefined) return MAYBE;
  if (isSameId(space.trim(), spaceId)) return EXACT;
  return key.kind === 'id' ? idFit(key.id, spaceId) : nameFit(key.name, names?.space);
}

function topicFit({ topic }: ListedPlace, { threadId }: GroupPlace): Fit | undefined {
  if (topic === undefined) return WHOLE;
  return threadId !== undefined && topic.toLowerCase() === threadId.toLowerCase() ? EXACT : undefined;
}

/** Where threads have ids like chats, one may be listed by its own. */
function chatFit({ chat, path }: ListedPlace, { channel, id, threadId, names, ids }: GroupPlace): Fit | undefined {
  if (chat === undefined) return WHOLE;
  const key = readPlaceKey(chat, ids?.chat ?? LIKE_ID, channel);
  if (key.kind === 'every') return EVERY;
  if (isSameId(chat.trim(), id)) return EXACT;
  if (key.kind === 'id')
    return idFit(key.id, id) ?? (threadId === undefined ? undefined : idFit(key.id, threadId) && { ...EXACT, rank: 4 });
  // Under `groups` every channel asks for ids; a name there is written as one.
  return names?.chat === undefined && path.includes('groups') && !chat.startsWith('#')
    ? undefined
    : nameFit(key.name, names?.chat);
}

const idFit = (key: string, id: string): Fit | undefined => (isSameId(key, id) ? EXACT : undefined);

/** A key that is a name matches places with that name, and places whose name is unknown. */
function nameFit(key: string, name: string | undefined): Fit | undefined {
  if (name === undefined) return key.length > MAX_KEY ? undefined : MAYBE;
  return placeSlug(key) !== '' && placeSlug(key) === placeSlug(name) ? NAMED : undefined;
}

const MAX_KEY = 200;

/** Where the channel's own forms are not known: numbers, the capitals with digits of Slack, addresses, long keys. */
const LIKE_ID = /^(?:-?\d+|(?=.*\d)[A-Z0-9]{6,}|[^\s#]+[:@]\S*[.\d]\S*|[^\s#-]{20,})$/;
