/** Converts the dates of pages to one format. */
import { head } from '../../core/cut.ts';

const ISO = /^(\d{4}[-/]\d{2}[-/]\d{2})(?:[T ](\d{2}:\d{2})(?::\d{2}(?:\.\d+)?)?\s*(Z|[+-]\d{2}:?\d{2})?)?/;

/**
 * The calendar day as written (`2026-03-01`), without moving it to another time zone; text that is no date stays as it
 * is.
 */
export function isoDate(text: string): string {
  const written = text.trim();
  const iso = ISO.exec(written);
  if (iso) return iso[1]!.replaceAll('/', '-');
  const day =
    /\b(\d{1,2})\s+([A-Z][a-z]{2})[a-z]*\.?,?\s+(\d{4})\b|\b([A-Z][a-z]{2})[a-z]*\.?\s+(\d{1,2})(?:st|nd|rd|th)?,?\s+(\d{4})\b/.exec(
      written,
    );
  if (!day) return head(written, 80);
  const month = 'JanFebMarAprMayJunJulAugSepOctNovDec'.indexOf(day[2] ?? day[4]!);
  if (month < 0 || month % 3 !== 0) return head(written, 80);
  return `${day[3] ?? day[6]!}-${pad(month / 3 + 1)}-${pad(Number(day[1] ?? day[5]))}`;
}

const pad = (number: number): string => String(number).padStart(2, '0');
