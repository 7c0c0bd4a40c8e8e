/** Resolves names of time zones as people and files write them. */
import { inertLine } from '../../../core/inert-line.ts';
import { AppError } from '../../../core/errors.ts';
import { nearest } from '../../../config/suggest.ts';
import { createZone, type Zone } from './zone.ts';
import { head } from '../../../core/cut.ts';

/** Abbreviations of an offset, not of a place: they are wrong for half of the year, or mean several places. */
const ABBREVIATIONS: ReadonlySet<string> = new Set([
  'est',
  'edt',
  'et',
  'cst',
  'cdt',
  'mst',
  'mdt',
  'mt',
  'pst',
  'pdt',
  'pt',
  'cet',
  'cest',
  'eet',
  'eest',
  'wet',
  'west',
  'msk',
  'bst',
  'ist',
  'jst',
  'kst',
  'aest',
  'aedt',
  'acst',
  'awst',
  'nzst',
  'nzdt',
  'hst',
  'akst',
]);

/** The zone of that name. Throws `invalid` with the nearest name there is. */
export function zoneNamed(name: string): Zone {
  // An offset is no place: it would be an hour off for half of the year, and nobody would notice before.
  const zone = /^[A-Za-z]/.test(name) && name.length <= 64 ? createZone(name) : undefined;
  if (zone) return zone;
  const meant = nearest(head(name, 64).replaceAll(' ', '_'), zoneNames());
  throw new AppError(
    'invalid',
    `Unknown time zone "${inertLine(head(name, 64))}". Use an IANA time zone, ` +
      `${meant ? `perhaps ${meant}` : 'such as Europe/Berlin or UTC'}.`,
  );
}

/** As the list spells it: `europe/berlin` becomes `Europe/Berlin`. */
export function spelledZone(name: string): string {
  const lower = name.toLowerCase();
  return lower === 'utc' || lower === 'z' || lower === 'gmt'
    ? 'UTC'
    : (zoneNames().find((known) => known.toLowerCase() === lower) ?? zoneNamed(name).name);
}

/**
 * A text and the zone it ends in: `9:00 (Europe/Berlin)`, `9:00 in Asia/Tokyo`, `9:00 utc`, `9:00 Berlin time`. Expects
 * single spaces. Throws `invalid` for what looks like a zone and is none.
 */
export function splitZone(text: string): { readonly text: string; readonly zone?: string } {
  const words = text.split(' ');
  const found = lastPlace(words) ?? lastZone(words);
  if (!found) return { text };
  const rest = words.slice(0, -found.words);
  if (rest.at(-1)?.toLowerCase() === 'in') rest.pop();
  return { text: rest.join(' ').replace(/(?<![\s,])[\s,]+$/, ''), zone: found.zone };
}

interface Found {
  readonly zone: string;
  readonly words: number;
}

function lastZone(words: readonly string[]): Found | undefined {
  const word = (words.at(-1) ?? '').replace(/^\((.*)\)$/, '$1');
  if (ABBREVIATIONS.has(word.toLowerCase())) {
    throw new AppError(
      'invalid',
      `"${word}" is ambiguous because of daylight saving time. Use a time zone such as Europe/Berlin or ` +
        'America/New_York.',
    );
  }
  if (/^(utc|gmt)$/i.test(word)) return { zone: 'UTC', words: 1 };
  if (word.length > 64 || !/^[a-z][a-z_]*(\/[a-z0-9_+-]+){1,2}$/i.test(word)) return undefined;
  // `mon/thu` is no zone, `Europ/Berlin` wants to be one.
  return createZone(word) || nearest(word, zoneNames()) ? { zone: spelledZone(word), words: 1 } : undefined;
}

/** `Berlin time`, `New York time`: the last part of exactly one name in the list. */
function lastPlace(words: readonly string[]): Found | undefined {
  if (words.at(-1)?.toLowerCase() !== 'time') return undefined;
  for (const count of [3, 2, 1]) {
    const place = words
      .slice(-1 - count, -1)
      .join('_')
      .toLowerCase();
    const zones = place === '' ? [] : zoneNames().filter((name) => name.toLowerCase().endsWith(`/${place}`));
    if (zones.length === 1) return { zone: zones[0]!, words: count + 1 };
  }
  return undefined;
}

const zoneNames = (): string[] => Intl.supportedValuesOf('timeZone');
