/**
 * Media understanding with the programs of this machine: configured commands, tools that are found, films taken apart.
 */
import type { MediaEntry } from '../../../../config/understanding-config.ts';
import type { Log } from '../../../../core/log.ts';
import type { MediaCapability } from '../../../../core/understanding.ts';
import type { Clock } from '../../../../platform/clock.ts';
import type { ExecRequest, ExecResult } from '../../../../platform/exec.ts';
import type { AttachmentFile } from '../../attachments.ts';
import type { UnderstandingContext } from '../../context.ts';
import { createAutoChoice, type FoundEntry } from './auto.ts';
import { createPrograms } from './programs.ts';
import { toPng } from './to-png.ts';
import { runEntry, type LocalLimits } from './run-entry.ts';
import { takeApart, type FilmParts } from './film/video.ts';
import { openWorkFolder, type WorkFolder } from './work-folder.ts';

export type { FoundEntry } from './auto.ts';
export type { LocalLimits } from './run-entry.ts';

export interface LocalMediaDeps {
  /** The environment as it is now; asked again each time, so that a changed `PATH` counts. */
  readonly vars: () => Readonly<Record<string, string>>;
  readonly exec: (request: ExecRequest) => Promise<ExecResult>;
  readonly findProgram: (name: string, path: string | undefined) => Promise<string | undefined>;
  /** Absolute; each run has a folder of its own in it, which is gone afterwards. */
  readonly tempDir: string;
  /** Folders that may hold models of whisper.cpp. Absent: where packages and Homebrew put them. */
  readonly whisperModelDirs?: readonly string[];
  readonly clock: Clock;
  readonly log: Log;
}

export interface LocalMedia {
  /**
   * Runs one command on one file. The text may be blank: the tool ran and found nothing.
   * Rejects with `AppError` whose message names the command and what became of it: `timeout`, `aborted`, `too_large`,
   * `unsupported` (the file is not what it should be), `unavailable` (a program is missing), `bad_response` (it
   * failed).
   */
  runEntry(
    entry: MediaEntry,
    file: AttachmentFile,
    capability: MediaCapability,
    limits: LocalLimits,
    context: UnderstandingContext,
  ): Promise<{ text: string; provider: string; model: string }>;
  /** The tools of this machine for the task, best first; those that are the last resort stand at the end. */
  auto(capability: MediaCapability): Promise<readonly FoundEntry[]>;
  /**
   * A picture the image library does not read; undefined when no program here reads it either. Rejects only with
   * `aborted`.
   */
  toPng(picture: AttachmentFile, signal: AbortSignal): Promise<Uint8Array | undefined>;
  /** This machine can take films apart. */
  takesApart(): Promise<boolean>;
  /**
   * Pictures and sound of a film; undefined without ffmpeg. Rejects like `runEntry`. To be disposed of by the caller.
   */
  takeApart(film: AttachmentFile, context: UnderstandingContext): Promise<FilmParts | undefined>;
}

const TO_PNG_MS = 20_000;

/** A film is taken apart within this time, whatever it is. */
const TAKE_APART_MS = 60_000;

export function createLocalMedia(deps: LocalMediaDeps): LocalMedia {
  const programs = createPrograms(deps);
  const workFolder = (timeoutMs: number, signal: AbortSignal): Promise<WorkFolder> =>
    openWorkFolder({ ...deps, programs, timeoutMs, signal });
  const auto = createAutoChoice({ ...deps, programs });
  const takesApart = async (): Promise<boolean> =>
    Boolean(await programs.find('ffmpeg')) && Boolean(await programs.find('ffprobe'));
  return {
    runEntry: async (entry, file, _capability, limits, context) => {
      await using folder = await workFolder(limits.timeoutMs, context.signal);
      return await runEntry({ entry, file, limits, context, folder });
    },
    toPng: async (picture, signal) => {
      if (!(await programs.find('ffmpeg'))) return undefined;
      await using folder = await workFolder(TO_PNG_MS, signal);
      return await toPng(picture, folder);
    },
    auto,
    takesApart,
    takeApart: async (film, context) => {
      if (!(await takesApart())) return undefined;
      return takeApart(film, await workFolder(TAKE_APART_MS, context.signal));
    },
  };
}
