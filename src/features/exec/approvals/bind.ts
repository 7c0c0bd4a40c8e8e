/**
 * Binds an approval to what was shown: command, arguments, folder, environment and files, checked again before the
 * command runs.
 */
import { sha256Hex } from '../../../platform/ids.ts';
import { SYSTEM_FOLDERS } from '../platform/administered.ts';
import { realPathIfExists } from '../../../platform/files.ts';
import { digestOf, identityOf } from '../platform/file-identity.ts';

/** What will be handed to the system. */
export interface BoundFacts {
  /** As it was shown. */
  readonly command: string;
  readonly argv: readonly string[];
  /** Absolute. */
  readonly cwd: string;
  /** All of it. */
  readonly env: Readonly<Record<string, string>>;
  /** Files that will be executed, absolute. */
  readonly programs: readonly string[];
  /** Files that may be read as code (`scriptsOf`); those that are no plain files do not count. */
  readonly scripts?: readonly string[] | undefined;
}

/** Digests only: neither the environment nor what is in the files can be read back from it. */
export interface Bound {
  readonly command: string;
  readonly argv: string;
  readonly cwd: { readonly path: string; readonly id: string | undefined };
  readonly env: ReadonlyMap<string, string>;
  readonly files: ReadonlyMap<string, FilePrint>;
}

/** Data a script is given can be huge; from here on the system's own time stamp stands for the digest. */
const LARGE_BYTES = 64 * 1024 * 1024;

interface FilePrint {
  readonly role: 'program' | 'script';
  readonly id: string | undefined;
  readonly digest: string | undefined;
}

export async function bind({ command, argv, cwd, env, programs, scripts = [] }: BoundFacts): Promise<Bound> {
  const [folder, files] = await Promise.all([identityOf(cwd), filePrints(programs, scripts)]);
  return {
    command: sha256Hex(command),
    argv: sha256Hex(JSON.stringify(argv)),
    cwd: { path: cwd, id: folder?.kind === 'directory' ? folder.id : undefined },
    env: new Map(Object.entries(env).map(([name, value]) => [name, sha256Hex(value)])),
    files,
  };
}

/**
 * What is not as it was, as a clause (`the program /usr/bin/x changed`); undefined when all is. Call it as the last
 * thing before the
 * command starts. Names variables, never their values.
 */
export async function changed(bound: Bound, facts: BoundFacts): Promise<string | undefined> {
  const now = await bind(facts);
  if (now.command !== bound.command) return 'the text of the command changed';
  if (now.argv !== bound.argv) return 'the arguments of the command changed';
  if (now.cwd.path !== bound.cwd.path || now.cwd.id !== bound.cwd.id)
    return `the folder ${bound.cwd.path} is no longer the same folder`;
  if (bound.cwd.id === undefined) return `the folder ${bound.cwd.path} does not exist`;
  const names = differing(bound.env, now.env, (one, other) => one === other);
  if (names.length > 0) return `the environment changed (${names.join(', ')})`;
  const [file] = differing(bound.files, now.files, same);
  if (file !== undefined) return `the ${(bound.files.get(file) ?? now.files.get(file))!.role} ${file} changed`;
  const unread = [...bound.files].find(([, { id, digest }]) => id === undefined || digest === undefined);
  return unread && `the ${unread[1].role} ${unread[0]} could not be read, so it may have changed`;
}

/**
 * Whether the agent may write one of the bound files or into one of the folders code is loaded from, links followed:
 * then "always" would be
 * a yes to whatever it writes there later. `everywhere`: but for the folders of the system.
 */
export async function bindsFilesIn(
  { files }: Bound,
  writable: readonly string[] | 'everywhere',
  codeFolders: readonly string[] = [],
): Promise<boolean> {
  const real = async (path: string): Promise<string> => (await realPathIfExists(path)) ?? path;
  const bound = await Promise.all([...files.keys(), ...codeFolders].map(real));
  if (writable === 'everywhere') return bound.some((path) => !SYSTEM_FOLDERS.test(path));
  const open = await Promise.all(writable.map(real));
  return bound.some((path) =>
    open.some((folder) => path === folder || path.startsWith(folder.endsWith('/') ? folder : `${folder}/`)),
  );
}

/** One after the other, so that ten big programs are not ten open files and one long turn of the event loop. */
async function filePrints(
  programs: readonly string[],
  scripts: readonly string[],
): Promise<ReadonlyMap<string, FilePrint>> {
  const prints = new Map<string, FilePrint>();
  for (const path of new Set(programs)) prints.set(path, await printOf('program', path));
  for (const path of scripts) {
    if (prints.has(path)) continue;
    const print = await printOf('script', path);
    if (print.id !== undefined) prints.set(path, print);
  }
  return prints;
}

/** Only plain files have a digest: reading a pipe would wait for ever. */
async function printOf(role: FilePrint['role'], path: string): Promise<FilePrint> {
  const found = await identityOf(path);
  if (found?.kind !== 'file') return { role, id: undefined, digest: undefined };
  const large = role === 'script' && found.size > LARGE_BYTES;
  return { role, id: found.id, digest: large ? `${found.size} ${found.changedAt}` : await digestOf(path) };
}

const same = (one: FilePrint, other: FilePrint): boolean => one.id === other.id && one.digest === other.digest;

/** Keys that are in one map only, or differ. */
function differing<T>(
  one: ReadonlyMap<string, T>,
  other: ReadonlyMap<string, T>,
  equal: (a: T, b: T) => boolean,
): readonly string[] {
  return [...new Set([...one.keys(), ...other.keys()])].filter((key) => {
    const [a, b] = [one.get(key), other.get(key)];
    return a === undefined || b === undefined || !equal(a, b);
  });
}
