/** Parses durations as models write them: `10s`, `1m`, `1m30s`, `500ms`. */
import { AppError } from '../../../../sdk/index.ts';

const UNITS: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 };

/** In milliseconds. Throws `AppError('invalid')` with the valid notation if the unit is missing or unknown. */
export function durationMs(written: string): number {
  const text = written.trim().toLowerCase().replaceAll(' ', '');
  const parts = text.match(/\d{1,9}(?:\.\d{1,6})?(?:ms|s|m|h)/g);
  if (!parts || parts.join('') !== text)
    throw new AppError(
      'invalid',
      `duration: write a number with a unit, e.g. "10s", "1m" or "500ms", not "${written.slice(0, 40)}".`,
    );
  return Math.round(
    parts.reduce((sum, part) => {
      const unit = part.replace(/[\d.]+/, '');
      return sum + Number.parseFloat(part) * UNITS[unit]!;
    }, 0),
  );
}
