/** Generates docs/reference/errors.md from the error codes. */
import { ERROR_CODES } from '../../src/core/errors.ts';
import { code, page, table } from './markdown.mjs';

export const errorsPage = () =>
  page(
    {
      title: 'Error codes',
      summary: 'Every error code: its meaning, its HTTP status, and whether a retry can succeed',
      readWhen: ['you handle an error of the gateway in a program', 'a log line or an answer names a code'],
      from: '`src/core/errors.ts`',
    },
    table(
      ['code', 'means', 'HTTP', 'try again'],
      Object.entries(ERROR_CODES).map(([name, { http, retryable, means }]) => [
        code(name),
        means,
        http,
        retryable ? 'yes' : 'no',
      ]),
    ),
  );
