/**
 * The Markdown files directly in the folder of an agent: listed, read, and written if they still are what was read. No
 * link leads out of the folder, and what was checked is what is opened.
 */
import { AppError, asAppError } from '../../core/errors.ts';
import { listDir, type FileFacts } from '../../platform/files.ts';
import { sha256Hex } from '../../platform/ids.ts';
import { resolvePath, type PathBounds } from '../../platform/inside.ts';
import { loadReachable, statReachable } from '../../platform/read-inside.ts';
import { replaceFiles } from '../../platform/replace-files.ts';
import type { AgentAnswers, AgentFile } from './answers.ts';

/** An editor in a browser has no use for more, nor has a prompt. */
const MAX_BYTES = 1024 * 1024;
const MAX_LISTED = 200;
const MARKDOWN = /^[A-Za-z0-9_][A-Za-z0-9_ .-]{0,96}\.md$/i;

export interface AgentFiles {
  list(agentId: string): Promise<AgentAnswers['agents.files.list']>;
  read(agentId: string, name: string): Promise<AgentAnswers['agents.files.get']>;
  /** Rejects with `conflict` when the file is not the one of `baseHash`. */
  write(
    agentId: string,
    file: { readonly name: string; readonly content: string; readonly baseHash: string },
  ): Promise<AgentAnswers['agents.files.set']>;
}

interface AgentFilesDeps {
  /** Names that prompts are made of. */
  readonly known: readonly string[];
  workspaceOf(agentId: string): string;
}

export function createAgentFiles({ known, workspaceOf }: AgentFilesDeps): AgentFiles {
  const boundsOf = (agentId: string): PathBounds => {
    const folder = workspaceOf(agentId);
    return { base: folder, roots: [folder], oneNameIn: [folder] };
  };
  const describe = async (name: string, bounds: PathBounds): Promise<readonly AgentFile[]> => {
    const facts = await factsOf(name, bounds);
    const isKnown = known.includes(name);
    if (facts === undefined) return isKnown ? [{ name, known: true, exists: false }] : [];
    if (facts === 'refused' || facts.kind !== 'file') return [];
    return [{ name, known: isKnown, exists: true, size: facts.size, updatedAt: facts.modifiedAt }];
  };
  const read: AgentFiles['read'] = async (agentId, name) => {
    const loaded = await load(name, boundsOf(agentId));
    return loaded
      ? { agentId, name, exists: true, content: textOf(loaded.data, name), hash: sha256Hex(loaded.data) }
      : { agentId, name, exists: false, content: '', hash: '' };
  };

  return {
    async list(agentId) {
      const bounds = boundsOf(agentId);
      const found = (await listDir(bounds.base)).map(({ name }) => name).filter((name) => MARKDOWN.test(name));
      const names = [...known, ...found.filter((name) => !known.includes(name)).sort()].slice(0, MAX_LISTED);
      const files: AgentFile[] = [];
      // One after the other: there may be more of them than free descriptors.
      for (const name of names) files.push(...(await describe(name, bounds)));
      return { agentId, workspace: bounds.base, files };
    },
    read,
    async write(agentId, { name, content, baseHash }) {
      const bounds = boundsOf(agentId);
      const before = await load(name, bounds);
      if ((before ? sha256Hex(before.data) : '') !== baseHash)
        throw new AppError('conflict', `${name} changed since it was read; nothing was written. Read it again.`, {
          details: { hash: before ? sha256Hex(before.data) : '' },
        });
      const data = Buffer.from(content, 'utf8');
      if (data.length > MAX_BYTES) throw new AppError('too_large', `${name} may have ${MAX_BYTES} bytes.`);
      const path = before?.path ?? (await resolvePath(name, bounds));
      await replaceFiles([{ path, shown: name, data, before: before?.facts }]);
      return read(agentId, name);
    },
  };
}

/** What cannot be looked at is not shown. */
async function factsOf(name: string, bounds: PathBounds): Promise<FileFacts | 'refused' | undefined> {
  try {
    return (await statReachable(name, bounds)).facts;
  } catch (error) {
    if (asAppError(error).code !== 'denied') throw error;
    return 'refused';
  }
}

async function load(name: string, bounds: PathBounds) {
  try {
    return await loadReachable(name, bounds, MAX_BYTES);
  } catch (error) {
    if (asAppError(error).code === 'not_found') return undefined;
    throw error;
  }
}

function textOf(data: Buffer, name: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(data);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw new AppError('invalid', `${name} is not UTF-8 text, so it cannot be edited here.`, { cause: error });
  }
}
