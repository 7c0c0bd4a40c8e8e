/** `agents.*` on the wire, besides `agents.list`: what is in force for one, changes of it, and its workspace files. */
import { z } from 'zod';
import { AppError } from '../../core/errors.ts';
import { PROFILE_NAMES } from '../../core/tool-groups.ts';
import { defineMethods, type MethodWorks } from '../../host/method.ts';
import { bindingFields, MAX_BINDINGS } from '../../protocol/access.ts';
import type { AgentFiles } from './agent-files.ts';
import type { AgentSettings } from './agent-settings.ts';
import type { AgentAnswers } from './answers.ts';

const MAX_FILE_CHARS = 1024 * 1024;

const agentId = z.string().trim().min(1).max(64);
const word = z.string().trim().max(200);
const model = z.string().trim().min(1).max(512);
const toolNames = z.array(word.min(1)).max(500).nullish();
/** One file directly in the folder of the agent: no path, nothing hidden. */
const fileName = z
  .string()
  .max(100)
  .regex(/^[A-Za-z0-9_][A-Za-z0-9_ .-]*\.md$/i, 'must be the name of a Markdown file, without a folder');

export const agentSpecs = defineMethods({
  'agents.describe': {
    summary: 'What is in force for one agent: identity, folder, models, skills.',
    needs: 'operator.read',
    params: z.strictObject({ agentId: agentId.optional().describe('Default: the default agent.') }),
  },
  'agents.create': {
    summary: 'Adds an agent to the configuration.',
    needs: 'operator.admin',
    params: z.strictObject({
      agentId,
      name: word.optional(),
      emoji: word.max(16).optional(),
      workspace: z.string().trim().min(1).max(1024).optional().describe('Default: beside the folder of the others.'),
    }),
  },
  'agents.update': {
    summary: 'Changes what the configuration says of an agent. Null removes a value, so that the general one counts.',
    needs: 'operator.admin',
    params: z.strictObject({
      agentId,
      identity: z
        .strictObject({
          name: word.nullish(),
          theme: word.nullish(),
          emoji: word.max(16).nullish(),
          avatar: z.string().trim().max(2048).nullish(),
        })
        .optional(),
      model: z
        .strictObject({ primary: model.optional(), fallbacks: z.array(model).max(16).optional() })
        .nullish()
        .describe('Null: the model of all agents.'),
      skills: z.array(word.min(1)).max(500).nullish().describe('Skills it may use. Null: all.'),
      tools: z
        .strictObject({
          profile: z.enum(PROFILE_NAMES).nullish(),
          allow: toolNames,
          deny: toolNames,
          alsoAllow: toolNames,
        })
        .optional()
        .describe('Tools of this agent. Null: what is said of all agents.'),
      isDefault: z.literal(true).optional().describe('It answers what no binding sends elsewhere.'),
    }),
  },
  'agents.delete': {
    summary: 'Removes an agent and its bindings from the configuration. Its folder and its sessions stay.',
    needs: 'operator.admin',
    params: z.strictObject({ agentId }),
  },
  'agents.bindings.set': {
    summary:
      'Saves which agent answers where: all bindings in their order. Those that are kept stay as they are written.',
    needs: 'operator.admin',
    params: z.strictObject({
      bindings: z
        .array(z.union([z.strictObject({ keep: z.number().int().min(0) }), bindingFields]))
        .max(MAX_BINDINGS)
        .describe('`keep`: the place of a binding in the configuration as it is.'),
      baseHash: z.string().max(64).describe('`hash` of the configuration they were made for.'),
    }),
  },
  'agents.files.list': {
    summary: 'The Markdown files in the folder of an agent, those of its prompt first.',
    needs: 'operator.read',
    params: z.strictObject({ agentId }),
  },
  'agents.files.get': {
    summary: 'The text of a Markdown file in the folder of an agent.',
    needs: 'operator.read',
    params: z.strictObject({ agentId, name: fileName }),
  },
  'agents.files.set': {
    summary: 'Writes a Markdown file in the folder of an agent, if it still is what was read.',
    needs: 'operator.admin',
    params: z.strictObject({
      agentId,
      name: fileName,
      content: z.string().max(MAX_FILE_CHARS),
      baseHash: z.string().max(64).describe('`hash` of what was read; empty for a file that is not there.'),
    }),
  },
});

interface AgentMethodDeps {
  readonly settings: AgentSettings;
  readonly files: AgentFiles;
  changed(agentId: string): void;
}

export function agentMethods({
  settings,
  files,
  changed,
}: AgentMethodDeps): MethodWorks<typeof agentSpecs, AgentAnswers> {
  const known = (written: string): string => settings.describe(written).agentId;
  return {
    'agents.describe': ({ agentId: written }) => settings.describe(written),
    'agents.create': (agent) => settings.create(agent),
    async 'agents.update'({ agentId: written, ...change }) {
      if (Object.keys(change).length === 0) throw new AppError('invalid', 'Say what to change.');
      return settings.update(known(written), change);
    },
    'agents.delete': ({ agentId: written }) => settings.remove(known(written)),
    'agents.bindings.set': ({ bindings, baseHash }) => settings.setBindings(bindings, baseHash),
    'agents.files.list': async ({ agentId: written }) => files.list(known(written)),
    'agents.files.get': async ({ agentId: written, name }) => files.read(known(written), name),
    async 'agents.files.set'({ agentId: written, ...file }) {
      const saved = await files.write(known(written), file);
      changed(saved.agentId);
      return saved;
    },
  };
}
