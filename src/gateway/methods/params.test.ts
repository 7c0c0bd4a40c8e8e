// Parameters: everything the published schemas allow is accepted; unknown fields are refused by name.
import { ProtocolSchemas } from '@openclaw/gateway-protocol/schema';
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { describeProblem } from '../../protocol/fields.ts';
import { connectParams as connectSchema } from '../../protocol/connect.ts';
import { PARAMETERS } from '../../protocol/parameters.ts';
import { methodTable } from './table.ts';
import { everyMethod } from '../../testing/every-method.ts';

const { methods: METHODS } = await everyMethod();

const PUBLISHED: Readonly<Record<string, string>> = {
  'chat.send': 'ChatSendParams',
  'chat.history': 'ChatHistoryParams',
  'chat.abort': 'ChatAbortParams',
  'chat.inject': 'ChatInjectParams',
  agent: 'AgentParams',
  'agent.wait': 'AgentWaitParams',
  'agent.identity.get': 'AgentIdentityParams',
  'agents.list': 'AgentsListParams',
  'models.list': 'ModelsListParams',
  'sessions.list': 'SessionsListParams',
  'sessions.preview': 'SessionsPreviewParams',
  'sessions.resolve': 'SessionsResolveParams',
  'sessions.patch': 'SessionsPatchParams',
  'sessions.reset': 'SessionsResetParams',
  'sessions.delete': 'SessionsDeleteParams',
  'sessions.compact': 'SessionsCompactParams',
  'sessions.messages.subscribe': 'SessionsMessagesSubscribeParams',
  'sessions.messages.unsubscribe': 'SessionsMessagesUnsubscribeParams',
  'config.get': 'ConfigGetParams',
  'config.set': 'ConfigSetParams',
  'config.patch': 'ConfigPatchParams',
  'config.apply': 'ConfigApplyParams',
  'config.schema': 'ConfigSchemaParams',
  'cron.status': 'CronStatusParams',
  'cron.list': 'CronListParams',
  'cron.runs': 'CronRunsParams',
  'cron.get': 'CronGetParams',
  'cron.remove': 'CronRemoveParams',
  'cron.run': 'CronRunParams',
  'cron.update': 'CronUpdateParams',
  'update.run': 'UpdateRunParams',
  'update.status': 'UpdateStatusParams',
  'tools.catalog': 'ToolsCatalogParams',
  'tools.effective': 'ToolsEffectiveParams',
  'tools.invoke': 'ToolsInvokeParams',
  'logs.tail': 'LogsTailParams',
  send: 'SendParams',
  poll: 'PollParams',
  'message.action': 'MessageActionParams',
  wake: 'WakeParams',
  'channels.status': 'ChannelsStatusParams',
  'providers.status': 'ChannelsStatusParams',
  'exec.approval.get': 'ExecApprovalGetParams',
  'exec.approval.request': 'ExecApprovalRequestParams',
  'exec.approval.resolve': 'ExecApprovalResolveParams',
  'exec.approvals.get': 'ExecApprovalsGetParams',
  'exec.approvals.set': 'ExecApprovalsSetParams',
  'device.pair.list': 'DevicePairListParams',
  'device.pair.approve': 'DevicePairApproveParams',
  'device.pair.reject': 'DevicePairRejectParams',
  'device.pair.remove': 'DevicePairRemoveParams',
  'device.token.rotate': 'DeviceTokenRotateParams',
  'device.token.revoke': 'DeviceTokenRevokeParams',
};

/** Free text on the wire, a closed list for us: a wrong word is a wrong value, not an unknown parameter. */
const WORDS: Readonly<Record<string, unknown>> = {
  thinkingLevel: 'low',
  verboseLevel: 'on',
  reasoningLevel: 'stream',
  elevatedLevel: 'ask',
  role: 'operator',
};

interface Node {
  type?: string;
  anyOf?: Node[];
  allOf?: Node[];
  const?: unknown;
  enum?: unknown[];
  properties?: Record<string, Node>;
  required?: string[];
  items?: Node;
  minimum?: number;
  minLength?: number;
  minItems?: number;
  pattern?: string;
  patternProperties?: Record<string, Node>;
}

/** One value the schema allows. */
function sample(node: Node, name = ''): unknown {
  if (name in WORDS) return WORDS[name];
  if (node.const !== undefined) return node.const;
  if (node.enum) return node.enum[0];
  if (node.anyOf) return sample(node.anyOf[0]!, name);
  switch (node.type) {
    case 'string':
      return 'x'.repeat(Math.max(node.minLength ?? 0, 1));
    case 'integer':
    case 'number':
      return Math.max(node.minimum ?? 0, 1);
    case 'boolean':
      return true;
    case 'null':
      return null;
    case 'array':
      return Array.from({ length: Math.max(1, node.minItems ?? 0) }, () => sample(node.items ?? {}));
    case 'object':
      return Object.fromEntries(Object.entries(node.properties ?? {}).map(([key, child]) => [key, sample(child, key)]));
    default:
      return 'anything';
  }
}

describe('published parameters', () => {
  for (const [name, schemaName] of Object.entries(PUBLISHED)) {
    it(name, () => {
      const published = (ProtocolSchemas as unknown as Record<string, Node>)[schemaName]!;
      for (const schema of published.anyOf ?? [published]) checkShape(name, schema);
    });
  }

  function checkShape(name: string, schema: Node): void {
    const full = sample(schema) as Record<string, unknown>;
    const { params } = METHODS[name]!;
    const minimal = Object.fromEntries((schema.required ?? []).map((key) => [key, full[key]]));
    for (const [key, child] of [['', {}] as const, ...Object.entries(schema.properties ?? {})]) {
      const alternatives =
        key && (child as Node).anyOf ? (child as Node).anyOf!.map((one) => sample(one, key)) : [full[key]];
      for (const value of alternatives) {
        const parsed = params.safeParse(key ? { ...minimal, [key]: value } : minimal);
        assert.equal(
          parsed.success,
          true,
          `${key} = ${JSON.stringify(value)}: ${parsed.success ? '' : describeProblem(parsed.error)}`,
        );
      }
    }
    if (name === 'wake') return;
    const extra = params.safeParse({ ...minimal, surprise: 1 });
    assert.equal(extra.success ? '' : describeProblem(extra.error), 'unknown property "surprise"');
  }

  it('connect', () => {
    const schema = ProtocolSchemas.ConnectParams as unknown as Node;
    const full = sample(schema);
    const parsed = connectSchema.safeParse(full);
    assert.equal(parsed.success ? '' : describeProblem(parsed.error), '');
    for (const id of (schema.properties!.client!.properties!.id!.enum ??
      schema.properties!.client!.properties!.id!.anyOf!.map((one) => one.const)) as string[])
      assert.equal(
        connectSchema.safeParse({ ...(full as object), client: { ...(full as any).client, id } }).success,
        true,
        id,
      );
  });
});

it('takes what the table of src/protocol says, method by method', () => {
  const { methods } = methodTable({ methods: {} });
  const own = Object.entries(methods).filter(([name]) => !name.startsWith('providers.'));
  const table: Readonly<Record<string, unknown>> = PARAMETERS;
  assert.deepEqual(own.map(([name]) => name).sort(), Object.keys(table).sort());
  for (const [name, { params }] of own) assert.equal(params, table[name], name);
});
