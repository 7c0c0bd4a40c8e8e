/** `location.get`: the location of this machine, from its settings or from gpsd. */
import { z } from 'zod';
import { present } from '../../core/present.ts';
import { childEnv } from '../../platform/child-env.ts';
import { exec, findProgram } from '../../platform/exec.ts';
import { NodeError, nothing, type NodeCall, type NodeMachine, type Offer } from '../offer.ts';
import { readParams } from '../read-params.ts';

const COMMAND = 'location.get';
const params = z.looseObject({
  timeoutMs: z.number().min(1).max(600_000).nullish(),
  maxAgeMs: z.number().min(0).nullish(),
});

/** From here on a place is precise. */
const PRECISE_METERS = 100;

export async function offerLocation(machine: NodeMachine): Promise<Offer> {
  const { location } = machine.settings;
  const no = (why: string): Offer => nothing('location', [COMMAND], why);
  if (location === false) return no('LOCATION_DISABLED: the location is not switched on at the node');
  const yes = (command: Offer['commands'][string]): Offer => ({
    cap: 'location',
    commands: { [COMMAND]: command },
    unavailable: {},
    permissions: { location: true },
  });
  if (location !== 'gpsd')
    return yes(async () => ({
      ...location,
      timestamp: new Date().toISOString(),
      isPrecise: location.accuracyMeters <= PRECISE_METERS,
      source: 'manual',
    }));
  const gpspipe = await findProgram('gpspipe', machine.env.vars['PATH']);
  if (gpspipe === undefined) return no('LOCATION_UNAVAILABLE: gpspipe (gpsd-clients) is not installed on the node');
  return yes((given, call) => measured(readParams(params, given), call, { gpspipe, machine }));
}

const report = z.looseObject({
  class: z.literal('TPV'),
  mode: z.number().min(2),
  lat: z.number(),
  lon: z.number(),
  time: z.string().optional(),
  alt: z.number().optional(),
  eph: z.number().optional(),
  speed: z.number().optional(),
  track: z.number().optional(),
});

interface Gps {
  readonly gpspipe: string;
  readonly machine: NodeMachine;
}

/** Reads reports until one has a place. */
async function measured(
  { timeoutMs }: z.output<typeof params>,
  { signal }: NodeCall,
  { gpspipe, machine }: Gps,
): Promise<unknown> {
  const seconds = Math.max(1, Math.ceil((timeoutMs ?? 10_000) / 1000));
  const result = await exec({
    command: gpspipe,
    args: ['-w', '-n', '12', '-x', String(seconds)],
    env: childEnv(machine.env.vars),
    timeoutMs: (seconds + 2) * 1000,
    maxOutputBytes: 1024 * 1024,
    signal,
  });
  const place = result.stdout
    .toString('utf8')
    .split('\n')
    .map(readReport)
    .findLast((one) => one !== undefined);
  if (place) return place;
  if (result.kind === 'exited' && result.code !== 0)
    throw new NodeError('LOCATION_UNAVAILABLE', `LOCATION_UNAVAILABLE: ${result.stderr.trim().slice(0, 300)}`);
  throw new NodeError('LOCATION_TIMEOUT', `LOCATION_TIMEOUT: gpsd knew no place within ${seconds} s`);
}

function readReport(line: string): object | undefined {
  const read = report.safeParse(parsed(line));
  if (!read.success) return undefined;
  const { lat, lon, time, alt, eph = PRECISE_METERS, speed, track } = read.data;
  return present({
    lat,
    lon,
    accuracyMeters: eph,
    altitudeMeters: alt,
    speedMps: speed,
    headingDeg: track,
    timestamp: time ?? new Date().toISOString(),
    isPrecise: eph <= PRECISE_METERS,
    source: 'gps',
  });
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line) as unknown;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined; // half a line at the end
    throw error;
  }
}
