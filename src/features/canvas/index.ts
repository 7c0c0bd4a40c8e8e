/** The canvas feature: documents that answers show, and canvas folders of agents, with separate addresses. */
import { join } from 'node:path';
import { defineFeature, type FeatureParts } from '../../host/feature.ts';
import type { Host } from '../../host/host.ts';
import { createCanvas, type CanvasService } from './canvas-service.ts';
import { canvasSchema, type CanvasConfig } from './config.ts';
import { canvasMethods, canvasSpecs } from './methods.ts';
import { expandPath, ownVariable } from '../../platform/env.ts';
import { createCanvasServer } from './serve/canvas-server.ts';
import type { CanvasFolder } from './serve/serve-canvas.ts';

export default defineFeature({
  id: 'canvas',
  summary: 'Shows documents inside answers, and serves the canvas folders of agents.',
  config: [{ path: 'canvasHost', schema: canvasSchema.describe('Documents inside answers, and canvas folders.') }],
  settings: { guards: [['canvasHost', 'is a way in']], own: ['canvasHost'] },
  methods: canvasSpecs,
  events: { 'canvas.changed': 'operator.read' },
  folders: ['canvas'],
  restartsOn: ['canvasHost.port', 'canvasHost.bind', 'canvasHost.enabled'],

  create(host): FeatureParts {
    const { env, log, clock } = host.machine;
    const config = (): CanvasConfig => host.config.slice<CanvasConfig>('canvasHost');
    const canvas = createCanvas({
      stateDir: env.stateDir,
      clock,
      log: log.child({ part: 'canvas' }),
      config,
      controlUi: () => host.config.current().gateway.controlUi,
      folders: foldersOf(host, config),
      changed: (id) => host.gateway.publish('canvas.changed', { id }),
    });
    const server = createCanvasServer({
      canvas,
      config,
      clock,
      log: log.child({ part: 'canvas' }),
      off: /^(?:1|true|yes|on)$/i.test(ownVariable(env, 'SKIP_CANVAS_HOST')?.value ?? ''),
    });
    return {
      methods: canvasMethods(canvas),
      embeds: canvas.embeds,
      http: server.routes,
      toolMethods: {
        documents: async (turn) => (await import('./tool-methods.ts')).createDocumentTools({ turn, canvas }),
      },
      start: () => begin(canvas, server),
      close: server.close,
    };
  },
});

/** The port is opened last: what is on disk is in order then. */
async function begin(canvas: CanvasService, server: ReturnType<typeof createCanvasServer>): Promise<void> {
  await canvas.store.recover();
  canvas.listensOn(await server.listen());
}

function foldersOf(
  {
    agents,
    machine: {
      env: { home },
    },
  }: Host,
  config: () => CanvasConfig,
) {
  return {
    agents: () => [agents.defaultId(), ...agents.ids().filter((id) => id !== agents.defaultId())],
    of: (agentId: string): CanvasFolder => {
      const { root } = config();
      if (root !== undefined && agentId === agents.defaultId()) return { path: expandPath(root, home) };
      const workspace = expandPath(agents.resolve(agentId).workspace, home);
      return { path: join(workspace, 'canvas'), workspace };
    },
  };
}
