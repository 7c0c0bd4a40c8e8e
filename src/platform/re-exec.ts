/**
 * Restarts the process with the code on disk, because its loaded modules are of the old code; it keeps its process id
 * where the system allows it.
 */
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { constants } from 'node:os';

/** The program to start again: its path, its arguments and its environment variables. */
export interface ReExecRequest {
  /** Node itself, as it runs now. */
  readonly execPath: string;
  /** Its own options and then the script with its arguments, as they were given. */
  readonly args: readonly string[];
  readonly vars: Readonly<Record<string, string>>;
}

/**
 * Does not come back where the process is replaced; else resolves with the exit code of the one that stands in for it.
 */
export async function reExec({ execPath, args, vars }: ReExecRequest): Promise<number> {
  // An update may have brought another Node and taken this one away.
  const node = existsSync(execPath) ? execPath : 'node';
  if (process.execve && node === execPath && process.platform !== 'win32')
    process.execve(node, [node, ...args], { ...vars });
  const child = spawn(node, args, { stdio: 'inherit', env: { ...vars } });
  const pass = (signal: NodeJS.Signals): void => void child.kill(signal);
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP', 'SIGUSR1'] as const)
    process.removeAllListeners(signal).on(signal, pass);
  return new Promise((resolve, reject) =>
    child
      .once('error', reject)
      .once('exit', (code, signal) => resolve(code ?? 128 + (signal ? constants.signals[signal] : 0))),
  );
}
