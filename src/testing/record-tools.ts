/** Records every tool as each vendor's server receives it from the vendor's real client. */
import type { JSONSchema7, LanguageModelV4FunctionTool } from '@ai-sdk/provider';
import { schemaFor } from '../agent/schema/schema-for.ts';
import { silentLog } from '../core/log.ts';
import { present } from '../core/present.ts';
import type { ChatProvider, ProviderApi } from '../core/provider.ts';
import type { Tool } from '../core/tool.ts';
import { pluginsConfigSchema } from '../plugins/config.ts';
import { createPluginLoader } from '../plugins/load.ts';
import { startFakeModels } from './fake-models/fake-model-server.ts';
import { asks, readStream } from './read-stream.ts';

export const WIRES: readonly (readonly [ProviderApi, string])[] = [
  ['openai-completions', 'openai-compatible'],
  ['openai-responses', 'openai'],
  ['anthropic-messages', 'anthropic'],
  ['google-generative-ai', 'google'],
];

const loader = createPluginLoader({
  closed: [],
  config: pluginsConfigSchema.parse(undefined),
  log: silentLog,
  home: '/nowhere',
});

export const productTools = (): Promise<readonly Tool[]> => loader.loadTools();

/** The declarations as they stand in the request, by name of the tool, by wire. */
export type Recordings = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

export async function recordTools(tools: readonly Tool[]): Promise<Recordings> {
  const recorded: Record<string, Record<string, unknown>> = Object.fromEntries(tools.map(({ name }) => [name, {}]));
  for (const [api, id] of WIRES) {
    const { tools: sent } = await requestBody([api, id], tools);
    for (const declaration of declarationsIn(api, sent)) recorded[nameOf(declaration)]![api] = declaration;
  }
  return recorded;
}

/** What the vendor's client sends for a turn with these tools. */
export async function requestBody(
  [api, id]: readonly [ProviderApi, string],
  tools: readonly Tool[],
): Promise<Readonly<Record<string, unknown>>> {
  await using server = await startFakeModels();
  const provider = (await loader.loadProvider(id)) as ChatProvider;
  const model = await provider.chat('fake', { id, api, baseUrl: server.url, apiKey: 'k', models: [] });
  const shown = tools.map(
    (tool): LanguageModelV4FunctionTool => ({
      type: 'function',
      name: tool.name,
      description: tool.description,
      inputSchema: schemaFor(api, tool) as JSONSchema7,
    }),
  );
  await readStream(model, { ...asks('go'), ...present({ tools: shown.length > 0 ? shown : undefined }) });
  return server.requests[0]!.body;
}

/** Google has one tool with many functions, Completions wraps each function. */
const declarationsIn = (api: ProviderApi, sent: unknown): readonly object[] =>
  api === 'google-generative-ai'
    ? (sent as { functionDeclarations: object[] }[]).flatMap((one) => one.functionDeclarations)
    : (sent as object[]);

/** What a vendor reads out of one declaration. */
export function declared(declaration: unknown): {
  readonly name: string;
  readonly description: string;
  readonly schema: Readonly<Record<string, unknown>>;
} {
  const outer = declaration as Readonly<Record<string, any>>;
  const { name, description, parameters, input_schema, parametersJsonSchema } = outer['function'] ?? outer;
  return { name, description, schema: parameters ?? input_schema ?? parametersJsonSchema };
}

const nameOf = (declaration: object): string => declared(declaration).name;

/** As a file has it. */
export const recordingText = (recording: Readonly<Record<string, unknown>>): string =>
  `${JSON.stringify(recording, null, 1)}\n`;
