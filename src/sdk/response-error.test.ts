// The error messages of vendors as they are shown to people.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { responseError } from './response-error.ts';

const SAID: readonly (readonly [body: string, complaint: string])[] = [
  [
    '{"error":{"message":"Incorrect API key provided.","type":"invalid_request_error","code":"invalid_api_key"}}',
    'Incorrect API key provided.',
  ],
  ['{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"},"request_id":"req_1"}', 'Overloaded'],
  ['[{"error":{"code":400,"message":"API key not valid.","status":"INVALID_ARGUMENT"}}]', 'API key not valid.'],
  ['{"err_code":"INVALID_AUTH","err_msg":"Invalid credentials.","request_id":"r"}', 'Invalid credentials.'],
  ['{"error":"model not found"}', 'model not found'],
  ['{"detail":[{"msg":"field required"}]}', 'field required'],
  ['{"message":"no such route"}', 'no such route'],
  ['{"base_resp":{"status_code":1004,"status_msg":"login fail"}}', 'login fail'],
  ['<html><head><title>502 Bad Gateway</title></head><body><center>nginx</center></body></html>', ''],
  ['<p>Try again <b>later</b>.</p>', 'Try again  later .'],
  ['<?xml version="1.0"?><Error/>', ''],
  ['{"status":3}', ''],
  ['upstream timed out', 'upstream timed out'],
  ['', ''],
  ['{"error":', '{"error":'],
];

test('the sentence in it is told, not the protocol around it', () => {
  assert.deepEqual(
    SAID.map(([body]) => responseError(body)),
    SAID.map(([, reported]) => reported),
  );
});

test('a body nested without end is no work', () => {
  assert.equal(responseError(`${'{"error":'.repeat(5000)}1${'}'.repeat(5000)}`), '');
});
