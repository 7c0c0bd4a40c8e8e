/** Installs a Debian package, and reports the output line by line. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { childEnv } from '../../../platform/child-env.ts';

export interface AptDeps {
  /** Absolute path of the program. */
  readonly apt: string;
  readonly vars: Readonly<Record<string, string>>;
  said(line: string): void;
}

/** The exit code; 1 if a signal ended the program. */
export async function runApt(args: readonly string[], { apt, vars, said }: AptDeps): Promise<number> {
  const child = spawn(apt, args, {
    env: { ...childEnv(vars), DEBIAN_FRONTEND: 'noninteractive' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  for (const stream of [child.stdout, child.stderr]) createInterface(stream).on('line', said);
  const [code] = (await once(child, 'close')) as [number | null];
  return code ?? 1;
}
