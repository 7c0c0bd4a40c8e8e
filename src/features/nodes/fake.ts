/** A node for tests: a raw client with the node role that answers commands by functions. */
import { createDeviceIdentity, type DeviceIdentity } from '../../gateway/devices/identity.ts';
import { deviceParams, type RawClient, type TestGateway } from '../../testing/ws-gateway.ts';

/**
 * Answers a command with a payload, or with an error that has the node's code. If absent or never resolving, the
 * command hangs.
 */
export type FakeCommand = (params: any, invoke: any) => unknown;

export interface FakeNodeOptions {
  readonly identity?: DeviceIdentity;
  readonly name?: string;
  readonly platform?: string;
  readonly caps?: readonly string[];
  readonly permissions?: Readonly<Record<string, boolean>>;
  readonly commands?: Readonly<Record<string, FakeCommand>>;
  readonly auth?: Readonly<Record<string, string>>;
  readonly protocol?: number;
  /** Overrides of what the node signs. */
  readonly proof?: Readonly<Record<string, unknown>>;
}

export interface FakeNode {
  readonly client: RawClient;
  readonly nodeId: string;
  readonly identity: DeviceIdentity;
  readonly hello: any;
  /** The commands it received, in order. */
  readonly invokes: any[];
}

/** An error that ends a command of a fake node. */
export class FakeNodeError extends Error {
  readonly code: string;
  constructor(code: string, message = code) {
    super(message);
    this.code = code;
  }
}

/** Connects; `hello` is the answer of the gateway, even if it is a rejection. */
export async function connectFakeNode(
  gateway: Pick<TestGateway, 'open'>,
  { identity = createDeviceIdentity(), commands = {}, ...options }: FakeNodeOptions = {},
): Promise<FakeNode> {
  const client = await gateway.open();
  const { name = 'Desk', platform = 'linux', protocol = 4, auth, proof = {} } = options;
  const params = {
    minProtocol: protocol,
    maxProtocol: protocol,
    client: { id: 'node-host', displayName: name, version: '1.0.0', platform, mode: 'node' },
    role: 'node',
    scopes: [],
    caps: options.caps ?? ['system'],
    commands: Object.keys(commands),
    ...(options.permissions ? { permissions: options.permissions } : {}),
    ...(auth ? { auth } : {}),
  };
  const invokes: any[] = [];
  client.socket.on('message', (data) => {
    const frame = JSON.parse(String(data));
    if (frame.event !== 'node.invoke.request') return;
    invokes.push(frame.payload);
    void answer(client, frame.payload, commands);
  });
  const hello = await client.request('connect', await deviceParams(client, params, { identity, proof }));
  return { client, nodeId: identity.deviceId, identity, hello, invokes };
}

async function answer(client: RawClient, invoke: any, commands: Readonly<Record<string, FakeCommand>>): Promise<void> {
  const { id, nodeId } = invoke;
  const command = commands[invoke.command];
  if (!command) return;
  const result = await outcomeOf(command, invoke);
  if (client.socket.readyState === client.socket.OPEN)
    await client.request('node.invoke.result', { id, nodeId, ...result }).catch(() => undefined);
}

async function outcomeOf(command: FakeCommand, invoke: any): Promise<object> {
  try {
    const payload = await command(invoke.paramsJSON ? JSON.parse(invoke.paramsJSON) : {}, invoke);
    return { ok: true, payloadJSON: JSON.stringify(payload ?? null) };
  } catch (error) {
    if (!(error instanceof FakeNodeError)) throw error;
    return { ok: false, error: { code: error.code, message: error.message } };
  }
}
