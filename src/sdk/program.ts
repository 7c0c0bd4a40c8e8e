/** Runs a program that a channel talks to over standard input and output. The code is loaded on first use. */
import { AppError } from '../core/errors.ts';
import type { Program, ProgramRequest } from '../platform/program.ts';

export type { Program, ProgramEnd, ProgramRequest } from '../platform/program.ts';

/** Resolves once it runs. Rejects with `AppError('unavailable')` that says why it does not. */
export const startProgram = async (request: ProgramRequest): Promise<Program> =>
  (await import('../platform/program.ts')).startProgram(request);

/** What a program that is run to its end is given; milliseconds and bytes. */
export interface RunRequest {
  readonly command: string;
  readonly args: readonly string[];
  readonly pass?: readonly string[];
  readonly input?: Uint8Array;
  readonly timeoutMs: number;
  readonly maxOutputBytes: number;
  readonly signal: AbortSignal;
}

/** Its standard output. Rejects with `timeout`, `aborted`, `too_large`, or `unavailable` with its last words. */
export async function runProgram({ pass = [], ...request }: RunRequest): Promise<Buffer> {
  const [{ exec }, { childEnv }, { readEnv }] = await Promise.all([
    import('../platform/exec.ts'),
    import('../platform/child-env.ts'),
    import('../platform/env.ts'),
  ]);
  const done = await exec({ ...request, env: childEnv(readEnv().vars, { pass }) });
  if (done.kind === 'exited' && done.code === 0) return done.stdout;
  if (done.kind === 'timeout' || done.kind === 'aborted')
    throw new AppError(done.kind, `${request.command} did not end in time.`);
  if (done.kind === 'too_much_output')
    throw new AppError('too_large', `${request.command} gives more than ${request.maxOutputBytes} bytes.`);
  const why = done.kind === 'not_started' ? done.reason : done.stderr.trim().split('\n').at(-1);
  throw new AppError('unavailable', `${request.command} failed: ${why || done.kind}.`);
}

/** Ends a program of an earlier run, where the process with this id still has `mark` in its command line. */
export const stopLeftover = async (pid: number, mark: string): Promise<boolean> =>
  (await import('../platform/program.ts')).stopLeftover(pid, mark);
