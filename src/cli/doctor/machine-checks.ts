/** Doctor checks of the machine: runtime, disk, the built Control UI. */
import { fileURLToPath } from 'node:url';
import { statIfExists } from '../../platform/files.ts';
import { freeBytes } from '../../platform/disk-space.ts';
import { type Check, fail, ok, warn } from './check.ts';

const NEEDED_NODE = 24;
const MiB = 1024 * 1024;
/** Under this, a day of transcripts and logs may fill the disk. */
const LOW_DISK = 500 * MiB;
/** Under this, the journal cannot be trusted to take the next messages. */
const NO_DISK = 50 * MiB;

export const machineChecks: readonly Check[] = [
  {
    name: 'node',
    run: async () => {
      const { node } = process.versions;
      return Number.parseInt(node, 10) >= NEEDED_NODE
        ? ok(`v${node}`)
        : fail(`v${node} is too old`, `Install Node ${NEEDED_NODE}, or run \`npm ci\` without --omit=optional.`);
    },
  },
  {
    name: 'disk',
    run: async ({ env }) => {
      const free = await freeBytes(env.stateDir);
      const detail = `${Math.round(free / MiB)} MiB free for ${env.stateDir}`;
      if (free < NO_DISK)
        return fail(detail, 'Free disk space: messages are rejected when the journal cannot be written.');
      return free < LOW_DISK ? warn(detail, 'Free disk space before the disk is full.') : ok(detail);
    },
  },
  {
    name: 'control ui',
    run: async () => {
      const page = fileURLToPath(new URL('../../../dist/ui/index.html', import.meta.url));
      return (await statIfExists(page)) ? ok('built') : warn(`${page} is missing`, 'Run `npm run build`.');
    },
  },
];
