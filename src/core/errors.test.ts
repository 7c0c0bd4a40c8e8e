/** The error class: codes decide, causes are kept, nothing is wrapped twice. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { AppError, asAppError, ERROR_CODES, mayPass, type ErrorCode } from './errors.ts';

it('derives from its code whether a retry may help', () => {
  const retryable = (Object.keys(ERROR_CODES) as ErrorCode[]).filter((code) => new AppError(code, 'x').retryable);
  assert.deepEqual(retryable.sort(), [
    'bad_response',
    'network',
    'overloaded',
    'rate_limited',
    'timeout',
    'unavailable',
  ]);
});

it('tells what may pass by itself from what somebody has to mend', () => {
  const passing = (Object.keys(ERROR_CODES) as ErrorCode[]).filter((code) => mayPass(new AppError(code, 'x')));
  assert.deepEqual(
    passing.filter((code) => !ERROR_CODES[code].retryable),
    ['storage', 'aborted'],
  );
  assert.deepEqual([mayPass(new TypeError('x')), mayPass(new DOMException('stop', 'AbortError'))], [false, true]);
});

it('every code has an HTTP status of its kind and a meaning', () => {
  for (const [code, { http, means }] of Object.entries(ERROR_CODES)) {
    assert.ok(http >= 400 && http < 600, code);
    assert.match(means, /^[A-Z].*\.$/, code);
  }
});

it('keeps the cause, the wait and the details', () => {
  const cause = new Error('below');
  const error = new AppError('rate_limited', 'slow down', { cause, retryAfterMs: 5, details: { limit: 3 } });
  assert.deepEqual([error.cause, error.retryAfterMs, error.details, error.name], [cause, 5, { limit: 3 }, 'AppError']);
  assert.equal('cause' in new AppError('internal', 'x'), false);
});

it('is made of anything caught, once', () => {
  const known = new AppError('denied', 'no');
  assert.equal(asAppError(known, 'storage'), known);
  const plain = new TypeError('odd');
  const wrapped = asAppError(plain, 'storage');
  assert.deepEqual([wrapped.code, wrapped.message, wrapped.cause], ['storage', 'odd', plain]);
  assert.equal(asAppError(new DOMException('stop', 'AbortError')).code, 'aborted');
  assert.deepEqual(
    [asAppError('text').code, asAppError('text').message, asAppError(undefined).message],
    ['internal', 'text', 'undefined'],
  );
});
