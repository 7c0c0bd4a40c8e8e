/** The input schema of the `nodes` tool. */
import { z } from 'zod';
import { gatewayParameters } from '../../../../sdk/index.ts';

export const ACTIONS = [
  'status',
  'describe',
  'pending',
  'approve',
  'reject',
  'notify',
  'camera_snap',
  'camera_list',
  'camera_clip',
  'screen_record',
  'location_get',
  'run',
  'invoke',
] as const;

const FACINGS = ['front', 'back', 'both'] as const;

export const input = z.object({
  action: z.enum(ACTIONS).describe('What to do. All but status, pending, approve and reject need node'),
  node: z.string().optional().describe('Name, id or address of the node, from status'),
  requestId: z.string().optional().describe('approve, reject: from pending'),
  title: z.string().optional().describe('notify: title; title or body is needed'),
  body: z.string().optional().describe('notify: text'),
  sound: z.string().optional().describe('notify: name of a sound'),
  priority: z.enum(['passive', 'active', 'timeSensitive']).optional().describe('notify'),
  delivery: z.enum(['system', 'overlay', 'auto']).optional().describe('notify'),
  facing: z
    .enum(FACINGS)
    .optional()
    .describe(
      'camera_snap: front, back or both (default: every camera there is); camera_clip: front (default) or back',
    ),
  deviceId: z.string().optional().describe('camera_snap, camera_clip: one camera, from camera_list'),
  maxWidth: z.number().optional().describe('camera_snap: pixels, default 1600'),
  quality: z.number().optional().describe('camera_snap: 0.05 to 1, default 0.9'),
  delayMs: z.number().optional().describe('camera_snap: milliseconds to let the camera adjust, at most 10000'),
  durationMs: z.number().optional().describe('camera_clip (default 3000), screen_record (default 10000): milliseconds'),
  duration: z.string().optional().describe('The same in words: "10s", "1m"'),
  includeAudio: z.boolean().optional().describe('camera_clip, screen_record: with sound, default true'),
  fps: z.number().optional().describe('screen_record: pictures per second, default 10'),
  screenIndex: z.number().optional().describe('screen_record: which screen, default 0'),
  outPath: z.string().optional().describe('Where to save pictures and recordings, inside the workspace'),
  maxAgeMs: z.number().optional().describe('location_get: an older place will do, milliseconds'),
  locationTimeoutMs: z.number().optional().describe('location_get: milliseconds to wait, default 10000'),
  desiredAccuracy: z.enum(['coarse', 'balanced', 'precise']).optional().describe('location_get'),
  command: z
    .array(z.string())
    .optional()
    .describe('run: program and arguments, each a word: ["uname","-a"]; for a line of a shell ["sh","-c","…"]'),
  cwd: z.string().optional().describe('run: folder on the node'),
  env: z.array(z.string()).optional().describe('run: variables, each NAME=value'),
  commandTimeoutMs: z.number().optional().describe('run: milliseconds the command may take, default 300000'),
  invokeTimeoutMs: z.number().optional().describe('run, invoke: milliseconds to wait for the node'),
  needsScreenRecording: z.boolean().optional().describe('run: refuse where the node may not record its screen'),
  invokeCommand: z.string().optional().describe('invoke: command of the node, from describe'),
  invokeParamsJson: z.string().optional().describe('invoke: its parameters, a JSON object'),
  ...gatewayParameters,
});
/** One parsed call. */
export type NodesInput = z.output<typeof input>;
