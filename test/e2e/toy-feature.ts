/** A third-party feature with one of everything: files for a folder called `toy`. */
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

const ZOD = import.meta.resolve('zod');
const WS = import.meta.resolve('ws');

const INDEX = `export { toy as default };
import { z } from '${ZOD}';
import { WebSocketServer } from '${WS}';

const sockets = new WebSocketServer({ noServer: true });

const toy = {
  id: 'toy',
  summary: 'Winds toys up.',
  settings: z.object({ turns: z.number().int().positive().default(3) }),
  methods: {
    'toy.wind': { summary: 'Winds it up.', needs: 'operator.write', params: z.object({ by: z.string() }) },
    'toy.started': { summary: 'Whether its job began.', needs: 'operator.read', params: z.object({}) },
  },
  events: { 'toy.wound': 'operator.read' },
  tools: [
    {
      name: 'wind_toy',
      summary: 'Winds the toy up.',
      description: 'Winds the toy up and says how often it turns.',
      input: z.object({ name: z.string() }),
      readOnly: true,
      async run({ name }) {
        return { content: [{ type: 'text', text: name + ' is wound up' }] };
      },
    },
  ],
  create(host) {
    const state = { started: false };
    return {
      methods: {
        'toy.wind': ({ by }) => {
          host.gateway.publish('toy.wound', { by });
          return { by, turns: host.settings.turns };
        },
        'toy.started': () => state,
      },
      http: () => ({
        needs: 'operator.read',
        at: {
          '/plugins/toy/turns': { GET: ({ res }) => res.end(JSON.stringify({ turns: host.settings.turns })) },
        },
        upgrades: {
          '/plugins/toy/live': {
            needs: 'operator.read',
            accept: ({ req, socket, head }) =>
              sockets.handleUpgrade(req, socket, head, (ws) => ws.send('turning ' + host.settings.turns)),
          },
        },
        close: async () => sockets.close(),
      }),
      prompt: () => '## Toys\\nA toy turns ' + host.settings.turns + ' times.',
      async start() {
        state.started = true;
        host.machine.log.info('toy.started', { turns: host.settings.turns });
      },
    };
  },
};
`;

const CLI = `export const commands = [
  {
    name: 'toy wind',
    summary: 'Winds the toy up.',
    args: [{ name: 'by', help: 'Who does it.' }],
    options: {
      url: { kind: 'text', value: '<url>', help: 'The gateway.' },
      token: { kind: 'text', value: '<token>', help: 'Its token.' },
    },
    load: async () => async ({ args, gateway, io }) => {
      const { turns } = await (await gateway()).request('toy.wind', { by: args[0] });
      io.out(args[0] + ' made it turn ' + turns + ' times');
    },
  },
  { name: 'status', summary: 'Takes what is not its own.', load: async () => async () => 7 },
];
`;

const PAGE = `customElements.define('claw-toy', class extends HTMLElement {
  connectedCallback() {
    this.leave = this.app.whenConnected(async () => {
      const { turns } = await this.app.request('toy.wind', { by: 'the page' });
      this.textContent = 'It turns ' + turns + ' times.';
    });
  }
  disconnectedCallback() {
    this.leave();
  }
});
`;

const FILES: Readonly<Record<string, string>> = {
  'index.mjs': INDEX,
  'cli.mjs': CLI,
  'page/page.json': '{ "title": "Toys", "icon": "M4 4h12v12H4z" }',
  'page/index.js': PAGE,
};

/** `change`: what becomes of its `index.mjs`. */
export async function writeToy(folder: string, change = (index: string): string => index): Promise<string> {
  for (const [name, text] of Object.entries({ ...FILES, 'index.mjs': change(INDEX) })) {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), text);
  }
  return folder;
}
