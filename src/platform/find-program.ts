/** Finds a program in the path, and says why one did not start. */
import { constants } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import { delimiter, join, resolve } from 'node:path';
import { errnoOf } from './storage-error.ts';

/**
 * The absolute path of an executable file: `name` itself when it holds a slash, else the first match on `path`. Entries
 * of
 * `path` that depend on the working directory are left out.
 */
export async function findProgram(name: string, path: string | undefined): Promise<string | undefined> {
  const candidates = name.includes('/')
    ? [resolve(name)]
    : (path ?? '')
        .split(delimiter)
        .filter((folder) => folder.startsWith('/'))
        .map((folder) => join(folder, name));
  for (const candidate of candidates) if ((await standing(candidate)) === 'executable') return candidate;
  return undefined;
}

/**
 * One sentence for a start that failed; the system's own code does not tell a missing program from a missing folder.
 */
export async function whyNotStarted(
  error: unknown,
  { command, cwd, env }: { command: string; cwd?: string; env: Readonly<Record<string, string>> },
): Promise<string> {
  if (cwd !== undefined && (await standing(cwd)) !== 'folder') return `the working folder ${cwd} does not exist`;
  if (!(await findProgram(command.includes('/') ? resolve(cwd ?? '.', command) : command, env.PATH)))
    return missing(command, cwd);
  const code = errnoOf(error);
  if (code === 'E2BIG') return `the arguments of ${command} are too long for the system`;
  if (code === 'ERR_INVALID_ARG_VALUE') return `an argument of ${command} contains a null character`;
  if (code === 'EMFILE' || code === 'ENFILE' || code === 'EAGAIN')
    return `${command} could not be started: the system is out of processes or file handles (${code})`;
  return `${command} could not be started${code ? ` (${code})` : ''}; check that its interpreter is installed`;
}

async function missing(command: string, cwd: string | undefined): Promise<string> {
  if (!command.includes('/')) return `${command} was not found; install it or give its full path`;
  const there = await standing(resolve(cwd ?? '.', command));
  if (there === 'nothing') return `${command} does not exist`;
  return there === 'folder' ? `${command} is a folder` : `${command} is not executable; \`chmod +x\` makes it so`;
}

async function standing(path: string): Promise<'nothing' | 'folder' | 'file' | 'executable'> {
  try {
    if ((await stat(path)).isDirectory()) return 'folder';
  } catch (error) {
    if (errnoOf(error) === undefined) throw error;
    return 'nothing';
  }
  try {
    await access(path, constants.X_OK);
    return 'executable';
  } catch (error) {
    if (errnoOf(error) === undefined) throw error;
    return 'file';
  }
}
