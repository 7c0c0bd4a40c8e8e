/** Parses the parameters of `act`. Pure. */
import { AppError } from '../../../core/errors.ts';

export type Params = Readonly<Record<string, unknown>>;

export const KINDS = [
  'click',
  'type',
  'press',
  'hover',
  'drag',
  'select',
  'fill',
  'resize',
  'wait',
  'evaluate',
  'scrollIntoView',
  'close',
  'batch',
] as const;
export type ActKind = (typeof KINDS)[number];

const BUTTONS = ['left', 'right', 'middle'] as const;
const MODIFIERS = ['Alt', 'Control', 'ControlOrMeta', 'Meta', 'Shift'] as const;
export type Button = (typeof BUTTONS)[number];
export type Modifier = (typeof MODIFIERS)[number];

const OTHER_NAMES: Readonly<Record<string, ActKind>> = {
  scroll: 'scrollIntoView',
  scrollintoview: 'scrollIntoView',
  key: 'press',
};

export function readKind(params: Params): ActKind {
  const written = text(params, 'kind')?.trim();
  if (written === undefined) throw invalid(`kind required: one of ${KINDS.join(', ')}.`);
  const found = KINDS.find((kind) => kind === written) ?? OTHER_NAMES[written.toLowerCase()];
  if (!found) throw invalid(`Unknown kind "${written.slice(0, 40)}". Use one of ${KINDS.join(', ')}.`);
  if (found !== 'wait' && params['selector'] !== undefined)
    throw invalid(
      '`selector` is not supported in act: take a snapshot and use the ref of the element. For a rare CSS selector ' +
        'there is evaluate.',
    );
  return found;
}

export const invalid = (message: string): AppError => new AppError('invalid', message);

export const evaluateOff = (): AppError =>
  new AppError(
    'denied',
    'JavaScript in pages is switched off (browser.evaluateEnabled). Use refs and the other kinds.',
  );

/** A text that is not blank; undefined for anything else. */
export function text(params: Params, name: string): string | undefined {
  const value = params[name];
  if (typeof value === 'number' && Number.isFinite(value)) return String(value);
  return typeof value === 'string' && value.trim() !== '' ? value : undefined;
}

export function required(params: Params, name: string): string {
  const value = text(params, name);
  if (value === undefined) throw invalid(`${name} required`);
  return value;
}

/** The text unchanged, including white space. */
export function anyText(params: Params, name: string): string {
  const value = params[name];
  if (typeof value === 'number') return String(value);
  if (typeof value !== 'string') throw invalid(`${name} required`);
  return value;
}

const isAbsent = (value: unknown): boolean =>
  value === undefined || value === null || (typeof value === 'string' && value.trim() === '');

/** Undefined where it is absent. Throws `invalid` for anything else that is no number. */
export function number(params: Params, name: string): number | undefined {
  const value = params[name];
  if (isAbsent(value)) return undefined;
  const read = typeof value === 'string' ? Number(value) : value;
  if (typeof read !== 'number' || !Number.isFinite(read)) throw invalid(`${name} must be a number.`);
  return read;
}

/** `true`, `1`, `yes` and their opposites; undefined where it is absent. Throws `invalid` for anything else. */
export function flag(params: Params, name: string): boolean | undefined {
  const value = params[name];
  if (isAbsent(value)) return undefined;
  const word = ['boolean', 'string', 'number'].includes(typeof value) ? String(value).trim().toLowerCase() : '';
  if (['true', '1', 'yes'].includes(word)) return true;
  if (['false', '0', 'no'].includes(word)) return false;
  throw invalid(`${name} must be true or false.`);
}

/** Texts and numbers of a list, or a single one; other values are left out. */
export function texts(params: Params, name: string): readonly string[] {
  const value = params[name];
  const list: readonly unknown[] = Array.isArray(value) ? value : value === undefined ? [] : [value];
  return list.flatMap((one) => {
    const written = typeof one === 'number' ? String(one) : one;
    return typeof written === 'string' && written.trim() !== '' ? [written] : [];
  });
}

export function readButton(params: Params): Button | undefined {
  const written = text(params, 'button');
  const found = BUTTONS.find((button) => button === written);
  if (written !== undefined && !found) throw invalid(`button must be one of ${BUTTONS.join(', ')}.`);
  return found;
}

export function readModifiers(params: Params): readonly Modifier[] {
  return texts(params, 'modifiers').map((written) => {
    const found = MODIFIERS.find((one) => one === written);
    if (!found) throw invalid(`modifiers must be among ${MODIFIERS.join(', ')}.`);
    return found;
  });
}

/** Milliseconds, clamped to the bounds. */
export const timeoutOf = (params: Params, { normal, min, max }: { normal: number; min: number; max: number }): number =>
  Math.min(max, Math.max(min, number(params, 'timeoutMs') ?? normal));
export const ACTION_TIME = { normal: 8000, min: 500, max: 60_000 } as const;
export const WAIT_TIME = { normal: 20_000, min: 500, max: 120_000 } as const;
export const NAVIGATION_TIME = { normal: 20_000, min: 1000, max: 120_000 } as const;
