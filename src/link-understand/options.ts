/** The command line of `link-understand`. */
import { parseArgs } from 'node:util';
import { AppError } from '../core/errors.ts';
import { present } from '../core/present.ts';

export const FORMATS = ['markdown', 'text', 'json'] as const;
export type Format = (typeof FORMATS)[number];

export interface Options {
  readonly url: URL;
  readonly format: Format;
  readonly maxChars: number;
  readonly timeoutMs: number;
  /** Directory of the cache; absent, nothing is kept. */
  readonly cache?: string;
}

export const DEFAULT_MAX_CHARS = 20_000;
export const DEFAULT_TIMEOUT_SECONDS = 20;

export const HELP = `Usage: link-understand --url URL [options]

Prints what is behind a link as text: pages, feeds, JSON, PDF, Word, tables, mail, archives' listings.

  --url URL          http or https
  --format FORMAT    markdown (default), text or json
  --max-chars N      characters of text at most, ${DEFAULT_MAX_CHARS} by default
  --timeout SECONDS  for everything together, ${DEFAULT_TIMEOUT_SECONDS} by default
  --cache DIR        keep what was fetched, ask again only whether it changed
  --help, --version

Exit codes: 0 printed, 1 could not be read, 2 wrong usage, 3 refused by the address guard, 4 out of time.

Environment: HTTP_PROXY, HTTPS_PROXY, ALL_PROXY, NO_PROXY as everywhere; CLAWDBOT_FETCH_RULES, the setting
security.fetch as JSON, opens private addresses; without it nothing private is fetched.`;

export type CommandLine = { readonly show: 'help' | 'version' } | Options;

const flags = {
  url: { type: 'string' },
  format: { type: 'string', default: 'markdown' },
  'max-chars': { type: 'string', default: String(DEFAULT_MAX_CHARS) },
  timeout: { type: 'string', default: String(DEFAULT_TIMEOUT_SECONDS) },
  cache: { type: 'string' },
  help: { type: 'boolean', short: 'h' },
  version: { type: 'boolean', short: 'v' },
} as const;

/** Throws `AppError('invalid')` that says which option is wrong and what it wants. */
export function readOptions(args: readonly string[]): CommandLine {
  const values = parse(args);
  if (values.help) return { show: 'help' };
  if (values.version) return { show: 'version' };
  const format = FORMATS.find((known) => known === values.format);
  if (!format) throw new AppError('invalid', `--format is ${FORMATS.join(', ')}`);
  const maxChars = Number(values['max-chars']);
  if (!Number.isSafeInteger(maxChars) || maxChars < 1)
    throw new AppError('invalid', '--max-chars is a whole number above 0');
  const seconds = Number(values.timeout);
  if (!(seconds > 0 && seconds <= 3600))
    throw new AppError('invalid', '--timeout is a number of seconds from above 0 to 3600');
  if (values.cache === '') throw new AppError('invalid', '--cache is a directory');
  return present({
    url: readUrl(values.url),
    format,
    maxChars,
    timeoutMs: Math.ceil(seconds * 1000),
    cache: values.cache,
  });
}

function parse(args: readonly string[]): ReturnType<typeof parseArgs<{ options: typeof flags }>>['values'] {
  try {
    return parseArgs({ args: [...args], options: flags, strict: true, allowPositionals: false }).values;
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw new AppError('invalid', error.message.split('. ')[0]!, { cause: error });
  }
}

function readUrl(text: string | undefined): URL {
  if (text === undefined) throw new AppError('invalid', '--url is missing');
  const url = URL.parse(text.trim());
  if (!url || !/^https?:$/.test(url.protocol)) throw new AppError('invalid', '--url is an http or https address');
  return url;
}
