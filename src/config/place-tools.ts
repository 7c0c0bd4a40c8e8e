/** Where a channel's settings limit tools by place: under `groups`, and under `channels` where the platform's places are called so. Pure. */
import { z } from 'zod';
import { toolListsSchema } from './channel-config.ts';

const placeToolsSchema = z.looseObject({ tools: toolListsSchema.optional(), toolsBySender: z.record(z.string(), toolListsSchema).optional() });
export type PlaceTools = Pick<z.output<typeof placeToolsSchema>, 'tools' | 'toolsBySender'>;

export interface ListedPlace { readonly list: 'groups' | 'channels'; readonly id: string; readonly limits: PlaceTools }

/** `settings`: one channel's. An entry that makes no sense limits to no tool at all: its channel refuses it anyhow. */
export function listedPlaces(settings: Readonly<Record<string, unknown>> | undefined): readonly ListedPlace[] {
  return (['groups', 'channels'] as const).flatMap((list) => entriesOf(settings?.[list]).map(([id, entry]) => {
    const read = placeToolsSchema.safeParse(entry);
    return { list, id, limits: read.success ? read.data : { tools: { allow: [] } } };
  }));
}

const entriesOf = (table: unknown): readonly [string, unknown][] => (typeof table === 'object' && table !== null ? Object.entries(table) : []);
