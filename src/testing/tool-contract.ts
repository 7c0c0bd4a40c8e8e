/** The contract suite of tools, run by each `src/tools/<name>/<name>.test.ts`. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseToolInput } from '../agent/schema/parse-tool-input.ts';
import { schemaFor } from '../agent/schema/schema-for.ts';
import { asAppError } from '../core/errors.ts';
import { silentLog } from '../core/log.ts';
import { present } from '../core/present.ts';
import type { ProviderApi } from '../core/provider.ts';
import type { SessionKey } from '../core/session-key.ts';
import { errorResult, type Tool, type ToolContext, type ToolResult } from '../core/tool.ts';
import { textOf } from '../core/transcript.ts';
import { tempDir } from './temp-dir.ts';
import { declarationProblems } from './vendor-schemas.ts';

export interface ToolCase {
  readonly tool: Tool;
  /** Prepares the workspace for `good`. */
  setup?(workspace: string): Promise<void>;
  /** An input that works, as a model would send it. */
  readonly good: Readonly<Record<string, unknown>>;
  /** Inputs that must be refused before the tool runs, with what the error has to mention. */
  readonly bad: readonly { readonly input: unknown; readonly says: RegExp }[];
  /** Inputs that are valid and still cannot work. */
  readonly failing: readonly { readonly input: Readonly<Record<string, unknown>>; readonly says: RegExp }[];
  readonly rpc?: ToolContext['rpc'];
  /** Commands for tools that run some; a fresh one for every test. */
  shell?(): ToolContext['shell'];
  /** What else the tool finds in its context. */
  readonly context?: Partial<ToolContext>;
  /** Everything the tool can change, as text; compared before and after for read-only tools. */
  fingerprint?(workspace: string): Promise<string>;
}

const APIS: readonly (ProviderApi | undefined)[] = [
  'openai-completions',
  'openai-responses',
  'anthropic-messages',
  'google-generative-ai',
  undefined,
];

export function toolContract(given: ToolCase): void {
  const { tool } = given;
  test(`${tool.name}: is named and described`, () => {
    assert.match(tool.name, /^[A-Za-z_][A-Za-z0-9_-]{0,63}$/);
    assert.ok(tool.summary && !tool.summary.includes('\n') && tool.summary.length <= 100, 'summary is one line');
    assert.ok(tool.description.length >= 40, 'description tells how to use it');
  });

  test(`${tool.name}: its schema is one every vendor takes`, () => {
    for (const api of APIS) checkSchema(schemaFor(api, tool), api);
    for (const api of APIS)
      if (api)
        assert.deepEqual(
          declarationProblems(api, { name: tool.name, description: tool.description, schema: schemaFor(api, tool) }),
          [],
          api,
        );
  });

  test(`${tool.name}: bad arguments are refused readably`, () => {
    for (const { input, says } of given.bad) {
      const parsed = parseToolInput(tool, input);
      assert.equal(parsed.ok, false, `accepted ${JSON.stringify(input)}`);
      assert.match(parsed.ok ? '' : parsed.error, says);
    }
  });

  test(`${tool.name}: works, and says something`, () =>
    inWorkspace(given, async (ctx) => {
      const result = await runTool(tool, given.good, ctx);
      assert.notEqual(result.isError, true, textOf(result.content));
      assert.ok(result.content.length > 0);
      assert.doesNotMatch(textOf(result.content), /^MEDIA:/m);
    }));

  test(`${tool.name}: what cannot work is an error result that says why`, () =>
    inWorkspace(given, async (ctx) => {
      for (const { input, says } of given.failing) {
        const result = await runTool(tool, input, ctx);
        assert.equal(result.isError, true, `no error for ${JSON.stringify(input)}`);
        assert.match(textOf(result.content), says);
      }
    }));

  test(`${tool.name}: a stopped turn is respected`, () =>
    inWorkspace(given, async (ctx) => {
      const before = await given.fingerprint?.(ctx.workspace);
      await runTool(tool, given.good, { ...ctx, signal: AbortSignal.abort() });
      if (before !== undefined)
        assert.equal(await given.fingerprint!(ctx.workspace), before, 'it acted after the stop');
    }));

  if (tool.readOnly)
    test(`${tool.name}: changes nothing, run twice`, () =>
      inWorkspace(given, async (ctx) => {
        assert.ok(given.fingerprint, 'a read-only tool is tested with a fingerprint');
        const before = await given.fingerprint(ctx.workspace);
        const first = await runTool(tool, given.good, ctx);
        assert.deepEqual(await runTool(tool, given.good, ctx), first);
        assert.equal(await given.fingerprint(ctx.workspace), before);
      }));
}

/** As the loop does it: arguments checked, whatever is thrown made a result. */
export async function runTool(tool: Tool, raw: unknown, ctx: ToolContext): Promise<ToolResult> {
  const parsed = parseToolInput(tool, raw);
  if (!parsed.ok) return errorResult(parsed.error);
  try {
    return await tool.run(parsed.input, ctx);
  } catch (error) {
    return errorResult(asAppError(error).message);
  }
}

export function toolContext(workspace: string, extra: Partial<ToolContext> = {}): ToolContext {
  return {
    turnId: 'turn-1',
    callId: 'call-1',
    workspace,
    signal: new AbortController().signal,
    log: silentLog,
    progress: () => {},
    route: {
      agentId: 'main',
      sessionKey: 'agent:main:main' as SessionKey,
      matchedBy: 'default',
      replyTo: { channel: 'webchat', accountId: 'default', chat: { kind: 'direct', id: 'me' } },
    },
    rpc: (method) => Promise.reject(new Error(`No ${method} here.`)),
    ...extra,
  };
}

async function inWorkspace(
  { tool, setup, rpc, shell, context }: ToolCase,
  run: (ctx: ToolContext) => Promise<void>,
): Promise<void> {
  await using dir = await tempDir(`tool-${tool.name}`);
  await setup?.(dir.path);
  const commands = shell?.();
  await run(toolContext(dir.path, { ...context, ...present({ rpc, shell: commands }) }));
}

/** A flat object: no unions at the root, no `integer`, every property described. */
function checkSchema(schema: Readonly<Record<string, unknown>>, api: ProviderApi | undefined): void {
  assert.equal(schema['type'], 'object', `${api}: the root is an object`);
  for (const union of ['anyOf', 'oneOf', 'allOf', '$ref'])
    assert.equal(union in schema, false, `${api}: no ${union} at the root`);
  assert.doesNotMatch(JSON.stringify(schema), /"type":"integer"/, `${api}: number, never integer`);
  const properties = (schema['properties'] ?? {}) as Record<string, { description?: string }>;
  for (const [name, property] of Object.entries(properties)) {
    assert.notEqual(name, 'format', 'a vendor drops a parameter of this name');
    assert.ok(property.description, `${api}: ${name} is described`);
  }
}
