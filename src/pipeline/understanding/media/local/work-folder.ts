/**
 * One run of local tools: a private folder that is gone afterwards, one deadline for all steps, and programs that say
 * why they failed.
 */
import { join } from 'node:path';
import { AppError } from '../../../../core/errors.ts';
import type { Log } from '../../../../core/log.ts';
import { childEnv } from '../../../../platform/child-env.ts';
import type { Clock } from '../../../../platform/clock.ts';
import type { ExecRequest, ExecResult } from '../../../../platform/exec.ts';
import { ensureDir } from '../../../../platform/files.ts';
import { scratchFolder } from '../../../../platform/scratch-folder.ts';
import { lastLine } from '../../last-line.ts';
import { toolName, type Programs } from './programs.ts';

export interface WorkFolder extends AsyncDisposable {
  /** Empty, private; for what is made of the attachment. */
  readonly inputDir: string;
  /** Empty, private; `{{OutputDir}}`. */
  readonly outputDir: string;
  readonly programs: Programs;
  /** Resolves when it exits with 0; else rejects with an `AppError` that names the program and how it ended. */
  run(step: Step): Promise<Printed>;
}

export interface Printed {
  readonly stdout: Buffer;
  /** Its end. */
  readonly stderr: string;
}

export interface Step {
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd?: string;
  readonly input?: Uint8Array;
  /** Variables it gets although they look like secrets. */
  readonly passEnv?: readonly string[];
  /** Added to its environment. */
  readonly env?: Readonly<Record<string, string>>;
}

export interface WorkFolderDeps {
  readonly vars: () => Readonly<Record<string, string>>;
  readonly exec: (request: ExecRequest) => Promise<ExecResult>;
  readonly tempDir: string;
  readonly programs: Programs;
  readonly clock: Pick<Clock, 'monotonic'>;
  readonly log: Log;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

const MAX_OUTPUT_BYTES = 5 * 1024 * 1024;

export async function openWorkFolder(deps: WorkFolderDeps): Promise<WorkFolder> {
  const folder = await scratchFolder('media', deps.tempDir);
  const inputDir = join(folder.path, 'in');
  const outputDir = join(folder.path, 'out');
  const until = deps.clock.monotonic() + deps.timeoutMs;
  await ensureDir(inputDir);
  await ensureDir(outputDir);
  const run = async ({ passEnv = [], env: extra = {}, ...step }: Step): Promise<Printed> => {
    const env = childEnv(deps.vars(), { pass: passEnv, extra });
    const timeoutMs = Math.max(1, Math.ceil(until - deps.clock.monotonic()));
    const result = await deps.exec({ ...step, env, timeoutMs, maxOutputBytes: MAX_OUTPUT_BYTES, signal: deps.signal });
    deps.log.debug('media.program', { program: toolName(step.command), ended: result.kind, ms: Math.round(result.ms) });
    if (result.kind === 'exited' && result.code === 0) return result;
    throw failure(toolName(step.command), result, deps.timeoutMs);
  };
  return {
    inputDir,
    outputDir,
    programs: deps.programs,
    run,
    [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose](),
  };
}

function failure(name: string, result: ExecResult, timeoutMs: number): AppError {
  switch (result.kind) {
    case 'timeout':
      return new AppError('timeout', `${name} was stopped: all steps together exceeded ${timeoutMs / 1000} s.`);
    case 'aborted':
      return new AppError('aborted', `${name} was stopped with the turn.`);
    case 'too_much_output':
      return new AppError(
        'too_large',
        `${name} was stopped: it printed more than ${MAX_OUTPUT_BYTES / 1024 / 1024} MiB.`,
      );
    case 'not_started':
      return new AppError('unavailable', `${result.reason}.`);
    case 'signalled':
      return new AppError(
        'bad_response',
        `${name} was killed by ${result.signalName}${lastLine(result.stderr) || '.'}`,
      );
    case 'exited':
      return new AppError(
        'bad_response',
        `${name} failed with exit code ${result.code}${lastLine(result.stderr) || '.'}`,
      );
  }
}
