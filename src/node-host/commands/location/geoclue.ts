/** Places from GeoClue, the location service of desktops, over the system bus. */
import { z } from 'zod';
import { AppError } from '../../../core/errors.ts';
import { PRODUCT } from '../../../core/product.ts';
import { openBus, systemBus, type Bus } from '../../../platform/dbus/bus.ts';
import { NodeError, type NodeMachine } from '../../offer.ts';
import type { Place, PlaceService, PlaceRequest } from './place.ts';

const SERVICE = 'org.freedesktop.GeoClue2';
const MANAGER = { destination: SERVICE, path: '/org/freedesktop/GeoClue2/Manager', interface: `${SERVICE}.Manager` };
const PROPERTIES = 'org.freedesktop.DBus.Properties';
const PROBE_MS = 5000;
/** City, street, exact, as GeoClue counts them. */
const LEVEL = { coarse: 4, balanced: 6, precise: 8 } as const;

const facts = z.looseObject({
  Latitude: z.number().min(-90).max(90),
  Longitude: z.number().min(-180).max(180),
  Accuracy: z.number().min(0),
  Altitude: z.number().optional(),
  Speed: z.number().optional(),
  Heading: z.number().optional(),
  Timestamp: z.tuple([z.number(), z.number()]).optional(),
});

export function geoclue({ env }: NodeMachine): PlaceService {
  const open = (signal: AbortSignal): Promise<Bus> => openBus(systemBus(env), signal);
  return {
    async missing() {
      try {
        await using bus = await open(AbortSignal.timeout(PROBE_MS));
        // Starts it where the bus knows how.
        await bus.call({
          ...MANAGER,
          interface: PROPERTIES,
          member: 'Get',
          signature: 'ss',
          body: [MANAGER.interface, 'AvailableAccuracyLevel'],
        });
        return undefined;
      } catch (error) {
        if (!(error instanceof AppError)) throw error;
        return `GeoClue is not there: ${error.message}`;
      }
    },
    async measure(request) {
      try {
        await using bus = await open(request.signal);
        return await measured(bus, request);
      } catch (error) {
        if (!(error instanceof AppError)) throw error;
        const code = /AccessDenied/.test(String(error.details?.['error']))
          ? 'LOCATION_PERMISSION_REQUIRED'
          : 'LOCATION_UNAVAILABLE';
        throw new NodeError(code, `${code}: GeoClue: ${error.message}`);
      }
    },
  };
}

/** The client it makes lives as long as the connection, so that nothing has to be ended. */
async function measured(bus: Bus, { timeoutMs, accuracy }: PlaceRequest): Promise<Place> {
  const [path] = await bus.call({ ...MANAGER, member: 'GetClient' });
  const client = { destination: SERVICE, path: String(path), interface: `${SERVICE}.Client` };
  const set = (name: string, value: readonly [string, unknown]): Promise<unknown> =>
    bus.call({
      ...client,
      interface: PROPERTIES,
      member: 'Set',
      signature: 'ssv',
      body: [client.interface, name, value],
    });
  await set('DesktopId', ['s', PRODUCT]);
  await set('RequestedAccuracyLevel', ['u', LEVEL[accuracy]]);
  const found = Promise.withResolvers<string>();
  await bus.listen((message) => {
    if (message.kind !== 'signal' || message.member !== 'LocationUpdated' || message.path !== client.path) return;
    found.resolve(String(message.body[1]));
  }, `type='signal',sender='${SERVICE}',interface='${client.interface}',member='LocationUpdated'`);
  const late = setTimeout(
    () =>
      found.reject(new NodeError('LOCATION_TIMEOUT', `LOCATION_TIMEOUT: GeoClue knew no place within ${timeoutMs} ms`)),
    timeoutMs,
  );
  try {
    await bus.call({ ...client, member: 'Start' });
    const [all] = await bus.call({
      destination: SERVICE,
      path: await found.promise,
      interface: PROPERTIES,
      member: 'GetAll',
      signature: 's',
      body: [`${SERVICE}.Location`],
    });
    return placeOf(all);
  } finally {
    clearTimeout(late);
  }
}

function placeOf(all: unknown): Place {
  const read = facts.safeParse(all);
  if (!read.success) throw new AppError('bad_response', 'it sent a place without coordinates');
  const {
    Latitude: lat,
    Longitude: lon,
    Accuracy,
    Altitude = -Infinity,
    Speed = -1,
    Heading = -1,
    Timestamp,
  } = read.data;
  return {
    lat,
    lon,
    accuracyMeters: Accuracy,
    // What it does not know it writes as the least number there is, or less than nothing.
    altitudeMeters: Altitude > -1e6 ? Altitude : undefined,
    speedMps: Speed >= 0 ? Speed : undefined,
    headingDeg: Heading >= 0 ? Heading : undefined,
    timestamp: Timestamp && Timestamp[0] > 0 ? new Date(Timestamp[0] * 1000).toISOString() : undefined,
    source: 'network',
  };
}
