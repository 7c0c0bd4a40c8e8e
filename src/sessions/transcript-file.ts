/** Writes the file of a transcript: opened when needed, synced at intervals, closed in between. */
import { dirname } from 'node:path';
import { openAppend, type AppendFile } from '../platform/append-file.ts';
import { syncDir, writeFileAtomic } from '../platform/files.ts';
import type { NearFiles } from '../platform/near-files.ts';

export interface TranscriptFile {
  /** As far as written. */
  readonly bytes: number;
  append(text: string): Promise<void>;
  /** Another file with this text stands in its place. */
  replace(text: string): Promise<void>;
  /** The file has the length it was left with. */
  unchanged(): Promise<boolean>;
  /** Lets the file go as well. It covers what was written through an earlier opening too. */
  sync(): Promise<void>;
  release(): Promise<void>;
  /** From now on each append is synced by itself. */
  finish(): void;
}

/** `torn`: behind the `bytes` that are whole lies a broken line, which is cut off. */
export function createTranscriptFile(
  path: string,
  found: { readonly bytes: number; readonly torn: boolean },
  files: NearFiles,
): TranscriptFile {
  const state: {
    file: AppendFile | undefined;
    bytes: number;
    torn: boolean;
    unsynced: boolean;
    named: boolean;
    finished: boolean;
  } = {
    file: undefined,
    bytes: found.bytes,
    torn: found.torn,
    unsynced: false,
    named: false,
    finished: false,
  };

  async function openFile(): Promise<AppendFile> {
    const file = await openAppend(path);
    if (state.torn) await file.truncate(found.bytes); // once: later there are lines behind it
    state.torn = false;
    return file;
  }

  async function release(): Promise<void> {
    const { file } = state;
    state.file = undefined;
    await file?.close();
  }

  /** The file is closed before its folder is opened: holding one descriptor while waiting for another may deadlock. */
  async function syncContent(): Promise<void> {
    await using file = state.file ?? (await openAppend(path));
    state.file = undefined;
    await file.sync();
  }

  return {
    release,
    get bytes() {
      return state.bytes;
    },
    finish: () => void (state.finished = true),
    async append(text) {
      if (state.finished) {
        await using file = await openFile();
        await file.append(text, { sync: true });
      } else {
        state.file ??= await openFile();
        await state.file.append(text, { near: files.isNear(path) });
        state.unsynced = true;
      }
      state.bytes += Buffer.byteLength(text);
    },
    async replace(text) {
      await writeFileAtomic(path, text);
      Object.assign(state, { bytes: Buffer.byteLength(text), torn: false, unsynced: false, named: true });
    },
    unchanged: async () => ((await files.stat(path))?.size ?? 0) === state.bytes,
    async sync() {
      if (!state.unsynced) return;
      state.unsynced = false;
      try {
        await syncContent();
        // The file may be new: without its folder its name would be gone after a power cut.
        if (!state.named) await syncDir(dirname(path));
        state.named = true;
      } catch (error) {
        state.unsynced = true;
        throw error;
      }
    },
  };
}
