/** A program that a channel talks to over its standard input and output; what it takes is loaded by the first one. */
import type { Program, ProgramRequest } from '../platform/program.ts';

export type { Program, ProgramEnd, ProgramRequest } from '../platform/program.ts';

/** Resolves once it runs. Rejects with `AppError('unavailable')` that says why it does not. */
export const startProgram = async (request: ProgramRequest): Promise<Program> =>
  (await import('../platform/program.ts')).startProgram(request);

/** Ends a program of an earlier run, where the process with this id still has `mark` in its command line. */
export const stopLeftover = async (pid: number, mark: string): Promise<boolean> =>
  (await import('../platform/program.ts')).stopLeftover(pid, mark);
