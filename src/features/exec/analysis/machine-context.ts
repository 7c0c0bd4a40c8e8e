/** The facts about this machine that the analysis needs: programs on `PATH`, real paths, and who can change them. */
import { isAdministered, SYSTEM_FOLDERS } from '../platform/administered.ts';
import { listDir, readTextIfExists, realPathIfExists, statIfExists } from '../../../platform/files.ts';
import { findProgram } from '../../../platform/find-program.ts';
import { differsByProcess } from '../platform/process-links.ts';
import { AppError } from '../../../core/errors.ts';
import { STEERS_A_SHELL } from '../shell-start.ts';
import type { AnalysisContext } from './analysis.ts';

export interface MachineContextSetup {
  /** Absolute. */
  readonly cwd: string;
  /** The whole environment the command will have. */
  readonly env: Readonly<Record<string, string>>;
  readonly readableRoots: readonly string[];
  readonly closedPaths: readonly string[];
  readonly safeBins: readonly string[];
}

/** Makes every program load code; harmless as long as that code is the administrator's. */
const LOADS_CODE = /^(?:LD|DYLD)_|^(?:GCONV_PATH|LOCPATH|NLSPATH)$/;
/** Answers are remembered: a context is for one command. */
export function createMachineContext({
  cwd,
  env,
  readableRoots,
  closedPaths,
  safeBins,
}: MachineContextSetup): AnalysisContext {
  const absolute = (path: string): string => (path.startsWith('/') ? path : `${cwd}/${path}`);
  const find = remember((name) => findIn(name.includes('/') ? absolute(name) : name, env['PATH']));
  const inspect = remember((path) => inspectPath(absolute(path)));
  const calm = remember(() => nothingSteers(env));
  return {
    cwd,
    readableRoots,
    closedPaths,
    safeBins,
    home: env['HOME'],
    find,
    inspect,
    locate: remember(async (name) => {
      const found = await find(name);
      return found === undefined ? undefined : realPathIfExists(found);
    }),
    entries: (folder) => orNothing(() => listDir(folder)),
    text: (path, maxBytes) =>
      orNothing(async () =>
        ((await statIfExists(path))?.size ?? Infinity) > maxBytes ? undefined : readTextIfExists(path),
      ),
    trusted: remember(async (path) => SYSTEM_FOLDERS.test(path) && (await calm('')) && isAdministered(path)),
  };
}

/** A path is followed as the system follows it (`link/..`), not as text. */
async function findIn(name: string, path: string | undefined): Promise<string | undefined> {
  if (!name.includes('/')) return findProgram(name, path);
  const real = await orNothing(() => realPathIfExists(name));
  return real === undefined || (await findProgram(real, undefined)) === undefined ? undefined : name;
}

async function inspectPath(path: string): ReturnType<AnalysisContext['inspect']> {
  if (await differsByProcess(path)) return { real: path, kind: 'other' };
  const real = await orNothing(() => realPathIfExists(path));
  const facts = real === undefined ? undefined : await orNothing(() => statIfExists(real));
  return real === undefined || facts === undefined ? undefined : { real, kind: facts.kind };
}

async function nothingSteers(env: Readonly<Record<string, string>>): Promise<boolean> {
  const names = Object.keys(env);
  if (names.some((name) => STEERS_A_SHELL.test(name))) return false;
  const paths = names
    .filter((name) => LOADS_CODE.test(name))
    .flatMap((name) => (env[name] ?? '').split(/[:; ]/).filter(Boolean));
  for (const path of paths) if (!(await isAdministered((await realPathIfExists(path)) ?? path))) return false;
  return true;
}

/** What may not be looked at is as good as not there: nothing is harmless that cannot be seen. */
async function orNothing<T>(ask: () => Promise<T | undefined>): Promise<T | undefined> {
  try {
    return await ask();
  } catch (error) {
    if (error instanceof AppError) return undefined;
    throw error;
  }
}

function remember<T>(ask: (key: string) => Promise<T>): (key: string) => Promise<T> {
  const known = new Map<string, Promise<T>>();
  return (key) => {
    const answer = known.get(key) ?? ask(key);
    known.set(key, answer);
    return answer;
  };
}
