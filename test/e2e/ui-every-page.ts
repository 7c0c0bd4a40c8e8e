/** Every page of the Control UI as the router knows it, with what is there once it is drawn. */
import assert from 'node:assert/strict';
import { globSync } from 'node:fs';
import { join } from 'node:path';
import { PAGES } from '../../ui/src/routes.ts';

/** On a gateway with a model and an answer in the main conversation. */
const DRAWN: Readonly<Record<string, string>> = {
  chat: '.answer.done',
  setup: '.provider-choice',
  overview: '.tile',
  sessions: '.session-line .link',
  channels: '.other-channel',
  models: '.model-row',
  cron: 'claw-cron .column',
  processes: 'claw-processes .column',
  agents: '.agent-text',
  usage: '.usage-plot, .usage .quiet',
  skills: 'claw-skills .column',
  tools: '.tool-line',
  config: 'claw-config-form .setting',
  logs: '.log-line',
  devices: 'claw-devices .card',
  debug: '.call',
  canvas: 'claw-canvas .column',
  a2ui: 'claw-a2ui .canvas-bar',
  nodes: 'claw-nodes .column',
  browser: 'claw-browser .browser-page',
};

/** As `ui/src/page-table.ts` puts them together. */
const routed = [
  ...PAGES,
  ...globSync('src/features/*/page/page.json', { cwd: join(import.meta.dirname, '../..') }).map(
    (path) => path.split('/')[2]!,
  ),
];
assert.deepEqual(Object.keys(DRAWN).sort(), routed.sort(), 'every page of the router is looked at');

interface EveryPage {
  readonly path: string;
  readonly drawn: string;
}
export const everyPage: readonly EveryPage[] = Object.entries(DRAWN).map(([id, drawn]) => ({
  path: id === 'chat' ? '/' : `/${id}`,
  drawn,
}));
