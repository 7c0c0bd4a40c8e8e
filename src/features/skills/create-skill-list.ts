/** The skills an agent finds, with what each needs of this machine; looked up when somebody asks. */
import { dirname, sep } from 'node:path';
import { AppError } from '../../core/errors.ts';
import { head } from '../../core/cut.ts';
import type { Host } from '../../host/host.ts';
import type { Env } from '../../platform/env.ts';
import { readTextIfExists } from '../../platform/files.ts';
import { findProgram } from '../../platform/find-program.ts';
import type { AgentSkill, SkillAnswers } from './answers.ts';
import { requirementsOf, type Requirement } from './requirements.ts';

export interface SkillList {
  list(agentId?: string): Promise<SkillAnswers['skills.list']>;
  /** Unknown: rejects with `not_found`. */
  read(name: string, agentId?: string): Promise<SkillAnswers['skills.read']>;
}

interface SkillListDeps {
  readonly agents: Pick<Host['agents'], 'defaultId' | 'resolve' | 'skills'>;
  readonly env: Pick<Env, 'vars'>;
  folderOf(agentId: string): string;
  /** The folder of the skills of all agents. */
  readonly shared: string;
}

const MAX_CHARS = 200_000;
const NODE_SYSTEMS: Readonly<Record<string, string>> = { macos: 'darwin', windows: 'win32' };

export function createSkillList({ agents, env, folderOf, shared }: SkillListDeps): SkillList {
  const met = async ({ kind, names }: Requirement): Promise<boolean> => {
    if (kind === 'system') return names.some((name) => (NODE_SYSTEMS[name] ?? name) === process.platform);
    if (kind === 'variable') return names.every((name) => Boolean(env.vars[name]));
    for (const name of names) if (await findProgram(name, env.vars['PATH'])) return true;
    return false;
  };

  return {
    async list(written) {
      const { id: agentId, skills: usable } = agents.resolve(written ?? agents.defaultId());
      const skills: AgentSkill[] = [];
      for (const { name, description, path } of await agents.skills(agentId)) {
        const needed = requirementsOf((await readTextIfExists(path)) ?? '');
        const requirements = await Promise.all(
          needed.map(async (one) => ({
            kind: one.kind,
            name: one.names.join(', '),
            met: await met(one),
            install: one.install,
          })),
        );
        skills.push({
          name,
          description,
          path,
          from: path.startsWith(`${shared}${sep}`) ? 'shared' : 'workspace',
          enabled: usable?.includes(name) ?? true,
          ready: requirements.every((one) => one.met),
          requirements,
        });
      }
      return { agentId, folders: [`${folderOf(agentId)}${sep}skills`, shared], skills };
    },

    async read(name, written) {
      const { id } = agents.resolve(written ?? agents.defaultId());
      const skill = (await agents.skills(id)).find((one) => one.name === name);
      const content = skill && (await readTextIfExists(skill.path));
      if (!skill || content === undefined)
        throw new AppError('not_found', `Agent "${id}" has no skill "${head(name, 64)}".`, {
          details: { folder: skill && dirname(skill.path) },
        });
      return { name, path: skill.path, content: head(content, MAX_CHARS) };
    },
  };
}
