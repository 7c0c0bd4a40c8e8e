/** Formats a log record for a terminal. */
import type { ConsoleStyle } from './log-config.ts';
import type { LogRecord } from './log-record.ts';

/** One line without the newline. */
export function consoleLine(record: LogRecord, style: ConsoleStyle): string {
  if (style === 'json') return JSON.stringify(record);
  const { time, level, event, ...fields } = record;
  const details = Object.entries(fields)
    .map(([name, value]) => ` ${name}=${valueText(value)}`)
    .join('');
  const mark = level.toUpperCase().padEnd(5);
  return style === 'pretty' ? `${localTime(time)} ${mark} ${event}${details}` : `${mark} ${event}${details}`;
}

function localTime(iso: string): string {
  const date = new Date(iso);
  return [date.getHours(), date.getMinutes(), date.getSeconds()].map((part) => String(part).padStart(2, '0')).join(':');
}

/** Control characters never reach the terminal: text from outside could move the cursor or forge lines. */
function valueText(value: unknown): string {
  if (typeof value === 'string')
    return /^[\w.:/@+-]+$/.test(value) ? value : JSON.stringify(value).replaceAll(/[\u007f-\u009f]/g, '');
  if (typeof value === 'object' && value !== null && 'message' in value && 'name' in value)
    return errorText(value as Record<string, unknown>);
  return JSON.stringify(value) ?? String(value);
}

function errorText(error: Record<string, unknown>): string {
  const code = error['code'] === undefined ? '' : `${String(error['code'])}: `;
  return JSON.stringify(`${code}${String(error['message'])}`);
}
