/** A machine with tools of our making beside real ones, and files to show them; for the tests of this folder. */
import { chmod, mkdir, readdir, readFile, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { AppError } from '../../../../core/errors.ts';
import { silentLog } from '../../../../core/log.ts';
import { present } from '../../../../core/present.ts';
import { systemClock, type Clock } from '../../../../platform/clock.ts';
import { exec, findProgram } from '../../../../platform/exec.ts';
import { accepted } from '../../../../testing/sample-inbound.ts';
import { tempDir } from '../../../../testing/temp-dir.ts';
import type { AttachmentFile } from '../../attachments.ts';
import { createModelPictures } from '../../pictures/model-pictures.ts';
import type { UnderstandingContext } from '../../context.ts';
import { createLocalMedia, type LocalMedia } from './local-media.ts';

export interface Machine extends AsyncDisposable {
  readonly path: string;
  readonly local: LocalMedia;
  readonly vars: Record<string, string>;
  /** A shell script on the machine's PATH; what it is called with is kept for `calls`. */
  tool(name: string, script: string): Promise<void>;
  /** The arguments of each call of a tool, in order. */
  calls(name: string): Promise<readonly (readonly string[])[]>;
  /** Puts a program of the system on the machine's PATH. */
  link(...names: readonly string[]): Promise<void>;
  file(name: string, bytes: Uint8Array | string, mime: string): Promise<AttachmentFile>;
  /** Runs a program of the system in the machine's folder; rejects when it fails. */
  make(command: string, args: readonly string[], input?: string): Promise<void>;
  attachment(name: string, mime: string): AttachmentFile;
  /** Where local media keeps the files of a run. */
  readonly scratch: string;
  /** What local media left behind. */
  leftovers(): Promise<readonly string[]>;
}

export interface MachineOptions {
  readonly clock?: Clock;
}

/** Nothing is on its PATH at first. */
export async function createMachine({ clock = systemClock }: MachineOptions = {}): Promise<Machine> {
  const dir = await tempDir('local-media');
  const bin = join(dir.path, 'bin');
  const scratch = join(dir.path, 'scratch');
  await mkdir(bin);
  await mkdir(scratch);
  const vars: Record<string, string> = { PATH: bin, HOME: dir.path };
  const whisperModelDirs = [join(dir.path, 'models')];
  const local = createLocalMedia({
    vars: () => vars,
    exec,
    findProgram,
    tempDir: scratch,
    whisperModelDirs,
    clock,
    log: silentLog,
  });
  const attachment = (name: string, mime: string): AttachmentFile => fileAt(join(dir.path, name), name, mime);
  return {
    path: dir.path,
    scratch,
    local,
    vars,
    attachment,
    async tool(name, script) {
      const log = join(dir.path, `${name}.calls`);
      await writeFile(
        join(bin, name),
        `#!/bin/sh\nprintf '%s\\0' "$@" >> '${log}'; printf '\\n\\0' >> '${log}'\n${script}\n`,
      );
      await chmod(join(bin, name), 0o755);
    },
    async calls(name) {
      const log = await readFile(join(dir.path, `${name}.calls`), 'utf8').catch(() => '');
      return log
        .split('\n\0')
        .slice(0, -1)
        .map((call) => call.split('\0').slice(0, -1));
    },
    async link(...names) {
      for (const name of names) await symlink((await findProgram(name, process.env['PATH']))!, join(bin, name));
    },
    async file(name, bytes, mime) {
      await writeFile(join(dir.path, name), bytes);
      return attachment(name, mime);
    },
    async make(command, args, input) {
      const result = await exec({
        command,
        args,
        cwd: dir.path,
        env: { PATH: process.env['PATH'] ?? '' },
        timeoutMs: 60_000,
        maxOutputBytes: 1e6,
        signal: new AbortController().signal,
        ...present({ input }),
      });
      if (result.kind !== 'exited' || result.code !== 0) throw new Error(`${command}: ${result.kind} ${result.stderr}`);
    },
    leftovers: () => readdir(scratch),
    [Symbol.asyncDispose]: () => dir[Symbol.asyncDispose](),
  };
}

function fileAt(path: string, name: string, mime: string): AttachmentFile {
  return {
    index: 0,
    name,
    mime,
    kind: (['image', 'audio', 'video'] as const).find((kind) => mime.startsWith(kind)) ?? 'document',
    size: undefined,
    trouble: undefined,
    path: async () => path,
    bytes: async (maxBytes) => {
      if ((await stat(path)).size > maxBytes) throw new AppError('too_large', `${name} is too large.`);
      return readFile(path);
    },
  };
}

/** A low tone, 8 bits deep and 1000 Hz wide, so that an hour of it is small. */
export function toneWav({ seconds }: { seconds: number }): Buffer {
  const samples = Buffer.from(Uint8Array.from({ length: seconds * 1000 }, (_, at) => (at % 10 < 5 ? 60 : 190)));
  const head = Buffer.from(
    'RIFF....WAVEfmt \x10\0\0\0\x01\0\x01\0\xe8\x03\0\0\xe8\x03\0\0\x01\0\x08\0data....',
    'latin1',
  );
  head.writeUInt32LE(samples.length + 36, 4);
  head.writeUInt32LE(samples.length, 40);
  return Buffer.concat([head, samples]);
}

/** A scene of a message that says "look". */
export function contextOf({
  signal = new AbortController().signal,
  url,
}: {
  signal?: AbortSignal;
  url?: string;
} = {}): UnderstandingContext {
  const { message, route } = accepted({
    text: 'look',
    attachments: [present({ kind: 'audio', mime: 'audio/ogg', url })],
  });
  return {
    runId: 'r1',
    message,
    route,
    files: [],
    template: { Body: 'look {{MediaPath}}', MediaPath: '/elsewhere' },
    log: silentLog,
    signal,
    modelPictures: createModelPictures({ signal }),
    progress: () => undefined,
  };
}

/** Why a test of the system's programs cannot run here; false when it can. */
export async function missingPrograms(...names: readonly string[]): Promise<string | false> {
  const missing = [];
  for (const name of names) if (!(await findProgram(name, process.env['PATH']))) missing.push(name);
  return missing.length > 0 && `${missing.join(', ')} not installed`;
}
