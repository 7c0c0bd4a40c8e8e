/** Finds the skills of an agent: folders with a SKILL.md that gives a name and a description. */
import { basename, dirname, join } from 'node:path';
import { readTextIfExists } from '../../platform/files.ts';
import { FAR_FILES, type NearFiles } from '../../platform/near-files.ts';
import { readFrontMatter } from './front-matter.ts';
import { head } from '../../core/cut.ts';

export interface Skill {
  readonly name: string;
  readonly description: string;
  /** Absolute path of its SKILL.md. */
  readonly path: string;
}

export interface Skills {
  /**
   * By name; a skill of the workspace hides one of the same name elsewhere. The same array object while nothing
   * changed.
   */
  list(folders: readonly string[]): Promise<readonly Skill[]>;
}

/** A SKILL.md is a page or two. */
const MAX_BYTES = 1024 * 1024;

interface Found {
  readonly path: string;
  readonly stamp: string;
}

/** `folders` come with precedence: `<workspace>/skills` before `<stateDir>/skills`. */
export function createSkills(files: NearFiles = FAR_FILES): Skills {
  const known = new Map<string, { readonly stamp: string; readonly skills: readonly Skill[] }>();
  return {
    async list(folders) {
      const found = (await Promise.all(folders.map((folder) => findSkills(folder, files)))).flat();
      const stamp = found.map((one) => `${one.path} ${one.stamp}`).join('\n');
      const key = folders.join('\n');
      const before = known.get(key);
      if (before?.stamp === stamp) return before.skills;
      const skills = await readSkills(found);
      known.set(key, { stamp, skills });
      return skills;
    },
  };
}

async function findSkills(folder: string, files: NearFiles): Promise<readonly Found[]> {
  const entries = await files.list(folder);
  const found = await Promise.all(
    entries
      .filter((entry) => entry.kind !== 'file' && !entry.name.startsWith('.'))
      .map(async (entry): Promise<Found[]> => {
        const path = join(folder, entry.name, 'SKILL.md');
        const facts = await files.stat(path);
        return facts?.kind === 'file' && facts.size <= MAX_BYTES
          ? [{ path, stamp: `${facts.inode}:${facts.modifiedAt}:${facts.size}` }]
          : [];
      }),
  );
  return found.flat();
}

/** One without a description is left out: nothing would tell the model when to read it. */
async function readSkills(found: readonly Found[]): Promise<readonly Skill[]> {
  const byName = new Map<string, Skill>();
  for (const { path } of found) {
    // one after the other: there may be more of them than free descriptors
    const matter = readFrontMatter((await readTextIfExists(path)) ?? '');
    const name = matter['name']?.trim() || basename(dirname(path));
    const description = matter['description']?.replace(/\s+/g, ' ').trim();
    if (description && !byName.has(name)) byName.set(name, { name, description: head(description, 500), path });
  }
  return [...byName.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
}
