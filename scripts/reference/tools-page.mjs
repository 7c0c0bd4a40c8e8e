/** Generates docs/reference/tools.md from the tools: the folders in `src/tools`, and in `tools` of a feature. */
import { globSync } from 'node:fs';
import { z } from 'zod';
import { root } from '../progress.mjs';
import { fields } from './json-schema.mjs';
import { code, page, table } from './markdown.mjs';

export async function toolsPage() {
  const modules = await Promise.all(
    globSync(['src/tools/*/index.ts', 'src/features/*/tools/*/index.ts'], { cwd: root })
      .sort()
      .map((path) => import(new URL(`../../${path}`, import.meta.url).href)),
  );
  const tools = modules.flatMap((module) => module.default).sort((a, b) => (a.name < b.name ? -1 : 1));
  return page(
    {
      title: 'Tools',
      summary: 'Every tool the agent can call, with its parameters',
      readWhen: ['you want to know what the agent can do', 'you write a tool policy'],
      from: 'the tools in `src/tools/` and those of features',
    },
    tools.map(section).join('\n\n'),
  );
}

const section = (tool) => `## ${tool.name}

${tool.description}

${tool.readOnly ? 'Only reads: after a crash it is simply run again.' : 'Has effects: after a crash an unfinished call is reported to the model as of unknown outcome.'}

${table(
  ['parameter', 'type', 'required', 'meaning'],
  fields(z.toJSONSchema(tool.input, { io: 'input', unrepresentable: 'any' })).map(
    ({ path, type, required, description }) => [code(path), code(type), required ? 'yes' : '', description],
  ),
)}`;
