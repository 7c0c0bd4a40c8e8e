/** Which programs this machine has, asked of the disk at most once a minute and anew when `PATH` changes. */
import type { Clock } from '../../../../platform/clock.ts';
import { createMemo } from './memo.ts';

export interface Programs {
  /** The program's path; undefined when there is none of that name. */
  find(name: string): Promise<string | undefined>;
}

export interface ProgramsDeps {
  readonly vars: () => Readonly<Record<string, string>>;
  readonly findProgram: (name: string, path: string | undefined) => Promise<string | undefined>;
  readonly clock: Pick<Clock, 'monotonic'>;
}

const REMEMBERED_MS = 60_000;

export function createPrograms({ vars, findProgram, clock }: ProgramsDeps): Programs {
  const memo = createMemo<string | undefined>({ clock, ttlMs: REMEMBERED_MS });
  return {
    find: (name) => {
      const path = vars()['PATH'];
      return memo(`${name}\0${path ?? ''}`, () => findProgram(name, path));
    },
  };
}

/** How a tool is known: `/opt/bin/Whisper-CLI.exe` is `whisper-cli`. */
export function toolName(command: string): string {
  return (command.split(/[\\/]/).at(-1) ?? command).toLowerCase().replace(/\.(exe|cmd|bat|com|py|sh|js|mjs)$/, '');
}
