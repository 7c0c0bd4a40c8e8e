/** What a machine lends a gateway as a node, as its person set it: `node.json` of the state directory. */
import { join } from 'node:path';
import { z } from 'zod';
import { AppError } from '../core/errors.ts';
import { readTextIfExists, writeFileAtomic } from '../platform/files.ts';

const place = z.strictObject({
  lat: z.number().min(-90).max(90),
  lon: z.number().min(-180).max(180),
  accuracyMeters: z.number().positive().default(50),
});

const gpsd = z.string().regex(/^gpsd(?::\/\/[\w.-]{1,253}:\d{1,5})?$/, 'write geoclue, gpsd or gpsd://host:port');

const nodeHostFile = z.strictObject({
  /** What people call it; default: the name of the machine. */
  name: z.string().trim().min(1).max(200).optional(),
  /** Of the gateway; default: the one of the configuration. */
  url: z.string().optional(),
  /** `approved`: programs that a person approved at the gateway. */
  exec: z.enum(['off', 'approved']).default('approved'),
  notify: z.boolean().default(true),
  /** `test`: the test picture of ffmpeg, in place of a camera. */
  camera: z.union([z.boolean(), z.literal('test')]).default(false),
  screen: z.union([z.boolean(), z.literal('test')]).default(false),
  /** Pages and canvases in a browser window of this machine. */
  canvas: z.boolean().default(false),
  /** Its browser for the gateway; an object: settings as under `browser` of a gateway's configuration. */
  browser: z.union([z.boolean(), z.record(z.string(), z.unknown())]).default(false),
  /** A service of the machine (`geoclue`, `gpsd`, `gpsd://host:port`), or where the machine stands. */
  location: z.union([z.literal(false), z.literal('geoclue'), gpsd, place]).default(false),
});
/** Sensors are off until somebody at the machine switched them on. */
export type NodeHostSettings = z.output<typeof nodeHostFile>;

export const nodeHostPath = (stateDir: string): string => join(stateDir, 'node.json');
/** How the host stands, as it last wrote it; for `node status`. */
export const nodeStatusPath = (stateDir: string): string => join(stateDir, 'node', 'status.json');

/** Defaults where there is no file. Throws `AppError('invalid')` that names the field. */
export async function readNodeHostFile(stateDir: string): Promise<NodeHostSettings> {
  const path = nodeHostPath(stateDir);
  const text = await readTextIfExists(path);
  return text === undefined ? nodeHostFile.parse({}) : checked(parsed(text, path), path);
}

export async function writeNodeHostFile(stateDir: string, settings: unknown): Promise<NodeHostSettings> {
  const path = nodeHostPath(stateDir);
  const read = checked(settings, path);
  await writeFileAtomic(path, `${JSON.stringify(read, null, 2)}\n`);
  return read;
}

function parsed(text: string, path: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw new AppError('invalid', `${path} is not JSON; mend it, or write it anew with \`node install\`.`);
  }
}

function checked(value: unknown, path: string): NodeHostSettings {
  const read = nodeHostFile.safeParse(value);
  if (read.success) return read.data;
  const [issue] = read.error.issues;
  throw new AppError('invalid', `${path}: ${issue!.path.join('.') || 'the file'}: ${issue!.message}`);
}
