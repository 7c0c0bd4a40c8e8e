/** `location.get`: the location that the browser reports. */
import type { Work } from './work.ts';
import { NodeError } from './node-error.ts';
import { numberOf } from './params.ts';

/** A location with this accuracy or better counts as precise. */
const PRECISE_METERS = 100;
const CODES = ['LOCATION_PERMISSION_REQUIRED', 'LOCATION_UNAVAILABLE', 'LOCATION_TIMEOUT'] as const;
const REASONS = ['the browser does not allow it for this page', 'the device knows no place', 'no place came in time'];

export const locationGet: Work = (params) =>
  new Promise((resolve, reject) => {
    navigator.geolocation.getCurrentPosition(
      ({ coords, timestamp }) => resolve(placeOf(coords, timestamp)),
      ({ code }) => reject(new NodeError(CODES[code - 1] ?? 'LOCATION_UNAVAILABLE', REASONS[code - 1] ?? 'unknown')),
      {
        enableHighAccuracy: params['desiredAccuracy'] === 'precise',
        timeout: numberOf(params['timeoutMs'], 10_000, [1, 600_000]),
        maximumAge: numberOf(params['maxAgeMs'], 0, [0, 24 * 3_600_000]),
      },
    );
  });

const placeOf = (coords: GeolocationCoordinates, timestamp: number): object =>
  Object.fromEntries(
    Object.entries({
      lat: coords.latitude,
      lon: coords.longitude,
      accuracyMeters: coords.accuracy,
      altitudeMeters: coords.altitude,
      speedMps: coords.speed,
      headingDeg: coords.heading,
      timestamp: new Date(timestamp).toISOString(),
      isPrecise: coords.accuracy <= PRECISE_METERS,
      source: 'browser',
    }).filter(([, value]) => value !== null && !Number.isNaN(value)),
  );
