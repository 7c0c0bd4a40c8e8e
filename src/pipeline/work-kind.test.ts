// With which kind of work a message is counted: by what its feature says, and apart from people where none says it.
import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { Trigger } from '../core/trigger.ts';
import type { Origins } from '../host/origin-traits.ts';
import { findFeatures } from '../plugins/find-features.ts';
import { workKind } from './work-kind.ts';

const job: Trigger = { origin: 'cron', jobId: 'j', slotMs: 1, attempt: 0, delivers: 'auto' };
const step = (of: 'ask' | 'task'): Trigger => ({ origin: 'session', exchangeId: 'e', step: of });
const triggers: readonly (Trigger | undefined)[] = [
  undefined,
  job,
  step('ask'),
  step('task'),
  { origin: 'heartbeat', reason: 'interval' },
  { origin: 'restart' },
];
const kinds = (origins: Origins) => triggers.map((trigger) => workKind(trigger ? { trigger } : {}, origins));

it('is what the feature says that began it', async () => {
  const origins = Object.assign({}, ...(await findFeatures()).map((feature) => feature.origins)) as Origins;
  assert.deepEqual(kinds(origins), ['main', 'counted', 'nested', 'subagent', 'background', 'background']);
  assert.deepEqual(kinds({}), ['main', 'background', 'background', 'background', 'background', 'background']);
});
