/** Bindings while the page changes them: what they say, what differs from the saved ones, what is sent. Pure. */
import type { WrittenBinding } from '../../../protocol/access.ts';

export type Binding = WrittenBinding;

/** `keep`: its place among the saved ones; absent: it is new. */
export interface Drafted {
  readonly keep?: number;
  readonly binding: Binding;
}

export const draftOf = (saved: readonly Binding[]): readonly Drafted[] =>
  saved.map((binding, keep) => ({ keep, binding }));

export const isChanged = (draft: readonly Drafted[], saved: readonly Binding[]): boolean =>
  draft.length !== saved.length || draft.some(({ keep }, place) => keep !== place);

/** The one at `place` goes `by` places further; at an end nothing moves. */
export function moved(draft: readonly Drafted[], place: number, by: number): readonly Drafted[] {
  const one = draft[place];
  const to = place + by;
  if (!one || to < 0 || to >= draft.length) return draft;
  return draft.filter((_, index) => index !== place).toSpliced(to, 0, one);
}

/** Parameters of `agents.bindings.set`. */
export const toSend = (draft: readonly Drafted[]): readonly ({ readonly keep: number } | Binding)[] =>
  draft.map(({ keep, binding }) => (keep === undefined ? binding : { keep }));

/** How to have the saved ones back once the draft is saved: kept where they still are, written anew where not. */
export const backTo = (
  saved: readonly Binding[],
  draft: readonly Drafted[],
): readonly ({ readonly keep: number } | Binding)[] =>
  saved.map((binding, place) => {
    const keep = draft.findIndex((one) => one.keep === place);
    return keep < 0 ? binding : { keep };
  });

/** The lines of a unified diff between the saved bindings and the draft. */
export function draftDiff(
  saved: readonly Binding[],
  draft: readonly Drafted[],
  say: (binding: Binding) => string,
): string {
  const stays = longestRise(draft.flatMap(({ keep }) => (keep === undefined ? [] : [keep])));
  const lines: string[] = [];
  let next = 0;
  const goneUntil = (end: number): void => {
    for (; next < end; next++) lines.push(`-${say(saved[next]!)}`);
  };
  for (const { keep, binding } of draft) {
    if (keep === undefined || !stays.has(keep)) {
      lines.push(`+${say(binding)}`);
      continue;
    }
    goneUntil(keep);
    lines.push(` ${say(binding)}`);
    next = keep + 1;
  }
  goneUntil(saved.length);
  return lines.join('\n');
}

/** The most places that stand in rising order: what did not move. */
function longestRise(places: readonly number[]): ReadonlySet<number> {
  const best: (readonly number[])[] = [];
  for (const place of places) {
    const shorter = best.findLastIndex((chain) => chain.at(-1)! < place);
    best[shorter + 1] = [...(best[shorter] ?? []), place];
  }
  return new Set(best.at(-1) ?? []);
}

const KINDS: Readonly<Record<string, string | undefined>> = { dm: 'direct chat', direct: 'direct chat' };

/** `telegram · account work · group -100123`. */
export const placeText = ({ channel, accountId, peer, guildId, teamId, roles = [] }: Binding['match']): string =>
  [
    channel,
    accountId && accountId !== '*' ? `account ${accountId}` : '',
    guildId ? `server ${guildId}` : '',
    teamId ? `team ${teamId}` : '',
    roles.length > 0 ? `role ${roles.join(' or ')}` : '',
    peer
      ? `${peer.id === '*' ? 'every ' : ''}${KINDS[peer.kind] ?? peer.kind}${peer.id === '*' ? '' : ` ${peer.id}`}`
      : '',
  ]
    .filter(Boolean)
    .join(' · ');

/** What the form says; empty fields narrow nothing. */
export function bindingOf(written: (name: string) => string): Binding {
  const [kind, chat] = [written('peerKind'), written('peerId')];
  const extra = Object.fromEntries(
    ['accountId', 'guildId', 'teamId'].flatMap((name) => (written(name) ? [[name, written(name)] as const] : [])),
  );
  const roles = written('roles')
    .split(/[\s,]+/)
    .filter(Boolean);
  return {
    agentId: written('agentId'),
    match: {
      channel: written('channel'),
      ...extra,
      ...(roles.length > 0 ? { roles } : {}),
      ...(kind === '' ? {} : { peer: { kind: kind as 'direct' | 'group' | 'channel', id: chat || '*' } }),
    },
  };
}
