/** Every tool of the product as each vendor's server really receives it. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { JSONSchema7, LanguageModelV4FunctionTool } from '@ai-sdk/provider';
import { silentLog } from '../../core/log.ts';
import type { ChatProvider, ProviderApi } from '../../core/provider.ts';
import type { Tool } from '../../core/tool.ts';
import { pluginsConfigSchema } from '../../plugins/config.ts';
import { createPluginLoader } from '../../plugins/load.ts';
import { startFakeModels } from '../../testing/fake-models/fake-model-server.ts';
import { asks, readStream } from '../../testing/read-stream.ts';
import { mapNamed, schemaOf, type JsonSchema } from './json-schema.ts';
import { schemaFor } from './schema-for.ts';

const WIRES: readonly (readonly [ProviderApi, string])[] = [['openai-completions', 'openai-compatible'], ['openai-responses', 'openai'], ['anthropic-messages', 'anthropic'], ['google-generative-ai', 'google']];
const GEMINI_TAKES = ['type', 'description', 'enum', 'properties', 'required', 'items', 'nullable'];
const loader = createPluginLoader({ config: pluginsConfigSchema.parse(undefined), log: silentLog, home: '/nowhere' });

/** Every schema inside a schema, itself first. */
function* nested(schema: JsonSchema): Generator<JsonSchema> {
  yield schema;
  for (const property of Object.values(mapNamed(schema['properties'], (inner) => inner))) yield* nested(property);
  if (schema['items'] !== undefined) yield* nested(schemaOf(schema['items']));
  for (const variant of [schema['anyOf'], schema['oneOf'], schema['allOf']].flat()) if (variant) yield* nested(schemaOf(variant));
}

async function received(api: ProviderApi, id: string, tools: readonly Tool[]): Promise<readonly { name: string; schema: unknown }[]> {
  await using server = await startFakeModels();
  const provider = (await loader.loadProvider(id)) as ChatProvider | undefined;
  assert.ok(provider);
  const model = await provider.chat('fake', { id, api, baseUrl: server.url, apiKey: 'k', models: [] });
  const shown = tools.map((tool): LanguageModelV4FunctionTool => ({ type: 'function', name: tool.name, description: tool.description, inputSchema: schemaFor(api, tool) as JSONSchema7 }));
  await readStream(model, { ...asks('go'), tools: shown });
  return server.requests[0]?.tools ?? [];
}

describe('the tools of the product on the wire', () => {
  for (const [api, id] of WIRES)
    it(`are taken by ${api}`, async () => {
      const tools = await loader.loadTools();
      assert.ok(tools.length > 0);
      const seen = await received(api, id, tools);
      assert.deepEqual(seen.map(({ name }) => name), tools.map(({ name }) => name));
      for (const { name, schema } of seen) {
        assert.deepEqual(schema, schemaFor(api, tools.find((tool) => tool.name === name)!), name);
        assert.equal(schemaOf(schema)['type'], 'object', name);
        for (const inner of nested(schemaOf(schema))) {
          assert.notEqual(inner['type'], 'integer', `${name}: use number`);
          for (const keyword of ['anyOf', 'oneOf', 'allOf', '$ref', '$schema', '$defs']) assert.ok(!(keyword in inner), `${name} uses ${keyword}: write a flat object with string enums`);
          if (api === 'google-generative-ai') assert.deepEqual(Object.keys(inner).filter((keyword) => !GEMINI_TAKES.includes(keyword)), [], name);
        }
      }
    });
});
