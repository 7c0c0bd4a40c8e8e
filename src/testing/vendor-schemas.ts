/** Checks a function declaration against each vendor's documentation; returns the problems as sentences. */
import type { ProviderApi } from '../core/provider.ts';

type Schema = Readonly<Record<string, unknown>>;
interface Subset {
  readonly name: RegExp;
  /** Characters. */
  readonly description: number;
  readonly parameter: RegExp;
  readonly keywords: readonly string[];
  readonly types: readonly string[];
}

/**
 * JSON Schema as far as our tools and those of plugins use it; OpenAI (non-strict) and Anthropic read all of it below
 * the root.
 */
const JSON_SCHEMA = [
  'type',
  'description',
  'title',
  'enum',
  'const',
  'default',
  'examples',
  'format',
  'properties',
  'required',
  'additionalProperties',
  'propertyNames',
  'patternProperties',
  'items',
  'additionalItems',
  'anyOf',
  'oneOf',
  'allOf',
  'not',
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'multipleOf',
  'minLength',
  'maxLength',
  'pattern',
  'minItems',
  'maxItems',
  'uniqueItems',
  'minProperties',
  'maxProperties',
];
const TYPES = ['object', 'array', 'string', 'number', 'boolean'];

/** platform.openai.com/docs/guides/function-calling; the length of a description is what its servers answer. */
const OPENAI: Subset = {
  name: /^[A-Za-z0-9_-]{1,64}$/,
  description: 1024,
  parameter: /^/,
  keywords: JSON_SCHEMA,
  types: [...TYPES, 'null'],
};
/** docs.anthropic.com/en/docs/agents-and-tools/tool-use/implement-tool-use */
const ANTHROPIC: Subset = {
  name: /^[A-Za-z0-9_-]{1,64}$/,
  description: 10_000,
  parameter: /^[A-Za-z0-9_.-]{1,64}$/,
  keywords: JSON_SCHEMA,
  types: [...TYPES, 'null'],
};
/** ai.google.dev/api/caching#FunctionDeclaration and #Schema: the part that every generation of it takes. */
const GEMINI: Subset = {
  name: /^[A-Za-z_][A-Za-z0-9_.-]{0,63}$/,
  description: 10_000,
  parameter: /^/,
  keywords: ['type', 'description', 'enum', 'properties', 'required', 'items', 'nullable'],
  types: TYPES,
};

const SUBSETS: Readonly<Record<ProviderApi, Subset>> = {
  'openai-completions': OPENAI,
  'openai-responses': OPENAI,
  'anthropic-messages': ANTHROPIC,
  'google-generative-ai': GEMINI,
};

export interface Declaration {
  readonly name: string;
  readonly description?: string | undefined;
  readonly schema: Schema;
}

export function declarationProblems(
  api: ProviderApi,
  { name, description = '', schema }: Declaration,
): readonly string[] {
  const subset = SUBSETS[api];
  const names = Object.keys(recordOf(schema['properties']));
  return [
    ...(subset.name.test(name) ? [] : [`the name ${name} is not taken`]),
    ...(description.length <= subset.description ? [] : [`the description has ${description.length} characters`]),
    ...names
      .filter((parameter) => !subset.parameter.test(parameter))
      .map((parameter) => `the parameter ${JSON.stringify(parameter)} is not taken`),
    ...schemaProblems(api, schema),
  ];
}

export function schemaProblems(api: ProviderApi, schema: Schema): readonly string[] {
  const unions = ['anyOf', 'oneOf', 'allOf', 'not', 'enum', '$ref'].filter((keyword) => keyword in schema);
  return [
    ...(schema['type'] === 'object' ? [] : ['the root is no object']),
    ...unions.map((keyword) => `the root has ${keyword}`),
    ...nodeProblems(schema, { subset: SUBSETS[api], at: '', gemini: api === 'google-generative-ai' }),
  ];
}

interface Where {
  readonly subset: Subset;
  readonly at: string;
  readonly gemini: boolean;
}

function nodeProblems(node: Schema, where: Where): readonly string[] {
  const { subset, at } = where;
  const problem = (what: string): string => `${at || 'the root'}: ${what}`;
  const types = [node['type']].flat().filter((type) => type !== undefined);
  const properties = recordOf(node['properties']);
  return [
    ...Object.keys(node)
      .filter((keyword) => !subset.keywords.includes(keyword))
      .map((keyword) => problem(`${keyword} is not taken`)),
    ...types
      .filter((type) => !subset.types.includes(String(type)))
      .map((type) => problem(`the type ${String(type)} is not taken`)),
    ...[node['required'] ?? []]
      .flat()
      .filter((name) => typeof name !== 'string' || (where.gemini && !Object.hasOwn(properties, name)))
      .map((name) => problem(`${String(name)} is required and unknown`)),
    ...(where.gemini ? geminiProblems(node, properties, at === '').map(problem) : []),
    ...below(node, properties).flatMap(([step, child]) => nodeProblems(child, { ...where, at: `${at}/${step}` })),
  ];
}

function geminiProblems(node: Schema, properties: Schema, isRoot: boolean): readonly string[] {
  const { type, enum: values } = node;
  return [
    ...(typeof type === 'string' ? [] : ['it has not one type']),
    ...(type === 'array' && !isObject(node['items']) ? ['an array without items'] : []),
    ...(type === 'object' && !isRoot && Object.keys(properties).length === 0 ? ['an object without properties'] : []),
    ...(values === undefined ||
    (type === 'string' &&
      Array.isArray(values) &&
      values.length > 0 &&
      values.every((value) => typeof value === 'string'))
      ? []
      : ['an enum of something else than strings']),
  ];
}

function below(node: Schema, properties: Schema): readonly (readonly [string, Schema])[] {
  const lists = ['anyOf', 'oneOf', 'allOf'].flatMap((keyword) =>
    [node[keyword] ?? []].flat().map((child, index) => [`${keyword}/${index}`, child] as const),
  );
  return [
    ...Object.entries(properties),
    ['items', node['items']] as const,
    ['additionalProperties', node['additionalProperties']] as const,
    ...lists,
  ].filter((entry): entry is [string, Schema] => isObject(entry[1]));
}

const isObject = (value: unknown): value is Schema =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const recordOf = (value: unknown): Schema => (isObject(value) ? value : {});
