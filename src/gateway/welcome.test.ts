// The start message, in a terminal and elsewhere.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { welcome } from './welcome.ts';

const config = { snapshot: () => ({ safeMode: false, source: 'file', issues: [], path: '/f' }) } as never;
const instance = { url: 'http://127.0.0.1:1/', uiUrl: 'http://127.0.0.1:1/#token=secret-of-mine', config };

test('a person at a terminal is shown the address with its token', () => {
  assert.equal(
    welcome(instance, { stateDir: '/s', terminal: true }),
    'Clawdbot is ready at http://127.0.0.1:1/\nOpen the web chat: http://127.0.0.1:1/#token=secret-of-mine\nState: /s',
  );
});

test('a journal or a pipe gets a hint where to find it', () => {
  const reported = welcome(instance, { stateDir: '/s', terminal: false });
  assert.doesNotMatch(reported, /secret-of-mine/);
  assert.match(
    reported,
    /^Open the web chat: http:\/\/127\.0\.0\.1:1\/ \(its address with the token, in a terminal: clawdbot dashboard\)$/m,
  );
  assert.match(
    welcome({ ...instance, uiUrl: instance.url }, { stateDir: '/s', terminal: false }),
    /^Open the web chat: http:\/\/127\.0\.0\.1:1\/$/m,
    'a password is in no address',
  );
});
