/** The failures of reading a link: one line for people, one exit code for programs. */
import { excerpt, head } from '../core/cut.ts';
import type { AppError } from '../core/errors.ts';

export const EXIT = { ok: 0, unreadable: 1, usage: 2, refused: 3, timeout: 4 } as const;

const REASONS: Readonly<Record<number, string>> = {
  400: 'Bad Request',
  401: 'Unauthorized',
  402: 'Payment Required',
  403: 'Forbidden',
  404: 'Not Found',
  405: 'Method Not Allowed',
  406: 'Not Acceptable',
  408: 'Request Timeout',
  410: 'Gone',
  418: "I'm a Teapot",
  429: 'Too Many Requests',
  451: 'Unavailable For Legal Reasons',
  500: 'Internal Server Error',
  501: 'Not Implemented',
  502: 'Bad Gateway',
  503: 'Service Unavailable',
  504: 'Gateway Timeout',
};
const MAX_URL = 200;

export interface Failure {
  readonly line: string;
  readonly exitCode: number;
}

/** `url` as asked for; absent when the command line was wrong. */
export function failureOf(error: AppError, url?: URL): Failure {
  const where = url ? `${shown(url)}: ` : '';
  return {
    line: head(`link-understand: ${where}${reason(error)}`.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' '), 1000),
    exitCode: exitCodeOf(error, url),
  };
}

function exitCodeOf({ code }: AppError, url: URL | undefined): number {
  if (code === 'denied') return EXIT.refused;
  if (code === 'timeout' || code === 'aborted') return EXIT.timeout;
  return code === 'invalid' && url === undefined ? EXIT.usage : EXIT.unreadable;
}

function reason(error: AppError): string {
  const status = error.details?.status;
  if (typeof status === 'number') return `the server answered ${status}${REASONS[status] ? ` ${REASONS[status]}` : ''}`;
  return error.message.replace(/\.$/, '');
}

/** An address may hold a password, or a hundred thousand characters. */
function shown(url: URL): string {
  const safe = new URL(url);
  safe.username = '';
  safe.password = '';
  return excerpt(safe.href, MAX_URL);
}
