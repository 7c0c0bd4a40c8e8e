/** Places from gpsd, over its own protocol: JSON lines on a TCP port. */
import { parseJson } from '../../../core/parse-json.ts';
import { z } from 'zod';
import { AppError } from '../../../core/errors.ts';
import { linesOf } from '../../../platform/line-service.ts';
import { NodeError } from '../../offer.ts';
import type { Place, PlaceService, PlaceRequest } from './place.ts';

const PORT = 2947;
const PROBE_MS = 3000;
const WATCH = '?WATCH={"enable":true,"json":true};\n';
/** Where the receiver does not say. */
const USUAL_METERS = 100;

const report = z.looseObject({
  class: z.literal('TPV'),
  mode: z.number().min(2),
  lat: z.number().min(-90).max(90),
  lon: z.number().min(-180).max(180),
  time: z.string().max(64).optional(),
  alt: z.number().optional(),
  eph: z.number().positive().optional(),
  speed: z.number().optional(),
  track: z.number().optional(),
});

/** `address`: `gpsd`, or `gpsd://host:port`. */
export function gpsd(address: string): PlaceService {
  const url = new URL(address === 'gpsd' ? `gpsd://127.0.0.1:${PORT}` : address);
  const [host, port] = [url.hostname, Number(url.port)];
  const lines = (signal: AbortSignal) => linesOf({ host, port, greeting: WATCH, signal });
  return {
    async missing() {
      try {
        for await (const line of lines(AbortSignal.timeout(PROBE_MS)))
          return /"class":\s*"VERSION"/.test(line) ? undefined : `${host}:${port} is no gpsd`;
        return `gpsd does not answer at ${host}:${port}`;
      } catch (error) {
        if (!(error instanceof AppError)) throw error;
        return `gpsd: ${error.message}`;
      }
    },
    measure: (request) => firstPlace(lines, request),
  };
}

async function firstPlace(
  lines: (signal: AbortSignal) => AsyncIterable<string>,
  { timeoutMs, signal }: PlaceRequest,
): Promise<Place> {
  try {
    for await (const line of lines(AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]))) {
      const place = readReport(line);
      if (place) return place;
    }
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    throw new NodeError('LOCATION_UNAVAILABLE', `LOCATION_UNAVAILABLE: gpsd: ${error.message}`);
  }
  throw new NodeError('LOCATION_TIMEOUT', `LOCATION_TIMEOUT: gpsd knew no place within ${timeoutMs} ms`);
}

function readReport(line: string): Place | undefined {
  const read = report.safeParse(parseJson(line));
  if (!read.success) return undefined;
  const { lat, lon, time, alt, eph = USUAL_METERS, speed, track } = read.data;
  return {
    lat,
    lon,
    accuracyMeters: eph,
    altitudeMeters: alt,
    speedMps: speed,
    headingDeg: track,
    timestamp: time,
    source: 'gps',
  };
}
