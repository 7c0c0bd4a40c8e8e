/** Resolves one command to the program that would run: found, unwrapped, classified, and rewritten for the plan. */
import { basename, dirname } from 'node:path';
import { present } from '../../../core/present.ts';
import type { Segment } from './analysis.ts';
import { classifyHarmless, type HarmlessCheck } from './programs/harmless.ts';
import { pathAt, type Place } from './programs/place.ts';
import { runsCode } from './programs/runs-code.ts';
import { readOptions } from './programs/options.ts';
import { inside, rootsOf } from './programs/readable.ts';
import { WRAPPERS } from './programs/wrapper-table.ts';
import { quoted } from './reading/command-text.ts';
import type { Resolved, Unproven } from './resolved.ts';
import { SHELL_ITSELF, shellCommand } from './shell-commands.ts';

type Wrapper = Segment['wrappers'][number];
interface Inner {
  readonly wrappers: readonly Wrapper[];
  readonly quiet: boolean;
  readonly before: readonly string[];
}

const MAX_WRAPPERS = 8;
const PRINTABLE = /^[\x21-\x7E][\x20-\x7E]*$/;

/** `words`: at least one, every one literal. */
export async function resolveCommand(written: readonly string[], place: Place): Promise<Resolved | Unproven> {
  const words = withoutCommand(written);
  const [name = ''] = words;
  if (!PRINTABLE.test(name))
    return {
      why:
        name === ''
          ? 'It starts a program with an empty name.'
          : `The name ${quoted(name)} contains look-alike characters.`,
    };
  const resolved =
    (await shellCommand(words, place)) ??
    (await resolveProgram(words, place, { wrappers: [], quiet: true, before: [] }));
  return 'why' in resolved || place.cwd === undefined
    ? resolved
    : { ...resolved, segment: { ...resolved.segment, cwd: place.cwd } };
}

/** `command ls` is `ls`; a plan knows no functions it could mean instead. */
function withoutCommand(words: readonly string[]): readonly string[] {
  const first = words.findIndex(
    (word, index) => word !== 'command' || words[index + 1] === undefined || words[index + 1]?.startsWith('-'),
  );
  return words.slice(Math.max(0, first));
}

async function resolveProgram(words: readonly string[], place: Place, inner: Inner): Promise<Resolved | Unproven> {
  const [name = '', ...args] = words;
  const file = await fileOf(name, place);
  if ('why' in file) return file;
  const started = basename(file.found) === basename(file.real) ? file.real : file.found;
  const wrapped = unwrap(words, file);
  const loose = await replaceable(started, place);
  if (!loose && wrapped?.rest !== undefined && inner.wrappers.length < MAX_WRAPPERS) {
    const own = words.slice(0, words.length - wrapped.rest.length);
    const quiet = inner.quiet && wrapped.quiet && (await place.context.trusted(file.real));
    const wrappers = [...inner.wrappers, { argv: own, path: file.real }];
    return resolveProgram(wrapped.rest, place, {
      wrappers,
      quiet,
      before: [...inner.before, started, ...own.slice(1)],
    });
  }
  const { plan, ...evaluated } = await classify({
    words,
    file,
    place,
    inner,
    anything: loose || wrapped !== undefined,
  });
  return { ...evaluated, runs: [...inner.before, started, ...(plan?.args ?? args)], ...present({ env: plan?.env }) };
}

interface File {
  readonly found: string;
  readonly real: string;
}

/** By `PATH`, or by the path it is given. */
async function fileOf(name: string, place: Place): Promise<File | Unproven> {
  if (name.includes('=')) return { why: `${quoted(name)} sets a variable for a program.` };
  if (!PRINTABLE.test(name)) return { why: `The name ${quoted(name)} contains look-alike characters.` };
  if (SHELL_ITSELF.has(name)) return { why: `${quoted(name)} is a shell builtin, which other programs cannot start.` };
  const wanted = name.includes('/') ? pathAt(name, place) : name;
  if (wanted === undefined) return { why: `The file that ${quoted(name)} refers to depends on earlier commands.` };
  const [found, real] = await Promise.all([place.context.find(wanted), place.context.locate(wanted)]);
  if (found !== undefined && real !== undefined) return { found, real };
  const there = name.includes('/') && (await place.context.inspect(wanted))?.kind === 'file';
  return {
    why: there ? `${quoted(name)} exists but is not executable.` : `Program ${quoted(name)} not found.`,
    missing: true,
  };
}

/**
 * `rest`: the command it starts; undefined: there is one, but its own options hide it. Nothing: it is no wrapper, or
 * starts nothing.
 */
function unwrap(
  [name = '', ...args]: readonly string[],
  { real }: File,
): { readonly rest: readonly string[] | undefined; readonly quiet: boolean } | undefined {
  const profile = [basename(real), basename(name)].flatMap((each) =>
    Object.hasOwn(WRAPPERS, each) ? (WRAPPERS[each] ?? []) : [],
  )[0];
  if (profile === undefined || args.length === 0) return undefined;
  const read = readOptions(args, { ...profile, leading: true });
  if ('unknown' in read) return { rest: undefined, quiet: false };
  const rest = read.operands.slice(profile.operands ?? 0);
  if (rest.length === 0) return undefined;
  return { rest: rest[0]?.startsWith('-') ? undefined : rest, quiet: profile.quiet === true };
}

/** `anything`: it starts a program that could not be read, or is one the assistant could have made. */
interface Case {
  readonly words: readonly string[];
  readonly file: File;
  readonly place: Place;
  readonly inner: Inner;
  readonly anything: boolean;
}

async function classify({
  words,
  file,
  place,
  inner,
  anything,
}: Case): Promise<Omit<Resolved, 'runs' | 'env'> & Pick<HarmlessCheck, 'plan'>> {
  const [name = '', ...args] = words;
  const { why, reads, plan } = await classifyHarmless({ name: basename(name), args, file }, place);
  // A wrapper may take the variables away that its judgement rests on.
  const reason =
    why ??
    (inner.quiet && !(plan && inner.wrappers.length > 0)
      ? undefined
      : `${quoted(inner.wrappers[0]?.argv[0] ?? '')} does more than start it.`);
  const found = { argv: words, path: file.real, builtin: false, wrappers: inner.wrappers };
  if (reason === undefined)
    return { reads, segment: { ...found, harmless: true, interpreter: false }, ...present({ plan }) };
  return {
    reads,
    segment: { ...found, harmless: false, interpreter: anything || runsCode([name, file.real], args), why: reason },
  };
}

/** A program, or a link to one, where the assistant writes its files is whatever the assistant makes of it. */
async function replaceable(path: string, { context }: Place): Promise<boolean> {
  const folder = (await context.inspect(dirname(path)))?.real;
  return folder === undefined || (inside(folder, await rootsOf(context)) && !(await context.trusted(folder)));
}
