/** The caller's own function tools and the choice among them, from either request shape. */
import { z } from 'zod';
import { present } from '../../core/present.ts';
import type { ClientTool, TurnOptions } from '../../core/turn.ts';
import { invalid } from './content.ts';

const definition = {
  name: z.string().regex(/^[a-zA-Z0-9_-]{1,64}$/, 'must be 1 to 64 letters, digits, _ or -'),
  description: z.string().nullish(),
  parameters: z.record(z.string(), z.unknown()).nullish(),
  strict: z.boolean().nullish(),
};

/** Chat nests the definition under `function`; Responses does not. Other kinds of tool are refused by name. */
export const chatTool = z.object({ type: z.string(), function: z.object(definition).optional() });
export const responsesTool = z.object({ type: z.string(), ...definition, name: definition.name.optional() });

const mode = z.enum(['auto', 'none', 'required']);
const allowedTools = z.object({
  type: z.literal('allowed_tools'),
  mode: mode.default('auto'),
  tools: z
    .array(z.object({ name: z.string().optional(), function: z.object({ name: z.string() }).optional() }))
    .min(1)
    .max(128),
});
export const chatToolChoice = z.union([
  mode,
  z.object({ type: z.literal('function'), function: z.object({ name: z.string() }) }),
  z.object({ type: z.literal('allowed_tools'), allowed_tools: allowedTools.omit({ type: true }) }),
]);
export const responsesToolChoice = z.union([
  mode,
  z.object({ type: z.literal('function'), name: z.string() }),
  allowedTools,
]);

export interface FunctionTool extends ClientTool {
  readonly strict: boolean | null;
}

const MAX_TOOLS = 128;
const NO_PARAMETERS = { type: 'object', properties: {} };

export function readTools(
  input: readonly (z.output<typeof chatTool> | z.output<typeof responsesTool>)[] | null | undefined,
): FunctionTool[] {
  if ((input?.length ?? 0) > MAX_TOOLS) throw invalid(`At most ${MAX_TOOLS} tools are accepted.`, 'tools');
  const tools = (input ?? []).map((tool, index): FunctionTool => {
    const found = 'function' in tool ? tool.function : 'name' in tool ? tool : undefined;
    if (tool.type !== 'function')
      throw invalid(
        `Tools of type "${tool.type}" are not supported; the agent has its own tools. Use type "function" for yours.`,
        `tools[${index}].type`,
        'unsupported_value',
      );
    if (!found?.name) throw invalid('A function tool needs a name.', `tools[${index}]`);
    return present({
      name: found.name,
      parameters: found.parameters ?? NO_PARAMETERS,
      strict: found.strict ?? null,
      description: found.description || undefined,
    });
  });
  const twice = tools.find(({ name }, index) => tools.findIndex((other) => other.name === name) !== index);
  if (twice) throw invalid(`Two tools have the name "${twice.name}".`, 'tools');
  return tools;
}

type Choice = z.output<typeof chatToolChoice> | z.output<typeof responsesToolChoice>;

/** `allowed_tools` narrows what the model is shown: a tool it never sees it cannot call. */
export function toolOptions(
  tools: readonly FunctionTool[],
  choice: Choice | null | undefined,
): Pick<TurnOptions, 'clientTools' | 'toolChoice'> {
  const { allowed, toolChoice } = readChoice(choice);
  const known = new Set(tools.map(({ name }) => name));
  const unknown = [...(allowed ?? []), ...(typeof toolChoice === 'object' ? [toolChoice.tool] : [])].find(
    (name) => !known.has(name),
  );
  if (unknown !== undefined)
    throw invalid(`"tool_choice" names "${unknown}", which is not among the tools.`, 'tool_choice');
  const clientTools = tools
    .filter(({ name }) => !allowed || allowed.includes(name))
    .map(({ strict: _strict, ...tool }): ClientTool => tool);
  return present({ clientTools: clientTools.length > 0 ? clientTools : undefined, toolChoice });
}

function readChoice(choice: Choice | null | undefined): {
  allowed?: readonly string[];
  toolChoice?: NonNullable<TurnOptions['toolChoice']>;
} {
  if (choice === null || choice === undefined) return {};
  if (typeof choice === 'string') return { toolChoice: choice };
  if (choice.type === 'function')
    return { toolChoice: { tool: 'function' in choice ? choice.function.name : choice.name } };
  const { tools, mode: toolChoice } = 'allowed_tools' in choice ? choice.allowed_tools : choice;
  return { allowed: tools.map((tool) => tool.name ?? tool.function?.name ?? ''), toolChoice };
}
