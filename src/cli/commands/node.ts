/** `node run|install|status`: this machine as a node of a gateway. */
import { join } from 'node:path';
import { AppError } from '../../core/errors.ts';
import { present } from '../../core/present.ts';
import { PRODUCT } from '../../core/product.ts';
import {
  nodeHostPath,
  nodeStatusPath,
  readNodeHostFile,
  writeNodeHostFile,
  type NodeHostSettings,
} from '../../config/node-host-file.ts';
import { readTextIfExists, writeFileAtomic } from '../../platform/files.ts';
import { OWN_COMMAND } from '../../platform/own-command.ts';
import type { Call } from '../command.ts';
import { findGateway } from '../connect.ts';
import { ago } from '../durations.ts';
import { programVersion } from '../program-version.ts';

export async function nodeRun({ flags, io }: Call): Promise<number> {
  const env = io.env();
  const settings = await readNodeHostFile(env.stateDir);
  const url = flags.text('url') ?? settings.url;
  const target = await findGateway(present({ env, url, token: flags.text('token') ?? env.gatewayToken }));
  const stop = new AbortController();
  const unfollow = io.onInterrupt(() => stop.abort());
  try {
    const { url: address, token, password } = target;
    const version = programVersion();
    return await io.runNode({ env, version, url: address, token, password, signal: stop.signal, out: io.out });
  } finally {
    unfollow();
  }
}

export async function nodeInstall({ flags, io }: Call): Promise<void> {
  const { stateDir, home } = io.env();
  const sensor = (name: string): NodeHostSettings['camera'] => (flags.has('test-sources') ? 'test' : flags.has(name));
  const settings = await writeNodeHostFile(
    stateDir,
    present({
      name: flags.text('name'),
      url: flags.text('url'),
      exec: flags.has('no-exec') ? 'off' : 'approved',
      notify: !flags.has('no-notify'),
      camera: sensor('camera'),
      screen: sensor('screen'),
      canvas: flags.has('canvas'),
      browser: flags.has('browser'),
      location: placeOf(flags.text('location')),
    }),
  );
  const unit = flags.has('no-service') ? undefined : join(home, '.config/systemd/user/clawdbot-node.service');
  if (unit) await writeFileAtomic(unit, unitText(), { mode: 0o644 });
  if (flags.has('json'))
    return io.out(JSON.stringify(present({ path: nodeHostPath(stateDir), settings, unit }), null, 2));
  io.out(`Wrote ${nodeHostPath(stateDir)}:`);
  for (const line of offered(settings)) io.out(`  ${line}`);
  if (!unit) return io.out(`\nStart it with \`${OWN_COMMAND} node run\`.`);
  io.out(`Wrote ${unit}. To start it now and with every login:\n`);
  io.out('  systemctl --user daemon-reload');
  io.out('  systemctl --user enable --now clawdbot-node');
  io.out(
    '\nThe service reads the gateway token from ~/.config/clawdbot.env (CLAWDBOT_GATEWAY_TOKEN=…) the first time.',
  );
}

function placeOf(written: string | undefined): NodeHostSettings['location'] {
  if (written === undefined) return false;
  if (/^(?:geoclue$|gpsd(?:$|:\/\/))/.test(written.trim())) return written.trim();
  const [lat, lon, ...more] = written.split(',').map(Number);
  if (lat === undefined || lon === undefined || more.length > 0 || !Number.isFinite(lat) || !Number.isFinite(lon))
    throw new AppError(
      'invalid',
      `--location: write geoclue, gpsd, or latitude,longitude such as 52.52,13.40, not ${written}.`,
    );
  return { lat, lon, accuracyMeters: 50 };
}

const unitText = (): string => `[Unit]
Description=Clawdbot node

[Service]
ExecStart=%h/.local/bin/${PRODUCT} node run
Restart=always
RestartSec=5
UMask=0077
EnvironmentFile=-%h/.config/clawdbot.env

[Install]
WantedBy=default.target
`;

function offered({ exec, notify, camera, screen, canvas, browser, location }: NodeHostSettings): readonly string[] {
  const sensor = (value: boolean | 'test'): string => (value === 'test' ? 'test picture' : value ? 'on' : 'off');
  const place =
    location === false ? 'off' : typeof location === 'string' ? location : `${location.lat}, ${location.lon} (fixed)`;
  return [
    `programs       ${exec === 'off' ? 'off' : 'after approval at the gateway'}`,
    `notifications  ${notify ? 'on' : 'off'}`,
    `camera         ${sensor(camera)}`,
    `screen         ${sensor(screen)}`,
    `canvas         ${canvas ? 'on' : 'off'}`,
    `browser        ${browser === false ? 'off' : 'on'}`,
    `location       ${place}`,
  ];
}

interface Status {
  readonly pid?: number;
  readonly connected?: boolean;
  readonly url?: string;
  readonly nodeId?: string;
  readonly problem?: string;
  readonly commands?: readonly string[];
  readonly unavailable?: Readonly<Record<string, string>>;
  readonly at?: number;
}

/** A host that was killed leaves its file behind. */
function isAlive(pid: number | undefined): boolean {
  if (pid === undefined) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error) return error.code === 'EPERM';
    throw error;
  }
}

export async function nodeStatus({ flags, io }: Call): Promise<number> {
  const { stateDir } = io.env();
  const settings = await readNodeHostFile(stateDir);
  const text = await readTextIfExists(nodeStatusPath(stateDir));
  const written = text === undefined ? undefined : (JSON.parse(text) as Status);
  const status = written && isAlive(written.pid) ? written : undefined;
  if (flags.has('json')) {
    io.out(JSON.stringify({ settings, status: status ?? null }, null, 2));
    return 0;
  }
  for (const line of offered(settings)) io.out(line);
  if (!status) {
    io.out(`\nNot running. Start it with \`${OWN_COMMAND} node run\`.`);
    return 1;
  }
  const { connected, url, nodeId = '', problem, commands = [], unavailable = {}, at } = status;
  io.out(`\n${connected ? 'Connected' : 'Not connected'} to ${url ?? '?'} as ${nodeId.slice(0, 12)}, ${ago(at)}`);
  if (problem) io.out(problem);
  io.out(`Offers: ${commands.join(', ') || 'nothing'}`);
  for (const [command, why] of Object.entries(unavailable)) io.out(`Not offered: ${command}: ${why}`);
  return connected ? 0 : 1;
}
