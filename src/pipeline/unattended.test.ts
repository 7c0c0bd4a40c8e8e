import assert from 'node:assert/strict';
import { it } from 'node:test';
import { unattended } from './unattended.ts';

it('a message that came and was answered while the journal was asked is not taken up again', async () => {
  const seen = new Set(['arriving']);
  const hub = { active: () => [{ runId: 'runs' } as never], isActive: (runId: string) => runId === 'begun' };
  const inbox = { watchArrivals: () => ({ has: (runId: string) => seen.has(runId), [Symbol.dispose]: () => {} }) };
  const found = await unattended(
    async () => {
      seen.add('came'); // and has its end by now
      return ['left', 'runs', 'arriving', 'begun', 'came'].map((runId) => ({ runId }));
    },
    { hub, inbox },
  );
  assert.deepEqual(found, [{ runId: 'left' }]);
});
