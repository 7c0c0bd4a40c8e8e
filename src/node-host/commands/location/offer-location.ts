/** `location.get`: where this machine is, by GeoClue, by gpsd or by its settings. */
import { z } from 'zod';
import { present } from '../../../core/present.ts';
import { nothing, type NodeCall, type NodeMachine, type Offer } from '../../offer.ts';
import { readParams } from '../../read-params.ts';
import { geoclue } from './geoclue.ts';
import { gpsd } from './gpsd.ts';
import type { PlaceService } from './place.ts';

const COMMAND = 'location.get';
const params = z.looseObject({
  timeoutMs: z.number().min(1).max(600_000).nullish(),
  maxAgeMs: z.number().min(0).nullish(),
  desiredAccuracy: z.enum(['coarse', 'balanced', 'precise']).nullish(),
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
  if (typeof location !== 'string')
    return yes(async () => ({
      ...location,
      timestamp: new Date().toISOString(),
      isPrecise: location.accuracyMeters <= PRECISE_METERS,
      source: 'manual',
    }));
  const service = location === 'geoclue' ? geoclue(machine) : gpsd(location);
  const missing = await service.missing();
  if (missing !== undefined) return no(`LOCATION_UNAVAILABLE: ${missing}`);
  const measured = remembering(service);
  return yes((input, call) => measured(readParams(params, input), call));
}

/** The last place counts again while it is as young as was asked. */
function remembering(service: PlaceService) {
  const last: { place?: object; atMs?: number } = {};
  return async (input: z.output<typeof params>, { signal }: NodeCall): Promise<unknown> => {
    const { timeoutMs, maxAgeMs, desiredAccuracy } = input;
    if (last.place && performance.now() - last.atMs! <= (maxAgeMs ?? -1)) return last.place;
    const request = { timeoutMs: timeoutMs ?? 10_000, accuracy: desiredAccuracy ?? 'balanced', signal } as const;
    const place = await service.measure(request);
    last.atMs = performance.now();
    last.place = present({
      ...place,
      timestamp: place.timestamp ?? new Date().toISOString(),
      isPrecise: place.accuracyMeters <= PRECISE_METERS,
    });
    return last.place;
  };
}
