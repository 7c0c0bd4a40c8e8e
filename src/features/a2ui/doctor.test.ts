/** What `doctor` says of canvases: how many there are, and the first that is not shown whole. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Patient } from '../../cli/doctor/check.ts';
import { AppError } from '../../core/errors.ts';
import { checks } from './doctor.ts';

const [check] = checks;

function examine(canvases: readonly object[] | Error, surfaces: readonly object[] = []) {
  const link = {
    request: async (method: string) => {
      if (canvases instanceof Error) throw canvases;
      return method === 'a2ui.list' ? { canvases } : { surfaces };
    },
  };
  return check!.run({ gateway: { link } } as unknown as Patient);
}

test('doctor counts surfaces, and warns of one that shows a placeholder, with what to run', async () => {
  const canvases = [{ sessionKey: 'agent:main:main', surfaces: 1 }];
  assert.deepEqual(await examine([]), { level: 'ok', detail: 'no surfaces' });
  assert.deepEqual(await examine(canvases, [{ shown: true, warnings: [] }]), {
    level: 'ok',
    detail: '1 surface in 1 session',
  });
  const hidden = await examine(canvases, [{ shown: false, warnings: ['unknown component'] }]);
  assert.equal(hidden.level, 'ok', 'nobody sees it');
  const broken = await examine(canvases, [{ shown: true, warnings: ["'c' is a Chart\u001b"] }]);
  assert.equal(broken.level, 'warn');
  assert.match(broken.detail, /^agent:main:main: 'c' is a Chart(?!\u001b)/);
  assert.match(broken.fix!, /canvas a2ui reset/);
  assert.equal(
    (await examine(new AppError('invalid', 'unknown method: a2ui.list'))).detail,
    'this gateway has no canvas',
  );
});
