/**
 * Fixture of the node tests: a gateway on a plain HTTP server with devices and nodes, and a record of the
 * notifications.
 */
import { join } from 'node:path';
import { silentLog } from '../../core/log.ts';
import type { SessionKey } from '../../core/session-key.ts';
import type { Accepted } from '../../journal/rows.ts';
import { createFeatureEvents } from '../../host/feature-events.ts';
import type { SystemEvent } from '../../host/system-events.ts';
import type { DeviceRegistry } from '../../host/devices.ts';
import { systemClock, type Clock } from '../../platform/clock.ts';
import { tempDir } from '../../testing/temp-dir.ts';
import {
  startTestGateway,
  type RawClient,
  type TestGateway,
  type TestGatewayOptions,
} from '../../testing/ws-gateway.ts';
import { createDevices } from '../devices/create-devices.ts';
import devicesFeature from '../devices/index.ts';
import { deviceMethods } from '../devices/methods.ts';
import { nodesConfigSchema } from './config.ts';
import { createNodes, type NodeService } from './create-nodes.ts';
import { connectFakeNode, type FakeNode, type FakeNodeOptions } from './fake.ts';
import feature from './index.ts';
import { createRequestThrottle } from './events/agent-requests.ts';
import { nodeMethods } from './methods.ts';
import { pairingMethods } from './pairing-methods.ts';
import { openNodeStore } from './store/store.ts';

const MAIN = 'agent:main:main' as SessionKey;

export interface NodeGateway extends TestGateway {
  readonly nodes: NodeService;
  /** What agents were notified. */
  readonly notified: SystemEvent[];
  /** Messages for agents, by run id: each is stored once. */
  readonly received: Map<string, Accepted>;
  /** A connected and approved node. */
  node(options?: FakeNodeOptions): Promise<FakeNode>;
  operator(scopes?: readonly string[]): Promise<RawClient>;
}

export interface NodeGatewayOptions extends Pick<TestGatewayOptions, 'clock' | 'remote' | 'limits'> {
  readonly config?: unknown;
  /** Kept after the end; absent: a folder of its own. */
  readonly stateDir?: string;
}

export async function startNodeGateway({ config, ...options }: NodeGatewayOptions = {}): Promise<NodeGateway> {
  await using cleanup = new AsyncDisposableStack();
  const clock: Clock = options.clock ?? systemClock;
  const stateDir = options.stateDir ?? cleanup.use(await tempDir('nodes')).path;
  const events = createFeatureEvents();
  const settings = nodesConfigSchema.parse(config ?? undefined);
  const store = await openNodeStore({ dir: join(stateDir, 'nodes'), clock, log: silentLog });
  const publish = events.publish as Parameters<typeof createNodes>[0]['publish'];
  const nodes = createNodes({ store, clock, log: silentLog, publish, config: () => settings });
  const notified: SystemEvent[] = [];
  const received = new Map<string, Accepted>();
  const late: { registry?: DeviceRegistry } = {};
  const parts = {
    clients: nodes.watch,
    methods: {
      ...nodeMethods({
        nodes,
        clock,
        events: {
          runs: nodes.runs,
          clock,
          throttle: createRequestThrottle(clock),
          store,
          accepting: () => true,
          sessions: {
            mainKey: () => MAIN,
            agentOf: () => 'main',
            canonicalKey: (raw) => (raw === 'main' ? MAIN : (raw as typeof MAIN)),
          },
          inbox: {
            receive: async (message, runId) => {
              const isNew = !received.has(runId);
              if (isNew) received.set(runId, message);
              return { isNew } as never;
            },
          },
          changed: nodes.changed,
          loadChanged: nodes.loadChanged,
          events: {
            notify: async (event) => {
              notified.push(event);
              return { status: 'repeated' };
            },
          },
        },
      }),
      ...pairingMethods({
        nodes,
        publish,
        devices: { find: (id) => late.registry!.find(id), retire: (what) => late.registry!.retire(what) },
      }),
    },
  };
  // What it writes about nodes that left comes before this in its queue: nothing is written into a removed folder.
  cleanup.defer(async () => void (await store.reject('the end')));
  const gateway = cleanup.use(
    await startTestGateway({
      ...options,
      clock,
      stateDir,
      services: { features: [{ feature, parts }], featureEvents: events.subscribe },
      async devices({ publish: tell }) {
        const devices = await createDevices({
          dir: join(stateDir, 'devices'),
          clock,
          log: silentLog,
          onRequested: (request) => tell('device.pair.requested', request),
        });
        late.registry = devices.registry;
        return {
          registry: devices.registry,
          running: {
            feature: devicesFeature,
            parts: { methods: deviceMethods(devices, { clock, publish: tell, addresses: () => [] }) },
          },
        };
      },
    }),
  );
  const operator = (scopes: readonly string[] = ['operator.admin']): Promise<RawClient> => gateway.client({ scopes });
  const stack = cleanup.move();
  return {
    ...gateway,
    nodes,
    notified,
    received,
    operator,
    async node(given) {
      const node = await connectFakeNode(gateway, given);
      if (!node.hello.ok) throw new Error(JSON.stringify(node.hello.error));
      await nodes.requestConnected();
      const open = store.pending().find(({ nodeId }) => nodeId === node.nodeId);
      if (open) await store.approve(open.requestId);
      return node;
    },
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  };
}
