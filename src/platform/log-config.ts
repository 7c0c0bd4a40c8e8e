/** The `logging` slice of the configuration. */
import { isAbsolute, join } from 'node:path';
import { z } from 'zod';
import { PRODUCT } from '../core/product.ts';
import { expandPath } from './env.ts';

/** From nothing at all to everything. */
export const LOG_LEVELS = ['silent', 'fatal', 'error', 'warn', 'info', 'debug', 'trace'] as const;
/** One of `LOG_LEVELS`. */
export type LogLevel = (typeof LOG_LEVELS)[number];

/** How lines look in a terminal. */
export const CONSOLE_STYLES = ['pretty', 'compact', 'json'] as const;
/** One of `CONSOLE_STYLES`. */
export type ConsoleStyle = (typeof CONSOLE_STYLES)[number];

/** The `logging` section of the configuration. */
export const loggingConfigSchema = z
  .object({
    level: z.enum(LOG_LEVELS).default('info').describe('Minimum level written to the log file.'),
    file: z
      .string()
      .min(1)
      .optional()
      .describe(
        'Path of the log file. Default: one file a day in the `logs` folder of the state directory, which is ' +
          'private and outlives a reboot.',
      ),
    consoleLevel: z
      .enum(LOG_LEVELS)
      .default('warn')
      .describe('Minimum level printed to the terminal; `--verbose` prints everything.'),
    consoleStyle: z
      .enum(CONSOLE_STYLES)
      .default('pretty')
      .describe('Format on the terminal: `pretty` (with time), `compact`, or `json` lines.'),
    redactSensitive: z
      .enum(['tools', 'off'])
      .default('tools')
      .describe('`tools` masks keys, tokens and passwords in every log line; `off` writes them as they are.'),
  })
  .prefault({});

/** What `loggingConfigSchema` reads. */
export type LoggingConfig = z.output<typeof loggingConfigSchema>;

/** `<stateDir>/logs/clawdbot-YYYY-MM-DD.log`, by the local date. */
export function dailyLogFile(stateDir: string, now: number): string {
  const date = new Date(now);
  const day = [date.getFullYear(), date.getMonth() + 1, date.getDate()]
    .map((part) => String(part).padStart(2, '0'))
    .join('-');
  return join(stateDir, 'logs', `${PRODUCT}-${day}.log`);
}

/** Where log lines of one gateway end, where the configuration says; undefined: in a file a day. */
export function configuredLogFile(stateDir: string, configured: string | undefined, home: string): string | undefined {
  if (configured === undefined) return undefined;
  return isAbsolute(configured) || configured.startsWith('~')
    ? expandPath(configured, home)
    : join(stateDir, configured);
}
