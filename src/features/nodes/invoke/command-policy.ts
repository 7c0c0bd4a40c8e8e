/** Decides which commands of a node may be invoked: default for its platform or allowed, not denied, and declared. */
import { present } from '../../../core/present.ts';
import { SENSOR_OF } from '../viewer/sensors.ts';
import type { NodesConfig } from '../config.ts';

const CANVAS = [
  'canvas.present',
  'canvas.hide',
  'canvas.navigate',
  'canvas.eval',
  'canvas.snapshot',
  'canvas.a2ui.push',
  'canvas.a2ui.pushJSONL',
  'canvas.a2ui.reset',
];
const CAMERA = ['camera.list', 'camera.snap', 'camera.clip'];
const MICROPHONE = ['microphone.clip'];
const SCREEN = ['screen.record', 'screen.snapshot'];
const LOCATION = ['location.get'];
const DEVICE = ['device.info', 'device.status', 'device.health'];
const NOTIFY = ['system.notify'];
const SYSTEM = [
  'system.run',
  'system.run.prepare',
  'system.which',
  'system.execApprovals.get',
  'system.execApprovals.set',
];
/** Further commands that the published desktop host declares. */
const DESKTOP = [
  'browser.proxy',
  'browser.proxy.upload.v1',
  'desktop.stream',
  'fs.listDir',
  'mcp.tools.call.v1',
  'ollama.chat',
  'ollama.models',
  'terminal.upload',
];
const SENSORS = [...CAMERA, ...MICROPHONE, ...SCREEN, ...LOCATION];
const PHONE = [...CANVAS, ...SENSORS, ...DEVICE, ...NOTIFY];
const COMPUTER = [...CANVAS, ...SENSORS, ...DEVICE, ...NOTIFY, ...SYSTEM, ...DESKTOP];

/** Platform → commands that a person may approve without listing them in the configuration. */
const USUAL: Readonly<Record<string, readonly string[]>> = {
  ios: PHONE,
  android: PHONE,
  web: [...CANVAS, ...SENSORS, ...NOTIFY],
  macos: COMPUTER,
  linux: COMPUTER,
  windows: COMPUTER,
  unknown: [...CANVAS, ...DEVICE, ...NOTIFY],
};

const PLATFORM_NAMES: readonly (readonly [RegExp, string])[] = [
  [/^(ios|ipados|iphone|ipad)/, 'ios'],
  [/^android/, 'android'],
  [/^(web|browser)/, 'web'],
  [/^(mac|darwin)/, 'macos'],
  [/^linux/, 'linux'],
  [/^win/, 'windows'],
];

/** The platform that the rules use. */
export const platformOf = (platform: string | undefined): string => {
  const name = platform?.trim().toLowerCase() ?? '';
  return PLATFORM_NAMES.find(([pattern]) => pattern.test(name))?.[1] ?? 'unknown';
};

/**
 * Commands that run programs or change permissions: only the owner may invoke them, or a turn with the approval of a
 * person.
 */
export const runsPrograms = (command: string): boolean =>
  /^(system\.(run|execApprovals)|terminal|desktop|mcp|browser)(\.|$)/.test(command);

/** Commands that a turn may invoke by name: they show, record or notify. Others must be allowed by a setting. */
const OF_TURNS = new Set([...PHONE, ...MICROPHONE, 'system.which', 'fs.listDir', 'ollama.models']);

/** Whether a turn may invoke a command by its name. */
export const openToTurns = (command: string, { allowCommands }: NodesConfig): boolean =>
  !runsPrograms(command) && (OF_TURNS.has(command) || allowCommands.includes(command));

/** Whether the configuration and the platform allow the command, if the node has it. */
export function isAllowed(command: string, platform: string | undefined, config: NodesConfig): boolean {
  if (config.denyCommands.includes(command)) return false;
  return USUAL[platformOf(platform)]!.includes(command) || config.allowCommands.includes(command);
}

/** The facts about a node that the policy uses. */
export interface Declared {
  readonly name: string;
  readonly platform?: string | undefined;
  readonly commands: readonly string[];
}

/** Why a command is rejected: a stable reason, and a sentence with what to do. */
export interface PolicyRefusal {
  readonly reason: 'command not allowlisted' | 'command not declared by node' | 'node did not declare commands';
  readonly message: string;
}

export function refusedCommand(command: string, node: Declared, config: NodesConfig): PolicyRefusal | undefined {
  const platform = platformOf(node.platform);
  if (!isAllowed(command, node.platform, config))
    return {
      reason: 'command not allowlisted',
      message: config.denyCommands.includes(command)
        ? `node command not allowed: "${command}" is in gateway.nodes.denyCommands`
        : `node command not allowed: "${command}" is not in the allowlist for platform "${platform}"; ` +
          'to allow it, add it to gateway.nodes.allowCommands',
    };
  if (node.commands.length === 0)
    return {
      reason: 'node did not declare commands',
      message: `node command not allowed: ${node.name} declared no commands`,
    };
  if (node.commands.includes(command)) return undefined;
  return {
    reason: 'command not declared by node',
    message: `node command not allowed: the node ${node.name} (platform: ${platform}) does not support "${command}"`,
  };
}

/** The scopes that are required to approve these commands. */
export const approveScopes = (commands: readonly string[]): readonly string[] => [
  'operator.pairing',
  ...(commands.some(runsPrograms) ? ['operator.admin'] : []),
];

/** The usual timeout of a command in milliseconds, from its parameters. */
export function usualTimeout(command: string, params: unknown): number {
  const { durationMs, delayMs, timeoutMs } = present(
    typeof params === 'object' && params !== null ? (params as Readonly<Record<string, unknown>>) : {},
  );
  switch (command) {
    case 'camera.clip':
    case 'microphone.clip':
    case 'screen.record':
      return span(durationMs, 10_000) + span(delayMs, 0) + MARGIN_MS;
    case 'camera.snap':
      return span(delayMs, 2000) + MARGIN_MS;
    case 'location.get':
      return span(timeoutMs, 10_000) + MARGIN_MS / 3;
    case 'system.run':
      return span(timeoutMs, 30 * 60_000) + 5000;
    default:
      return MARGIN_MS;
  }
}

/** Time to start the device and to transfer the recording. */
const MARGIN_MS = 30_000;
const MAX_SPAN_MS = 24 * 3_600_000;

const span = (value: unknown, usual: number): number =>
  typeof value === 'number' && Number.isFinite(value) && value >= 0 ? Math.min(value, MAX_SPAN_MS) : usual;

const MiB = 1024 * 1024;

/** The maximum size of a result as JSON in bytes: large for recordings, small for other results. */
export const maxResultBytes = (command: string): number =>
  (SENSOR_OF[command] && command !== 'location.get') || command === 'browser.proxy'
    ? 25 * MiB
    : command.startsWith('canvas.')
      ? 8 * MiB
      : 2 * MiB;
