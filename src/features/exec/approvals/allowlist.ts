/**
 * Compares an analyzed command with the allowlist: whether it needs approval, why, and what "always" would add. Pure.
 */
import type { ApprovalStep } from '../../../core/approval.ts';
import { present } from '../../../core/present.ts';
import { redactText } from '../../../platform/redact.ts';
import type { Analysis, Segment } from '../analysis/analysis.ts';
import { exactly, isExactly } from './exact-command.ts';
import { matchesPath } from './path-pattern.ts';

/** One permission of the approvals file. */
export interface AllowEntry {
  readonly id?: string | undefined;
  /** `~` expanded already. */
  readonly pattern: string;
  /** Present: only with exactly these arguments. */
  readonly argPattern?: string | undefined;
  /**
   * A person's "always": the pattern is that very path, not a pattern, and it holds for the arguments it was said of.
   */
  readonly source?: 'allow-always' | undefined;
  /** Under which agent of the file it stands: an id or `*`. */
  readonly listedFor: string;
  /** As it stands in the file. */
  readonly written: string;
  readonly lastUsedAt?: number | undefined;
}

/** What "always" adds to the file: this program with these arguments in this folder. */
export interface NewAllowEntry {
  /** The real path of the program. */
  readonly pattern: string;
  readonly argPattern: string;
  /** For people who read the file. */
  readonly commandText: string;
}

export interface Allowances {
  readonly autoAllowSkills: boolean;
  /** Real paths of the programs installed skills name. */
  readonly skillBins?: readonly string[] | undefined;
  /** The variables the model set for the command. */
  readonly variables?: Readonly<Record<string, string>> | undefined;
}

/** These decide how something is printed, and nothing else. */
const PLAIN_VARIABLE = /^(?:LANG|LC_[A-Z]+|TZ|TERM|COLUMNS|LINES|NO_COLOR|FORCE_COLOR|CI)$/;
/**
 * `Europe/Berlin`, `CET-1CEST,M3.5.0,M10.5.0/3`; everything else may be a file, of which every program reads the time
 * zone.
 */
const NAMED_ZONE = /^(?![\s\S]*\.\.)[\w<][\w+,.<>-]{0,60}(?:\/[\w+,.-]{1,60}){0,3}$/;

const isPlain = (name: string, value: string): boolean =>
  PLAIN_VARIABLE.test(name) && (name === 'TZ' ? NAMED_ZONE.test(value) : !value.includes('/'));

export interface Evaluation {
  /** Every program is harmless or allowed; false for everything that could not be proven. */
  readonly satisfied: boolean;
  /** Why it is not satisfied, one sentence each. */
  readonly reasons: readonly string[];
  readonly steps: readonly ApprovalStep[];
  readonly rememberable: boolean;
  readonly remember: readonly NewAllowEntry[];
  /** The entries that let it through. */
  readonly used: readonly AllowEntry[];
}

export function evaluate(analysis: Analysis, entries: readonly AllowEntry[], allowances: Allowances): Evaluation {
  if (!analysis.proven)
    return {
      satisfied: false,
      reasons: analysis.why,
      steps: analysis.steps,
      rememberable: false,
      remember: [],
      used: [],
    };
  const programs = analysis.segments.flatMap(programsOf);
  const decisions = programs.map((program) => decide(program, entries, allowances));
  const missing = decisions.flatMap((one) => (one.why === undefined ? [] : [one]));
  return {
    satisfied: missing.length === 0,
    reasons: unique(missing.map(({ why }) => why!)),
    steps: decisions.map(({ program, why }) => present({ words: program.argv, path: program.path, why })),
    rememberable: missing.length > 0 && missing.every(({ remember }) => remember !== undefined),
    remember: missing.flatMap(({ remember }) => remember ?? []),
    used: unique(decisions.flatMap(({ entry }) => entry ?? [])),
  };
}

/** One program that is started, by itself or on behalf of another. */
type Program = Pick<Segment, 'argv' | 'path' | 'harmless' | 'interpreter' | 'fed' | 'cwd' | 'why'>;

/** A wrapper may run whatever stands behind it, and that is judged by itself. */
const programsOf = (segment: Segment): readonly Program[] => [
  ...segment.wrappers.map(({ argv, path }) => ({ argv, path, harmless: segment.harmless, interpreter: false })),
  segment,
];

interface ProgramDecision {
  readonly program: Program;
  readonly why?: string;
  readonly remember?: NewAllowEntry;
  readonly entry?: AllowEntry;
}

function decide(program: Program, entries: readonly AllowEntry[], allowances: Allowances): ProgramDecision {
  const { path, harmless, interpreter } = program;
  // What a program does with a variable nobody knows: a list of harmless ones holds, a list of dangers has gaps
  // (`MAGIC=/a/secret file x` prints it).
  const steered = Object.entries(allowances.variables ?? {})
    .filter(([each, value]) => !isPlain(each, value))
    .map(([each]) => each);
  if (harmless && steered.length === 0) return { program };
  if (path === undefined)
    return {
      program,
      why: harmless
        ? steeredBy(program, steered)
        : (program.why ?? `${name(program)} is not a program on this machine.`),
    };
  // What it is fed may be code: nobody can say yes to that beforehand.
  const exact = steered.length === 0 && !(interpreter && program.fed === true);
  const entry = entries.find(
    (one) =>
      isFor(one, path) &&
      (one.argPattern === undefined
        ? !interpreter && one.source === undefined
        : exact && isExactly(one.argPattern, program)),
  );
  if (entry) return { program, entry };
  if (!interpreter && allowances.autoAllowSkills && allowances.skillBins?.includes(path)) return { program };
  if (steered.length > 0 && (harmless || interpreter)) return { program, why: steeredBy(program, steered) };
  if (interpreter && !exact)
    return { program, why: `${name(program)} runs code from its input, which another command provides.` };
  const remember = exact ? exactEntry(path, program) : undefined;
  return present({ program, why: whyNot(program, path), remember });
}

/** Undefined: nobody knows in which folder it will run, and so not which script those words mean. */
const exactEntry = (path: string, { argv, cwd }: Program): NewAllowEntry | undefined =>
  cwd === undefined
    ? undefined
    : { pattern: path, argPattern: exactly({ cwd, argv }), commandText: redactText(`${argv.join(' ')} (in ${cwd})`) };

/** What a person says yes to when they say "always". */
export const describeEntry = ({ pattern, commandText }: NewAllowEntry): string => `${pattern}, only as: ${commandText}`;

const isFor = ({ pattern, source }: AllowEntry, path: string): boolean =>
  source === 'allow-always' ? pattern === path : matchesPath(pattern, path);

const whyNot = (program: Program, path: string): string =>
  program.why ??
  (program.interpreter
    ? `${name(program)} runs code from its arguments, so it is allowed only with exactly these arguments.`
    : `${path} is not in the allowlist.`);

const steeredBy = (program: Program, variables: readonly string[]): string =>
  `${name(program)} runs with ${variables.join(', ')} set, which can change what it does.`;

const name = ({ argv }: Program): string => argv[0] ?? 'The command';
const unique = <T>(all: readonly T[]): readonly T[] => [...new Set(all)];
