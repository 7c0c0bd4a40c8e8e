/** Which shell runs a command, with which environment and PATH. */
import { childEnv } from '../../platform/child-env.ts';
import { exec } from '../../platform/exec.ts';
import { findProgram } from '../../platform/find-program.ts';
import { STEERS_A_SHELL } from './shell-start.ts';

/** The gateway's own, and what a shell sets for itself. */
const NOT_INHERITED = /^(?:CLAWDBOT_.*|PWD|OLDPWD)$/;
const LOGIN_SHELL_MS = 2000;
const FALLBACK = '/bin/sh';

/** An absolute path: the person's own shell where it speaks `sh`, as fish does not. */
export async function shellProgram(vars: Readonly<Record<string, string>>): Promise<string> {
  const own = vars['SHELL'];
  const fish = own !== undefined && /(?:^|\/)fish$/.test(own);
  const names = fish ? ['bash', 'sh', own] : own ? [own] : ['sh'];
  for (const name of names) {
    const found = await findProgram(name, vars['PATH']);
    if (found) return found;
  }
  return FALLBACK;
}

/** Reads a proven command as it was proven; other shells have their own `test`, `printf` and start-up files. */
export async function plainShell(own: string, vars: Readonly<Record<string, string>>): Promise<string> {
  if (/\/(?:bash|dash|sh)$/.test(own)) return own;
  return (await findProgram('bash', vars['PATH'])) ?? FALLBACK;
}

export interface ShellEnvRequest {
  /** Of the gateway. */
  readonly vars: Readonly<Record<string, string>>;
  /** What the model set; judged already. */
  readonly extra: Readonly<Record<string, string>>;
  readonly pass: readonly string[];
  readonly pathPrepend: readonly string[];
  /** `PATH` of a login shell, where it could be asked. */
  readonly loginPath: string | undefined;
}

/** The whole environment of a command on this machine: the person's, without secrets. */
export function shellEnv({ vars, extra, pass, pathPrepend, loginPath }: ShellEnvRequest): Record<string, string> {
  const kept = Object.entries(childEnv(vars, { pass })).filter(
    ([name]) => !STEERS_A_SHELL.test(name) && !NOT_INHERITED.test(name),
  );
  const path = joinPaths([...pathPrepend.map((folder) => folder.trim()), ...split(loginPath), ...split(vars['PATH'])]);
  return { ...Object.fromEntries(kept), PATH: path, ...extra };
}

const split = (path: string | undefined): readonly string[] => path?.split(':') ?? [];
const joinPaths = (folders: readonly string[]): string =>
  [...new Set(folders.filter((folder) => folder.startsWith('/')))].join(':');

/**
 * What a login shell would search; a gateway started by the system knows much less. Asked once, undefined when nobody
 * answers.
 */
export function createLoginPath(vars: Readonly<Record<string, string>>): () => Promise<string | undefined> {
  let pending: Promise<string | undefined> | undefined;
  const ask = async (): Promise<string | undefined> => {
    const result = await exec({
      command: await shellProgram(vars),
      args: ['-lc', `printf '\\n%s' "$PATH"`],
      env: childEnv(vars),
      input: '',
      timeoutMs: LOGIN_SHELL_MS,
      maxOutputBytes: 64 * 1024,
      signal: new AbortController().signal,
    });
    // What a profile prints comes first; the answer is the last line.
    return result.kind === 'exited' && result.code === 0
      ? result.stdout.toString('utf8').split('\n').at(-1) || undefined
      : undefined;
  };
  return () => (pending ??= ask());
}
