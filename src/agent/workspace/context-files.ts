/** The workspace files every prompt carries, cut to size and read again only when they changed. */
import { join } from 'node:path';
import { readTextIfExists, statIfExists, type FileFacts } from '../../platform/files.ts';
import { clipMiddle } from '../clip-middle.ts';

/** In the order of the prompt. */
const CONTEXT_FILE_NAMES = ['AGENTS.md', 'SOUL.md', 'TOOLS.md', 'IDENTITY.md', 'USER.md', 'MEMORY.md'] as const;

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
}

export const defaultContextCaps: ContextCaps = { perFile: 20_000, total: 80_000 };

export interface ContextFiles {
  /** The same array object as long as no file changed, so that it can be a cache key. */
  load(dir: string, caps?: ContextCaps): Promise<readonly ContextFile[]>;
}

interface Remembered { readonly stamp: string; readonly files: readonly ContextFile[] }

export function createContextFiles(): ContextFiles {
  const known = new Map<string, Remembered>();
  return {
    async load(dir, caps = defaultContextCaps) {
      const facts = await Promise.all(CONTEXT_FILE_NAMES.map((name) => statIfExists(join(dir, name))));
      const stamp = `${caps.perFile}/${caps.total} ${facts.map(stampOf).join(' ')}`;
      const before = known.get(dir);
      if (before?.stamp === stamp) return before.files;
      const files = await loadContextFiles(dir, caps);
      known.set(dir, { stamp, files });
      return files;
    },
  };
}

const stampOf = (facts: FileFacts | undefined): string => (facts ? `${facts.inode}:${facts.modifiedAt}:${facts.size}` : '-');

/** Reads them now. Missing and empty files are left out; files the total has no room for are named, with nothing but the marker. */
export async function loadContextFiles(dir: string, caps: ContextCaps = defaultContextCaps): Promise<readonly ContextFile[]> {
  const texts = await Promise.all(CONTEXT_FILE_NAMES.map(async (name) => ({ name, text: (await readTextIfExists(join(dir, name)))?.replace(/^\uFEFF/, '').trim() ?? '' })));
  let room = caps.total;
  return texts.filter(({ text }) => text).map(({ name, text }) => {
    const share = Math.min(caps.perFile, room);
    room -= Math.min(share, text.length);
    return { name, text: clipMiddle(text, share, (cut) => `\n[… ${cut} of ${text.length} characters left out; read ${join(dir, name)} for all of it …]\n`), cut: Math.max(0, text.length - share) };
  });
}
