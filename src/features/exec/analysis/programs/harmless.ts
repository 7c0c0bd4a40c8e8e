/** Decides whether a program call only reads and prints data that may be read. */
import { basename, dirname } from 'node:path';
import { present } from '../../../../core/present.ts';
import { quoted } from '../reading/command-text.ts';
import { type HarmlessProfile } from './harmless-profile.ts';
import { HARMLESS, PLAIN_MULTI_CALL } from './harmless-table.ts';
import type { GitPlan } from './git/classify-git.ts';
import { readOptions } from './options.ts';
import type { Place } from './place.ts';
import { unreadable, unreadableNow } from './readable.ts';
import { RAW_CHECKS, TEXT_CHECKS, type Checked } from './word-checks.ts';

export interface Program {
  /** As the shell knows it: no slashes. */
  readonly name: string;
  readonly args: readonly string[];
  /** Undefined: the shell itself does it. */
  readonly file?: { readonly found: string; readonly real: string };
}

/**
 * `why`: the first thing that is not known to be harmless; absent: all is. `reads`: it depends on what paths lead to.
 */
export interface HarmlessCheck {
  readonly why?: string;
  readonly reads: boolean;
  /** What has to run in its place to be that. */
  readonly plan?: GitPlan;
}

const SHELL = '/bin/sh';

export async function classifyHarmless(program: Program, place: Place): Promise<HarmlessCheck> {
  const profile = Object.hasOwn(HARMLESS, program.name) ? HARMLESS[program.name] : undefined;
  const refuse = (why: string): HarmlessCheck => ({ why, reads: false });
  if (profile === undefined) return refuse(`${quoted(program.name)} is not on the read-only list.`);
  if (profile.configured && !place.context.safeBins.includes(program.name))
    return refuse(`${quoted(program.name)} is not listed in tools.exec.safeBins.`);
  if (profile.repository) return classifyReader(program, profile, place);
  const checked = profile.raw ? checkRaw(program) : checkOptions(program, profile);
  if ('why' in checked) return refuse(`${program.name}: ${checked.why}.`);
  const closed =
    (await unreadable(checked.files, place, profile.onlyFiles)) ??
    (await unreadableNow(checked.maybeFiles ?? [], place)) ??
    (await settingsOf(profile, place));
  if (closed !== undefined) return refuse(`${program.name}: ${closed}.`);
  const foreign = await untrusted(program, profile, place);
  return foreign === undefined ? { reads: checked.files.some((file) => file !== '-') } : refuse(foreign);
}

async function classifyReader(program: Program, profile: HarmlessProfile, place: Place): Promise<HarmlessCheck> {
  const { classifyGit } = await import('./git/classify-git.ts');
  const plan = await classifyGit(program.args, place);
  const why = 'why' in plan ? `${program.name}: ${plan.why}.` : await untrusted(program, profile, place);
  return 'why' in plan || why !== undefined ? present({ why, reads: false }) : { reads: true, plan };
}

function checkRaw({ name, args }: Program): Checked {
  return RAW_CHECKS[name]?.(args) ?? { why: 'its arguments cannot be interpreted' };
}

function checkOptions({ name, args }: Program, profile: HarmlessProfile): Checked {
  const read = readOptions(args, profile);
  if ('unknown' in read) return { why: `the option ${quoted(read.unknown)} is not on the list of safe options` };
  const { text = 0, textUnless = [], rest = 'none', max = Infinity, readsFolder } = profile;
  const hasOption = (names: readonly string[]): boolean => read.options.some((option) => names.includes(option.name));
  const texts = text === 'all' ? read.operands.length : hasOption(textUnless) ? 0 : text;
  const files = read.operands.slice(texts);
  if (rest === 'none' && files.length > 0)
    return {
      why: `${quoted(files[0] ?? '')} may be a file, but the program is safe only when it reads its standard input`,
    };
  if (read.operands.length + (profile.writesNext ? read.late.length : 0) > max)
    return { why: `it has more than ${max} operands` };
  const why =
    TEXT_CHECKS[name]?.(read.operands.slice(0, texts), read) ?? (name === 'awk' ? assignment(files) : undefined);
  if (why !== undefined) return { why };
  const here = files.length === 0 && readsFolder !== undefined && (readsFolder === true || hasOption(readsFolder));
  if (profile.onlyNamed && (files.length === 0 || files.includes('-')))
    return { why: 'the program is safe only on files that are given explicitly' };
  return { files: here ? ['.'] : files, maybeFiles: rest === 'files' ? read.late : [] };
}

/** Why not, one clause; undefined: there is nothing of the kind. */
async function settingsOf({ settings = [] }: HarmlessProfile, { context }: Place): Promise<string | undefined> {
  for (const name of context.home === undefined ? [] : settings)
    if ((await context.inspect(`${context.home}/${name}`)) !== undefined)
      return `it reads ~/${name}, which can change what it does`;
  return undefined;
}

const assignment = (files: readonly string[]): string | undefined =>
  files.some((file) => file.includes('=')) ? 'an argument with "=" sets a variable of its program' : undefined;

/**
 * The right program, where nobody but the system's administrator could have put another; for what the shell does
 * itself: the shell.
 */
async function untrusted(
  { name, file }: Program,
  { linkedTo = [] }: HarmlessProfile,
  { context }: Place,
): Promise<string | undefined> {
  if (file === undefined) {
    const shell = await context.locate(SHELL);
    return shell !== undefined && (await context.trusted(shell))
      ? undefined
      : 'The environment, or the owner of the shell, makes the behavior of the shell uncertain.';
  }
  const own = basename(file.real);
  const applet = (PLAIN_MULTI_CALL as readonly string[]).includes(own);
  if (own !== name && !applet && !linkedTo.includes(own)) return `${quoted(name)} is really ${file.real}.`;
  const folder = own === name ? undefined : (await context.inspect(dirname(file.found)))?.real;
  const trusted =
    (await context.trusted(file.real)) && (own === name || (folder !== undefined && (await context.trusted(folder))));
  return trusted ? undefined : `${file.real} can be replaced by users other than the system administrator.`;
}
