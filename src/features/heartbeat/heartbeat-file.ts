/** HEARTBEAT.md at a tick: its tasks, an empty file, or no file. */
import { clipMiddle } from '../../core/clip-middle.ts';
import { asAppError } from '../../core/errors.ts';
import { present } from '../../core/present.ts';
import { hasNoTasks } from './empty-file.ts';
import { HEARTBEAT_FILE } from '../../core/trigger.ts';
import { readReachable } from '../../platform/read-inside.ts';

/** `empty`: the model need not be asked. `text`: cut to size; absent when there is no such file. */
export interface HeartbeatFile {
  readonly empty: boolean;
  readonly text?: string;
}

export interface HeartbeatPlace {
  /** The agent's own folder, absolute. */
  readonly dir: string;
  /** False: a folder without starter files stays without. */
  readonly starterFiles: boolean;
  /**
   * What a sandboxed command may plant there is not for the model to read: links out of the folder are not followed.
   */
  readonly confined: boolean;
  /** Characters that are told. */
  readonly maxChars: number;
}

/** What is larger is no list of things to look after. */
const MAX_BYTES = 1024 * 1024;

/** Looks anew each time; a new workspace gets its files first, so that a fresh install asks no model. */
export function createHeartbeatFile(
  prepareWorkspace: (folder: string) => Promise<void>,
): (place: HeartbeatPlace) => Promise<HeartbeatFile> {
  const prepared = new Set<string>();
  return async ({ dir, starterFiles, confined, maxChars }) => {
    if (starterFiles && !prepared.has(dir)) {
      await prepareWorkspace(dir);
      prepared.add(dir);
    }
    const text = await contents(dir, confined);
    if (text === undefined) return { empty: false };
    if (hasNoTasks(text)) return { empty: true };
    return {
      empty: false,
      text: clipMiddle(
        text.trim(),
        maxChars,
        (cut) => `\n[… ${cut} characters left out; read ${HEARTBEAT_FILE} for all of it …]\n`,
      ),
    };
  };
}

/** Undefined for what is not there, and for what is no plain file within reach. */
async function contents(dir: string, confined: boolean): Promise<string | undefined> {
  try {
    const bytes = await readReachable(
      HEARTBEAT_FILE,
      { base: dir, ...present({ roots: confined ? [dir] : undefined }) },
      MAX_BYTES,
    );
    return bytes.toString('utf8').replace(/^\uFEFF/, '');
  } catch (error) {
    if (!['not_found', 'denied', 'invalid', 'too_large'].includes(asAppError(error).code)) throw error;
    return undefined;
  }
}
