/** Formats the entries of an archive, one per line. Nothing is extracted. */
import { head } from '../../core/cut.ts';

export interface ListedEntry {
  readonly name: string;
  readonly bytes: number;
  readonly date?: Date | undefined;
  readonly note?: string | undefined;
}

export interface Listing {
  readonly what: string;
  readonly entries: readonly ListedEntry[];
  readonly count: number;
  /** A sentence that matters more than the list. */
  readonly warning?: string | undefined;
}

export function listingText({ what, entries, count, warning }: Listing): string {
  const total = entries.reduce((sum, { bytes }) => sum + bytes, 0);
  const lines = entries.map(({ name, bytes, date, note }) =>
    [
      `- ${plain(name)}`,
      amount(bytes),
      date && !Number.isNaN(date.getTime()) ? date.toISOString().slice(0, 10) : undefined,
      note,
    ]
      .filter((part) => part !== undefined)
      .join(' · '),
  );
  const more = count > entries.length ? [`… and ${count - entries.length} more`] : [];
  return [
    `${what}, ${count} ${count === 1 ? 'entry' : 'entries'}, ${amount(total)} unpacked; only the names were read.`,
    ...(warning ? [warning] : []),
    '',
    ...lines,
    ...more,
  ].join('\n');
}

/** One line whatever the name holds. */
const plain = (name: string): string => head(name.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' '), 300);

function amount(bytes: number): string {
  if (bytes < 1024) return bytes === 1 ? '1 byte' : `${bytes} bytes`;
  const power = Math.min(3, Math.floor(Math.log2(bytes) / 10));
  return `${Number((bytes / 1024 ** power).toFixed(1))} ${['KiB', 'MiB', 'GiB'][power - 1]!}`;
}
