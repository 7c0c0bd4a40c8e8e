/** Resolves the commands of a line in order, taking into account the effect of earlier ones. */
import { present } from '../../../core/present.ts';
import type { Segment } from './analysis.ts';
import { changeFolder } from './change-folder.ts';
import type { Place } from './programs/place.ts';
import type { Pipeline } from './reading/read-script.ts';
import { resolveCommand } from './resolve-command.ts';
import type { ResolvedPipeline, Runnable } from './resolved.ts';

type ResolvedScript =
  | { readonly resolved: readonly ResolvedPipeline[] }
  | { readonly why: readonly string[]; readonly missing?: string };

export async function resolveScript(pipelines: readonly Pipeline[], start: Place): Promise<ResolvedScript> {
  const why = new Set<string>();
  const resolved: ResolvedPipeline[] = [];
  let place = start;
  let calm = true;
  let absent: string | undefined;
  // Nothing but changes of the folder so far, each of which has to work.
  let first = true;
  for (const [index, pipeline] of pipelines.entries()) {
    const moved = await changeFolder(pipelines, index, { place, calm });
    if (moved !== undefined && 'why' in moved) why.add(moved.why);
    else if (moved !== undefined) place = moved.place;
    const { commands, missing } =
      moved === undefined
        ? await resolveAll(pipeline, place, why)
        : { commands: 'why' in moved ? [] : [moved.command] };
    // Commands before it could have made it, and `||` or `!` may count on it not being there.
    if (missing !== undefined && first && !pipeline.negated && pipelines[index + 1]?.join !== '||') absent = missing;
    first &&= moved !== undefined && !('why' in moved);
    calm &&= commands.every(({ segment }) => segment.harmless);
    resolved.push({ ...pipeline, commands: calm ? commands : commands.map(afterTheOthers) });
  }
  return why.size > 0 ? { why: [...why], ...present({ missing: absent }) } : { resolved };
}

async function resolveAll(
  { commands }: Pipeline,
  place: Place,
  why: Set<string>,
): Promise<{ readonly commands: readonly Runnable[]; readonly missing?: string }> {
  let missing: string | undefined;
  const runnable: Runnable[] = [];
  for (const [index, { words, redirects }] of commands.entries()) {
    const command = await resolveCommand(words, place);
    if ('why' in command) {
      why.add(command.why);
      if (command.missing) missing ??= command.why;
    } else
      runnable.push({
        ...command,
        redirects,
        segment: index === 0 ? command.segment : { ...command.segment, fed: true },
      });
  }
  return present({ commands: runnable, missing });
}

/**
 * What a path leads to was looked up before the line runs; another command of the line could make it lead elsewhere.
 */
function afterTheOthers(command: Runnable): Runnable {
  if (!command.reads) return command;
  const segment: Segment = {
    ...command.segment,
    harmless: false,
    why: 'Another command in this line can change which files it reads.',
  };
  return { ...command, segment };
}
