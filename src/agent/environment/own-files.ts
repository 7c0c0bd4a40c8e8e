/** Decides which received files a turn may read, and which files of its workspace it may not change. Pure. */
import { join } from 'node:path';
import type { Opening } from '../../core/access-table.ts';
import type { Authority } from '../../core/authority.ts';
import { may, reasonOf } from '../../core/may.ts';
import { recordedCheck, type RecordedCheck } from '../../core/access-check.ts';
import { MEMORY_FILES, PROMPT_FILES } from '../workspace/context-files.ts';

/** The folders of received files. */
export interface ReceivedFiles {
  readonly folder: string;
  folderOf(sessionKey: string): string;
}

/** Files of other conversations, for those who may not see them all. */
export const othersFiles = (authority: Authority, open: readonly Opening[]): RecordedCheck =>
  recordedCheck(may(authority, 'read', { kind: 'received-file' }, open));

/** Absolute: all of them for those who may see all, else what came where it was asked and where it runs. */
export function receivedFolders(
  { authority, sessionKey }: { readonly authority: Authority; readonly sessionKey: string },
  media: ReceivedFiles,
  open: readonly Opening[],
): readonly string[] {
  if (may(authority, 'read', { kind: 'received-file' }, open).ok) return [media.folder];
  return [...new Set([authority.home.sessionKey, sessionKey])].map(media.folderOf);
}

/** Files that stay as they are, and why: a sentence without its beginning. */
export interface ReadOnlyFiles {
  readonly paths: readonly string[];
  readonly why: string;
  readonly access: RecordedCheck;
}

/** The absolute paths of what becomes part of prompts: agents' own folders, and the skills of all. */
export interface PromptSources {
  readonly workspaces: readonly string[];
  readonly skills: string;
}

/** The files of every prompt; undefined for those who may change them. */
export function readOnlyFiles(
  authority: Authority,
  { workspaces, skills }: PromptSources,
  open: readonly Opening[],
): ReadOnlyFiles | undefined {
  const [prompt, memory] = [
    may(authority, 'write', { kind: 'prompt-file' }, open),
    may(authority, 'write', { kind: 'memory' }, open),
  ];
  const names = [...(prompt.ok ? [] : PROMPT_FILES), ...(memory.ok ? [] : MEMORY_FILES)];
  if (names.length === 0) return undefined;
  return {
    paths: [...workspaces.flatMap((folder) => names.map((name) => join(folder, name))), ...(prompt.ok ? [] : [skills])],
    access: recordedCheck(prompt.ok ? memory : prompt),
    why: `is part of what every turn is told, so it stays as it is. ${reasonOf(prompt.ok ? memory : prompt)}`,
  };
}
