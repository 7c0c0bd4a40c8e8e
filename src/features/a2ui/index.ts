/** The a2ui feature: interactive surfaces that agents create, stored at the gateway and shown in browsers. */
import { join } from 'node:path';
import { defineFeature } from '../../host/feature.ts';
import { a2uiSchema, type A2uiConfig } from './config.ts';
import { CANVAS_TABLES } from './canvas-tables.ts';
import { createCanvases } from './create-canvases.ts';
import { createCanvasActions } from './canvas-actions.ts';
import { a2uiMethods, a2uiSpecs, MAX_LISTED } from './methods.ts';
import { canvasRoutes } from './mount.ts';
import { statusOf } from './status.ts';

export default defineFeature({
  id: 'a2ui',
  summary: 'Shows surfaces that agents build, in any browser, and passes on what people do there.',
  config: [{ path: 'a2ui', schema: a2uiSchema.describe('Surfaces on the canvas.') }],
  settings: { guards: [['a2ui.remoteMedia', 'decides whether surfaces reach other hosts']] },
  tables: [CANVAS_TABLES],
  methods: a2uiSpecs,
  events: { 'a2ui.changed': 'operator.read' },
  toolMethodsElsewhere: ['a2ui.push', 'a2ui.reset', 'a2ui.show', 'a2ui.eval', 'a2ui.snapshot'],

  create(host) {
    const { machine, config, journal, sessions, channels, inbox, runs, gateway } = host;
    const canvases = createCanvases({
      rows: journal.tables(CANVAS_TABLES),
      changed: (sessionKey) => gateway.publish('a2ui.changed', { sessionKey }),
    });
    const actions = {
      canvases,
      inbox,
      runs,
      sessions,
      accepting: gateway.accepting,
      now: () => machine.clock.now(),
    };
    const canvas = createCanvasActions({ canvases, screen: gateway.canvasScreen });
    const chat = { canvases, channels, sessions, config, now: () => machine.clock.now() };
    return {
      status: () => statusOf(canvases.list(MAX_LISTED), canvases.watched()),
      sessionDeleted: canvases.forget,
      methods: a2uiMethods(canvas, sessions),
      toolMethods: {
        a2ui: async (turn) =>
          (await import('./tool-methods.ts')).canvasToolMethods(turn, canvas, { closing: gateway.closing, chat }),
      },
      http: () =>
        canvasRoutes({
          canvases,
          actions,
          clock: machine.clock,
          log: machine.log,
          remoteMedia: () => config.slice<A2uiConfig>('a2ui').remoteMedia,
          viewerFile: (name) => join(machine.root, 'dist', 'ui', 'viewers', 'a2ui', name),
        }),
    };
  },
});
