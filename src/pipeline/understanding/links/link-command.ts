/**
 * The command line of an entry for one link: where its program is, and its arguments with the placeholders filled in.
 */
import type { LinkEntry } from '../../../config/understanding-config.ts';
import { findProgram } from '../../../platform/exec.ts';
import { fillTemplate, type TemplateContext } from '../template.ts';

/** Programs that come along, by the name a configuration calls them. */
export type OwnPrograms = Readonly<Record<string, { readonly command: string; readonly args: readonly string[] }>>;

export interface CommandLine {
  readonly command: string;
  readonly args: readonly string[];
}

/**
 * What is on `PATH` outranks what comes along. A program nobody finds stands as it is; starting it says what is wrong.
 */
export async function commandLine(
  entry: LinkEntry,
  { context, path, own }: { context: TemplateContext; path: string | undefined; own: OwnPrograms },
): Promise<CommandLine> {
  const args = entry.args.map((arg) => fillTemplate(arg, context));
  const found = await findProgram(entry.command, path);
  if (found) return { command: found, args };
  const shipped = Object.hasOwn(own, entry.command) ? own[entry.command] : undefined;
  return shipped ? { command: shipped.command, args: [...shipped.args, ...args] } : { command: entry.command, args };
}
