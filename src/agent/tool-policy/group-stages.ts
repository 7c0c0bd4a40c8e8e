/** The stages for groups and their members, from the places in a channel's settings (`config/place-tools.ts`). Pure. */
import { formatPath, type Path } from '../../config/paths.ts';
import { isNoId, listedPlaces, type PlaceTools } from '../../config/place-tools.ts';
import { isSameId, spellings, type IdForms } from '../../core/place-key.ts';
import type { GroupPlace } from './group-place.ts';
import { matching } from './place-match.ts';
import { stageOf, type Stage, type ToolLists } from './stage.ts';

/** As much of the `channels` slice as the policy reads. */
export type GroupsByChannel = Readonly<Record<string, Readonly<Record<string, unknown>> | undefined>>;

/** A stage for each sender: a turn that several people wrote may do what all of them may. */
export function groupStages(
  channels: GroupsByChannel,
  place: GroupPlace,
  senders: readonly string[],
): readonly Stage[] {
  const channel = keyLike(channels, place.channel);
  const candidates = [channel, 'defaults'].flatMap((key) =>
    key === undefined
      ? []
      : matching(listedPlaces(channels[key]), place).map(({ listed, sure }) => ({
          ...listed,
          sure,
          path: ['channels', key, ...listed.path],
        })),
  );
  const writers: readonly (string | undefined)[] = senders.length === 0 ? [undefined] : [...new Set(senders)];
  const stages = writers.flatMap((sender) => stagesOf(candidates, { sender, ids: place.ids }));
  return [...new Map(stages.map((stage) => [JSON.stringify(stage), stage])).values()];
}

/** The first that is surely meant decides; what may be meant before it counts as well. */
function stagesOf(
  candidates: readonly { readonly path: Path; readonly limits: PlaceTools; readonly sure: boolean }[],
  whom: Whom,
): readonly Stage[] {
  const stages: Stage[] = [];
  for (const { path, limits, sure } of candidates) {
    const found = [...nameless(limits, whom), ...listsIn(limits, whom)];
    stages.push(...found.map((one) => stageOf('group', one.lists, formatPath([...path, ...one.path]))));
    if (found.length > 0 && sure) break;
  }
  return stages.length === 0 ? [stageOf('group', undefined, '')] : stages;
}

interface Whom {
  readonly sender: string | undefined;
  readonly ids: IdForms | undefined;
}

interface FoundLists {
  readonly lists: ToolLists;
  readonly path: readonly string[];
}

/** What is said of the sender comes before what is said of the whole group. */
function listsIn({ tools, toolsBySender = {} }: PlaceTools, { sender, ids }: Whom): readonly FoundLists[] {
  const named = Object.keys(toolsBySender).find(
    (written) =>
      sender !== undefined &&
      written !== '*' &&
      !isNoId(written, ids) &&
      spellings(written).some((one) => isSameId(one, sender)),
  );
  const key = named ?? (Object.hasOwn(toolsBySender, '*') ? '*' : undefined);
  if (key !== undefined) return [{ lists: toolsBySender[key]!, path: ['toolsBySender', key] }];
  return tools ? [{ lists: tools, path: ['tools'] }] : [];
}

/** Whom a name means nobody can tell: such a limit holds for everybody. */
const nameless = ({ toolsBySender = {} }: PlaceTools, { ids }: Whom): readonly FoundLists[] =>
  Object.keys(toolsBySender)
    .filter((key) => isNoId(key, ids))
    .map((key) => ({ lists: toolsBySender[key]!, path: ['toolsBySender', key] }));

/** Session keys are lower-case, ids of groups need not be. */
function keyLike(record: Readonly<Record<string, unknown>>, wanted: string): string | undefined {
  return Object.hasOwn(record, wanted)
    ? wanted
    : Object.keys(record).find((key) => key.toLowerCase() === wanted.toLowerCase());
}
