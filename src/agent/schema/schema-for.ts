/** Converts the parameters of a tool to the schema each vendor accepts. */
import { z } from 'zod';
import { present } from '../../core/present.ts';
import type { ProviderApi } from '../../core/provider.ts';
import type { Tool } from '../../core/tool.ts';
import type { ClientTool } from '../../core/turn.ts';
import { geminiSchema } from './gemini.ts';
import { inlineRefs } from './inline-refs.ts';
import { isSchema, mapNamed, omit, schemaOf, type JsonSchema } from './json-schema.ts';
import { rootObject } from './root-object.ts';
import { simplify } from './simplify.ts';

type Described = Pick<Tool, 'input'> | Pick<ClientTool, 'parameters'>;

/** Root object, no `$ref`, no unions at the root; for Gemini only the keywords it accepts. */
export function schemaFor(api: ProviderApi | undefined, tool: Described): JsonSchema {
  return api === 'google-generative-ai' ? googleSchema(tool) : plainSchema(tool);
}

/** The schema before any vendor's quirks; `nullable` marks where null may stand. */
export const neutralSchema = oncePerTool((tool) =>
  rootObject(simplify(inlineRefs(omit(sourceOf(tool), '$schema', '$id')))),
);
const plainSchema = oncePerTool((tool) => withoutNullable(neutralSchema(tool)));
const googleSchema = oncePerTool((tool) => geminiSchema(neutralSchema(tool)));

/** Every model call asks again for every tool; the answer of a pure function is kept as long as the tool exists. */
function oncePerTool(compute: (tool: Described) => JsonSchema): (tool: Described) => JsonSchema {
  const known = new WeakMap<Described, JsonSchema>();
  return (tool) => {
    const schema = known.get(tool) ?? compute(tool);
    known.set(tool, schema);
    return schema;
  };
}

function sourceOf(tool: Described): JsonSchema {
  if ('parameters' in tool) return tool.parameters;
  return schemaOf(z.toJSONSchema(tool.input, { io: 'input', target: 'draft-7', unrepresentable: 'any' }));
}

/** OpenAI and Anthropic know no such keyword. */
function withoutNullable(schema: JsonSchema): JsonSchema {
  const plain = omit(schema, 'nullable');
  return {
    ...plain,
    ...present({
      properties: 'properties' in plain ? mapNamed(plain['properties'], withoutNullable) : undefined,
      items: isSchema(plain['items']) ? withoutNullable(plain['items']) : undefined,
      additionalProperties: isSchema(plain['additionalProperties'])
        ? withoutNullable(plain['additionalProperties'])
        : undefined,
      anyOf: Array.isArray(plain['anyOf'])
        ? plain['anyOf'].map((variant) => withoutNullable(schemaOf(variant)))
        : undefined,
    }),
  };
}
