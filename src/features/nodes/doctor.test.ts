/** What `doctor` and `status` say of nodes. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Patient } from '../../cli/doctor/check.ts';
import { AppError } from '../../core/errors.ts';
import { checks } from './doctor.ts';
import { statusOf } from './status.ts';

const [check] = checks;
const node = (more: object = {}) => ({
  nodeId: 'abc',
  displayName: 'Desk\u001b',
  paired: true,
  connected: true,
  ...more,
});

function examine(answer: unknown) {
  const link = {
    request: async () => {
      if (answer instanceof Error) throw answer;
      return { nodes: answer };
    },
  };
  return check!.run({ gateway: { link } } as unknown as Patient);
}

test('doctor counts nodes, and names the first that waits with what to run', async () => {
  assert.equal(
    (await check!.run({ gateway: { problem: 'no' } } as unknown as Patient)).detail,
    'needs a running gateway',
  );
  assert.deepEqual(await examine([]), { level: 'ok', detail: 'none' });
  assert.deepEqual(await examine([node(), node({ connected: false })]), {
    level: 'ok',
    detail: '2 paired, 1 connected',
  });
  const waits = await examine([node(), node({ requestId: 'r1' })]);
  assert.equal(waits.level, 'warn');
  assert.match(waits.detail, /^Desk(?!\u001b).* waits for approval of its commands$/);
  assert.match(waits.fix!, /nodes pending/);
  assert.equal((await examine(new AppError('invalid', 'unknown method: node.list'))).level, 'ok');
  await assert.rejects(examine(new AppError('unavailable', 'gone')), /gone/);
});

test('status has a line for nodes where there are any', () => {
  const line = (...nodes: readonly object[]) => (statusOf(nodes as never)['nodes'] as { summary: string })?.summary;
  assert.equal(line(), undefined);
  assert.equal(line(node(), node({ connected: false })), '1 of 2 connected');
  assert.equal(line(node({ paired: false, requestId: 'r' })), '0 of 0 connected, 1 waiting for approval');
});
