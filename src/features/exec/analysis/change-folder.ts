/**
 * Handles `cd`, which changes the meaning of later paths; it is understood only if later commands depend on its
 * success.
 */
import { pathAt, type Place } from './programs/place.ts';
import type { Pipeline } from './reading/read-script.ts';
import type { Runnable, Unproven } from './resolved.ts';

/** `calm`: nothing before it changes files, so what is there now is what it will find. */
interface From {
  readonly place: Place;
  readonly calm: boolean;
}

/**
 * Undefined: the pipeline is no `cd`. The place is the one of all that follows; its folder is unknown where it may not
 * be there yet.
 */
type Change = { readonly command: Runnable; readonly place: Place } | Unproven;

export async function changeFolder(
  pipelines: readonly Pipeline[],
  index: number,
  { place, calm }: From,
): Promise<Change | undefined> {
  const { commands = [], negated } = pipelines[index] ?? {};
  const command = commands.find(({ words }) => words[0] === 'cd');
  if (command === undefined) return undefined;
  if (commands.length > 1) return { why: '"cd" in a pipe does not change the folder of later commands.' };
  const target = folderOf(command.words);
  if (target === undefined)
    return { why: 'The target of "cd" is not a literal folder, so it is unknown before the command runs.' };
  if (negated || !certain(pipelines, index))
    return { why: 'The folder of the later commands is not certain; join them to "cd" with "&&".' };
  const path = calm ? pathAt(target, place) : undefined;
  const found = path === undefined ? undefined : await place.context.inspect(path);
  const cwd = found?.kind === 'directory' ? found.real : undefined;
  const runs = ['cd', cwd ?? (/^(?:\/|\.\.?(?:\/|$))/.test(target) ? target : `./${target}`)];
  const segment = { argv: command.words, builtin: true, wrappers: [], harmless: true, interpreter: false } as const;
  return { command: { segment, reads: false, runs, redirects: command.redirects }, place: { ...place, cwd } };
}

function folderOf(words: readonly string[]): string | undefined {
  const [target, ...more] = words[1] === '--' ? words.slice(2) : words.slice(1);
  return target === undefined || target === '' || target.startsWith('-') || more.length > 0 ? undefined : target;
}

/** It runs for sure, and nothing behind it runs unless it worked. */
function certain(pipelines: readonly Pipeline[], index: number): boolean {
  const behind = pipelines.slice(index + 1);
  const start = pipelines.findLastIndex(({ join }, at) => at <= index && (join === ';' || join === ''));
  return [...pipelines.slice(start + 1, index + 1), ...behind].every(({ join }) => join === '&&');
}
