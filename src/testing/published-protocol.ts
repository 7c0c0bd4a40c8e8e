/** Holds every frame the gateway sends against the published protocol package. */
import { ProtocolSchemas } from '@openclaw/gateway-protocol/schema';
import assert from 'node:assert/strict';
import { Compile } from 'typebox/compile';
import type { TSchema } from 'typebox';

type SchemaName = keyof typeof ProtocolSchemas;

const EVENT_SCHEMAS: Readonly<Record<string, SchemaName>> = {
  chat: 'ChatEvent', agent: 'AgentEvent', tick: 'TickEvent', shutdown: 'ShutdownEvent',
  'device.pair.requested': 'DevicePairRequestedEvent', 'device.pair.resolved': 'DevicePairResolvedEvent',
};

/** Methods whose results the package describes. */
const RESULT_SCHEMAS: Readonly<Record<string, SchemaName>> = {
  connect: 'HelloOk', 'agents.list': 'AgentsListResult', 'models.list': 'ModelsListResult', 'agent.identity.get': 'AgentIdentityResult',
  'sessions.resolve': 'SessionsResolveResult', 'sessions.delete': 'SessionsDeleteResult', 'config.schema': 'ConfigSchemaResponse',
  'tools.catalog': 'ToolsCatalogResult', 'tools.effective': 'ToolsEffectiveResult', 'tools.invoke': 'ToolsInvokeResult',
  'exec.approvals.get': 'ExecApprovalsSnapshot', 'exec.approvals.set': 'ExecApprovalsSnapshot',
  'logs.tail': 'LogsTailResult', 'channels.status': 'ChannelsStatusResult', 'device.token.rotate': 'DeviceTokenRotateResult',
};

interface Compiled { Check(value: unknown): boolean; Errors(value: unknown): Iterable<{ instancePath: string; message: string }> }

/** Compiling takes milliseconds per schema, so each is compiled once per validator. */
export interface PublishedProtocol {
  /** Throws when a frame, or what it carries, is not as published. `method` is what a response answers. */
  check(frame: any, method?: string): void;
  /** Names the first fault of a value, or undefined. */
  fault(name: string, value: unknown): string | undefined;
  has(name: string): boolean;
}

export function publishedProtocol(): PublishedProtocol {
  const compiled = new Map<string, Compiled>();
  const schemas = ProtocolSchemas as unknown as Record<string, TSchema>;
  const validator = (name: string): Compiled => compiled.get(name) ?? compiled.set(name, Compile(schemas[name]!) as unknown as Compiled).get(name)!;

  function fault(name: string, value: unknown): string | undefined {
    if (validator(name).Check(value)) return undefined;
    const [first] = validator(name).Errors(value);
    return `${name}${first?.instancePath ?? ''}: ${first?.message ?? 'invalid'}`;
  }
  const must = (name: string, value: unknown): void => assert.equal(fault(name, value), undefined, JSON.stringify(value)?.slice(0, 800));

  return {
    fault,
    has: (name) => name in schemas,
    check(frame, method) {
      must('GatewayFrame', frame);
      if (frame.type === 'event') {
        const schema = EVENT_SCHEMAS[frame.event];
        if (schema) must(schema, frame.payload);
        if (frame.event === 'presence') for (const entry of frame.payload.presence) must('PresenceEntry', entry);
      } else if (frame.ok && method) {
        const schema = RESULT_SCHEMAS[method];
        if (schema) must(schema, frame.payload);
        if (method === 'sessions.list') for (const row of frame.payload.sessions) must('SessionRow', row);
        if (method === 'system-presence') for (const entry of frame.payload) must('PresenceEntry', entry);
      }
    },
  };
}
