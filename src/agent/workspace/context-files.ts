/** Reads the workspace files of the prompt, with a size limit. Unchanged files are cached. */
import { join } from 'node:path';
import { asAppError } from '../../core/errors.ts';
import type { FileFacts } from '../../platform/files.ts';
import { FAR_FILES, type NearFiles } from '../../platform/near-files.ts';
import { readReachable } from '../../platform/read-inside.ts';
import { clipMiddle } from '../../core/clip-middle.ts';
import { present } from '../../core/present.ts';

/** In the order of the prompt. */
const CONTEXT_FILE_NAMES = ['AGENTS.md', 'SOUL.md', 'TOOLS.md', 'IDENTITY.md', 'USER.md', 'MEMORY.md'] as const;

/** The files of every prompt of an agent, relative to its workspace; changed only by turns with that right. */
export const PROMPT_FILES: readonly string[] = [
  ...CONTEXT_FILE_NAMES.filter((name) => name !== 'MEMORY.md'),
  'HEARTBEAT.md',
  'BOOTSTRAP.md',
  'skills',
];
/** What an agent remembers of its people. */
export const MEMORY_FILES: readonly string[] = ['MEMORY.md', 'memory'];

export interface ContextFile {
  /** Relative to the workspace. */
  readonly name: string;
  readonly text: string;
  /** Characters of the file that did not fit; 0 when it is whole. */
  readonly cut: number;
}

export interface ContextCaps {
  /** Characters per file. */
  readonly perFile: number;
  /** Characters of all files together. */
  readonly total: number;
  /**
   * Links out of the folder are not followed: what a sandboxed command may plant there is not for its conversation to
   * read.
   */
  readonly confined?: boolean;
  /** What the agent knows the folder as; absent: its path. */
  readonly shownAs?: string;
}

export const defaultContextCaps: ContextCaps = { perFile: 20_000, total: 80_000 };

export interface ContextFiles {
  /** The same array object as long as no file changed, so that it can be a cache key. */
  load(dir: string, caps?: ContextCaps): Promise<readonly ContextFile[]>;
}

/** What is larger is no text for a prompt, and reading it would hold up everybody else. */
const MAX_BYTES = 4 * 1024 * 1024;

interface Remembered {
  readonly stamp: string;
  readonly files: readonly ContextFile[];
}

/** `stat` looks whether a file changed, with each turn. */
export function createContextFiles({ stat }: NearFiles = FAR_FILES): ContextFiles {
  const known = new Map<string, Remembered>();
  return {
    async load(dir, caps = defaultContextCaps) {
      const facts = await Promise.all(CONTEXT_FILE_NAMES.map((name) => stat(join(dir, name))));
      const stamp =
        `${caps.perFile}/${caps.total}/${caps.confined === true} ${caps.shownAs ?? ''} ` +
        `${facts.map(stampOf).join(' ')}`;
      const key = `${dir}\n${caps.confined === true}`;
      const before = known.get(key);
      if (before?.stamp === stamp) return before.files;
      const files = await loadContextFiles(dir, caps);
      known.set(key, { stamp, files });
      return files;
    },
  };
}

const stampOf = (facts: FileFacts | undefined): string =>
  facts ? `${facts.inode}:${facts.modifiedAt}:${facts.size}` : '-';

/**
 * Reads them now. Missing and empty files are left out; files the total has no room for are named, with nothing but the
 * marker.
 */
export async function loadContextFiles(
  dir: string,
  caps: ContextCaps = defaultContextCaps,
): Promise<readonly ContextFile[]> {
  // One after the other: at once they would hold twice as many descriptors as there are files.
  const texts: { name: string; text: string }[] = [];
  for (const name of CONTEXT_FILE_NAMES) texts.push({ name, text: await textOf(name, dir, caps) });
  let room = caps.total;
  return texts
    .filter(({ text }) => text)
    .map(({ name, text }) => {
      const share = Math.min(caps.perFile, room);
      room -= Math.min(share, text.length);
      return {
        name,
        text: clipMiddle(
          text,
          share,
          (cut) =>
            `\n[… ${cut} of ${text.length} characters left out; read ${join(caps.shownAs ?? dir, name)} for ` +
            `all of it …]\n`,
        ),
        cut: Math.max(0, text.length - share),
      };
    });
}

/** Empty for what is not there, or no plain file: a pipe would be waited for until somebody writes into it. */
async function textOf(name: string, dir: string, { confined = false }: ContextCaps): Promise<string> {
  try {
    const bytes = await readReachable(
      name,
      { base: dir, ...present({ roots: confined ? [dir] : undefined }) },
      MAX_BYTES,
    );
    return bytes
      .toString('utf8')
      .replace(/^\uFEFF/, '')
      .trim();
  } catch (error) {
    if (!['not_found', 'denied', 'invalid', 'too_large'].includes(asAppError(error).code)) throw error;
    return '';
  }
}
