/** The nodes feature: paired devices that provide camera, screen, location, notifications and commands. */
import { join } from 'node:path';
import { defineFeature } from '../../host/feature.ts';
import { nodesConfigSchema, type NodesConfig } from './config.ts';
import { createNodes } from './create-nodes.ts';
import { createRequestThrottle } from './events/agent-requests.ts';
import { nodeMethods, nodeSpecs } from './methods.ts';
import { createNodeCommands } from './turn/commands-of-nodes.ts';
import { pairingMethods, pairingSpecs } from './pairing-methods.ts';
import { webNodePages } from './web/serve-web-node.ts';
import { nodesRules } from './setting-rules.ts';
import { statusOf } from './status.ts';
import { openNodeStore } from './store/store.ts';
import type { RecordAccess } from '../../core/may.ts';
import type { Turn } from '../../core/turn.ts';

export default defineFeature({
  id: 'nodes',
  summary: 'Lets agents use cameras, screens, places, notifications and commands of paired devices.',
  config: [{ path: 'gateway.nodes', schema: nodesConfigSchema.describe('Commands of nodes.') }],
  settings: nodesRules,
  folders: ['nodes'],
  methods: { ...nodeSpecs, ...pairingSpecs },
  events: {
    'node.pair.requested': 'operator.pairing',
    'node.pair.resolved': 'operator.pairing',
    'node.changed': 'operator.read',
    'node.hostStats': 'operator.read',
    'node.invoke.request': 'node',
    'node.invoke.cancel': 'node',
  },

  // Only what looks: what acts elsewhere would pass by the approvals of this gateway.
  toolMethodsElsewhere: ['node.list', 'node.describe', 'node.pair.list'],

  async create({ machine: { env, clock, log, root }, gateway, inbox, sessions, config, agents }) {
    const { publish, devices, accepting } = gateway;
    const store = await openNodeStore({ dir: join(env.stateDir, 'nodes'), clock, log });
    const settings = (): NodesConfig => config.slice<{ readonly nodes: NodesConfig }>('gateway').nodes;
    const nodes = createNodes({ store, clock, log, publish, config: settings });
    const { runs, changed, loadChanged } = nodes;
    const throttle = createRequestThrottle(clock);
    const said = { inbox, sessions, store, accepting, clock, throttle };
    const events = { ...said, runs, events: inbox.events, changed, loadChanged };
    return {
      methods: { ...nodeMethods({ nodes, clock, events }), ...pairingMethods({ nodes, devices, publish }) },
      clients: nodes.watch,
      http: () => ({
        under: { '/node': { GET: webNodePages((name) => join(root, 'dist', 'ui', 'viewers', 'nodes', name)) } },
        workers: ['/node/worker.js'],
      }),
      status: () => statusOf(nodes.list()),
      nodeCommands: createNodeCommands(nodes),
      toolMethods: {
        node: async (turn: Turn, keep: RecordAccess | undefined) =>
          (await import('./turn/turn-methods.ts')).createTurnMethods({
            turn,
            keep,
            nodes,
            agents,
            now: () => clock.now(),
            config: settings,
          }),
      },
    };
  },
});
