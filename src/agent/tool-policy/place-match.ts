/** Which of a channel's tool limits are about a place. Where a turn does not know enough of its place to rule a limit out, the limit counts. Pure. */
import type { ListedPlace } from '../../config/place-tools.ts';
import { normaliseAccountId } from '../../core/session-key.ts';
import type { GroupPlace } from './group-place.ts';

/** `sure`: nothing less specific is asked behind it. */
export interface Matched { readonly listed: ListedPlace; readonly sure: boolean }

interface Fit { readonly rank: number; readonly sure: boolean }

const EXACT: Fit = { rank: 3, sure: true };
const NAMED: Fit = { rank: 2, sure: true };
const EVERY: Fit = { rank: 1, sure: true };
const WHOLE: Fit = { rank: 0, sure: true };
const MAYBE: Fit = { rank: 3, sure: false };

/** The most specific first: the account's own, the server, the topic, the chat; ids before names before `*`. */
export function matching(listed: readonly ListedPlace[], place: GroupPlace): readonly Matched[] {
  return listed.flatMap((one) => {
    const fits = [accountFit(one, place), spaceFit(one, place), topicFit(one, place), chatFit(one, place)];
    if (fits.includes(undefined)) return [];
    const known = fits as readonly Fit[];
    return [{ listed: one, sure: known.every(({ sure }) => sure), rank: known.reduce((sum, { rank }) => sum * 5 + rank, 0) }];
  }).sort((a, b) => b.rank - a.rank);
}

function accountFit({ account }: ListedPlace, { accountId }: GroupPlace): Fit | undefined {
  if (account === undefined) return WHOLE;
  if (accountId === undefined) return MAYBE;
  return account.trim().toLowerCase() === normaliseAccountId(accountId) ? EXACT : undefined;
}

function spaceFit({ space }: ListedPlace, { spaceId, names }: GroupPlace): Fit | undefined {
  if (space === undefined) return WHOLE;
  if (space === '*') return EVERY;
  if (spaceId === undefined) return MAYBE;
  return bare(space) === spaceId.toLowerCase() ? EXACT : nameFit(space, names?.space);
}

function topicFit({ topic }: ListedPlace, { threadId }: GroupPlace): Fit | undefined {
  if (topic === undefined) return WHOLE;
  return threadId !== undefined && topic.toLowerCase() === threadId.toLowerCase() ? EXACT : undefined;
}

/** Where threads have ids like chats, one may be listed by its own. */
function chatFit({ chat, path }: ListedPlace, { id, threadId, names }: GroupPlace): Fit | undefined {
  if (chat === undefined) return WHOLE;
  if (chat === '*') return EVERY;
  const known = bare(chat);
  if (known === bare(id)) return EXACT;
  if (threadId !== undefined && known === threadId.toLowerCase()) return { ...EXACT, rank: 4 };
  // Under `groups` every channel asks for ids; a name there is written as one.
  return names?.chat === undefined && path.includes('groups') && !chat.startsWith('#') ? undefined : nameFit(chat, names?.chat);
}

/** A key that is the id of another place fits none; one that is a name fits the place called so, and any whose name nobody told. */
function nameFit(key: string, name: string | undefined): Fit | undefined {
  if (name !== undefined) return slug(key) !== '' && slug(key) === slug(name) ? NAMED : undefined;
  return looksLikeId(key) ? undefined : MAYBE;
}

const bare = (key: string): string => key.trim().toLowerCase().replace(/^[a-z]+:(?=[^:]+$)/, '').replace(/^channel:/, '').replace(/^#/, '');
const slug = (name: string): string => bare(name).replace(/[\s_]+/g, '-').replace(/[^\p{L}\p{N}-]+/gu, '').replace(/-+/g, '-').replace(/^-|-$/g, '');

const MOST_KEY = 200;

/** Numbers, the capitals with digits of Slack, addresses, long keys; everything else may be somebody's name for a place. */
const looksLikeId = (key: string): boolean => key.length > MOST_KEY || /^(?:-?\d+|(?=.*\d)[A-Z0-9]{6,}|[^\s#]+[:@]\S*[.\d]\S*|[^\s#-]{20,})$/.test(key.trim());
