// What of a request goes to a node.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { boundFor, forNode } from './bound-for.ts';
import type { ShellPlace } from './shell-place.ts';

const place = (settings: object, more: object = {}): ShellPlace =>
  ({
    settings: { host: 'node', timeoutSec: 1800, ...settings },
    elevation: () => ({ allowed: true, level: 'off' }),
    ...more,
  }) as unknown as ShellPlace;

test('the line, its folder and variables; its time is bounded', () => {
  const request = { command: 'make', workdir: '/srv', env: { A: '1' }, timeoutSeconds: 2.5, security: 'deny' };
  const { timeoutSeconds: _time, command: line, workdir: cwd, ...rest } = request;
  assert.deepEqual(forNode(request, place({})), { line, cwd, ...rest, commandTimeoutMs: 2500 });
  assert.deepEqual(forNode({ command: 'x' }, place({ timeoutSec: 0 })), { line: 'x', commandTimeoutMs: 86_400_000 });
  assert.deepEqual(forNode({ command: 'x', timeoutSeconds: 1e9 }, place({})), {
    line: 'x',
    commandTimeoutMs: 86_400_000,
  });
});

test('the node of the settings, which no call changes', () => {
  const nodeOf = (asked: string | undefined, settings: object) => {
    const found = forNode({ command: 'x', node: asked }, place(settings));
    return 'kind' in found ? found.code : found.node;
  };
  assert.deepEqual(
    [nodeOf(undefined, {}), nodeOf(' Desk ', {}), nodeOf('desk', { node: 'Desk' }), nodeOf('Phone', { node: 'Desk' })],
    [undefined, 'Desk', 'Desk', 'denied'],
  );
});

test('a malformed command, and one that wants a terminal, are refused before anybody is asked', () => {
  const codeOf = (outcome: object) => (outcome as { readonly code?: string }).code;
  for (const command of ['', ' ', 'a\0b', 'x'.repeat(200_000)])
    assert.equal(codeOf(boundFor({ command }, place({}))), 'invalid');
  assert.deepEqual(boundFor({ command: 'x' }, place({})), { host: 'node' });
  assert.equal(codeOf(boundFor({ command: 'x' }, place({}, { sandbox: {} }))), 'sandbox-unavailable');
  assert.equal(codeOf(forNode({ command: 'x', pty: true }, place({}))), 'invalid');
});
