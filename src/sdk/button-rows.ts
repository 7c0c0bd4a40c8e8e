/** Parses the rows of the `buttons` action, which are the same on every channel: JSON text, or parsed already. */
import { CHOICE_PREFIX, isChoice } from '../core/choice.ts';
import { AppError } from '../core/errors.ts';

/** What a press says, or the address it opens. */
export type ButtonSpec =
  | { readonly text: string; readonly data: string; readonly url?: undefined }
  | { readonly text: string; readonly url: string; readonly data?: undefined };

/** What the platform takes. */
export interface ButtonLimits {
  /** Bytes that come back with a press. */
  readonly maxDataBytes: number;
  /** Of all rows together. Default: no limit. */
  readonly maxButtons?: number;
}

/** At least one row. Rejects with `invalid` that names what is wrong. A single button may stand for its row. */
export function readButtonRows(
  input: unknown,
  { maxDataBytes, maxButtons = Infinity }: ButtonLimits,
): readonly (readonly ButtonSpec[])[] {
  const rows = typeof input === 'string' ? parsed(input) : input;
  if (!Array.isArray(rows) || rows.length === 0) throw wrong('buttons must be rows: [[{"text":"Yes","data":"yes"}]].');
  const all = rows as readonly unknown[];
  const read = all.map((row) => (Array.isArray(row) ? row : [row]).map((one: unknown) => buttonOf(one, maxDataBytes)));
  if (read.flat().length > maxButtons) throw wrong(`at most ${maxButtons} buttons go below one message here.`);
  return read;
}

function buttonOf(input: unknown, maxDataBytes: number): ButtonSpec {
  const { text, data, url } = (input ?? {}) as {
    readonly text?: unknown;
    readonly data?: unknown;
    readonly url?: unknown;
  };
  if (typeof text !== 'string' || text === '') throw wrong('every button needs a text.');
  if (typeof url === 'string') return { text, url };
  if (typeof data !== 'string' || data === '') throw wrong(`the button "${text}" needs data or a url.`);
  if (isChoice(data)) throw wrong(`the data of the button "${text}" may not begin with ${CHOICE_PREFIX}.`);
  if (Buffer.byteLength(data) > maxDataBytes)
    throw wrong(`the data of the button "${text}" has more than ${maxDataBytes} bytes.`);
  return { text, data };
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch (cause) {
    throw new AppError('invalid', 'Parameter buttons must be valid JSON.', { cause });
  }
}

const wrong = (what: string): AppError => new AppError('invalid', `Parameter buttons: ${what}`);
