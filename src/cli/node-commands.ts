/** The command rows of the headless node host: this machine as a node of a gateway. */
import type { Command } from './command.ts';
import { client, flag, json, text } from './options.ts';

export const nodeHostCommands: readonly Command[] = [
  {
    name: 'node run',
    heading: 'Nodes',
    summary: 'Run this machine as a node of a gateway, until interrupted.',
    examples: ['node run', 'node run --url wss://gateway.example --token …'],
    options: client,
    load: async () => (await import('./commands/node.ts')).nodeRun,
  },
  {
    name: 'node install',
    heading: 'Nodes',
    summary: 'Set what this machine offers as a node, and write a systemd service for it.',
    examples: ['node install --camera --location 52.52,13.40', 'node install --no-exec --no-service'],
    options: {
      name: text('<name>', 'Display name. Default: the name of the machine.'),
      camera: flag('Offer the camera. Off until set.'),
      screen: flag('Offer to record the screen. Off until set.'),
      canvas: flag('Offer to show pages and canvases in a browser window. Off until set.'),
      browser: flag('Offer a browser that the gateway drives. Off until set.'),
      location: text(
        '<place>',
        'Offer the location: geoclue, gpsd (gpsd://host:port), or latitude,longitude. Off until set.',
      ),
      'test-sources': flag('Offer the test picture of ffmpeg as camera and screen, for tests.'),
      'no-exec': flag('Do not offer to run programs. By default approved programs are run.'),
      'no-notify': flag('Do not offer notifications.'),
      'no-service': flag('Write the settings only.'),
      url: text('<url>', 'Gateway URL. Default: the gateway in the configuration.'),
      ...json,
    },
    load: async () => (await import('./commands/node.ts')).nodeInstall,
  },
  {
    name: 'node status',
    heading: 'Nodes',
    summary: 'Show what this machine offers as a node, and whether it is connected.',
    options: json,
    load: async () => (await import('./commands/node.ts')).nodeStatus,
  },
];
