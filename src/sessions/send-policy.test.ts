/** Whether answers may be sent in a session (`spec/gateway.md` 2.9, case 89). */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { sessionConfigSchema } from './config.ts';
import { maySend } from './send-policy.ts';

const policy = (sendPolicy?: object) => sessionConfigSchema.parse({ sendPolicy }).sendPolicy;
const entry = (over: object) => ({ sessionId: 's', updatedAt: 0, ...over });
const deny = (match: object) => ({ action: 'deny', match });

it('allows by default', () => assert.equal(maySend(policy(), 'agent:main:main', undefined), true));

it("lets the session's own setting win", () => {
  const rules = policy({ rules: [deny({})] });
  assert.equal(maySend(rules, 'agent:main:main', entry({ sendPolicy: 'allow' })), true);
  assert.equal(maySend(policy(), 'agent:main:main', entry({ sendPolicy: 'deny' })), false);
});

it('needs every field of a rule', () => {
  const rules = policy({ rules: [deny({ channel: 'discord', chatType: 'group' })] });
  assert.equal(maySend(rules, 'agent:main:discord:group:1', entry({ channel: 'discord', chatType: 'group' })), false);
  assert.equal(maySend(rules, 'agent:main:discord:group:1', undefined), false, 'both are read off the key');
  assert.equal(
    maySend(rules, 'agent:main:discord:channel:1', entry({ channel: 'discord', chatType: 'channel' })),
    true,
  );
  assert.equal(maySend(rules, 'agent:main:telegram:group:1', undefined), true);
  assert.equal(
    maySend(policy({ rules: [deny({ chatType: 'dm' })] }), 'agent:main:main', undefined),
    false,
    'another word for direct',
  );
});

it('takes key prefixes with and without the agent', () => {
  const rules = policy({ rules: [deny({ keyPrefix: 'cron:' })] });
  assert.equal(maySend(rules, 'agent:main:cron:job', undefined), false);
  assert.equal(maySend(rules, 'cron:job', undefined), false);
  assert.equal(maySend(rules, 'agent:main:main', undefined), true);
  assert.equal(maySend(policy({ rules: [deny({ keyPrefix: 'agent:work:' })] }), 'agent:work:main', undefined), false);
  assert.equal(
    maySend(policy({ rules: [deny({ keyPrefix: 'Cron:' })] }), 'agent:main:cron:job', undefined),
    false,
    'keys are lower case, rules need not be',
  );
  const raw = policy({ rules: [deny({ rawKeyPrefix: 'agent:work:' })] });
  assert.deepEqual(
    ['agent:work:main', 'agent:main:main', 'agent:main:agent:work:'].map((key) => maySend(raw, key, undefined)),
    [false, true, true],
  );
});

it('lets a deny win over an allow, whatever their order, and an allow over the default', () => {
  const allow = { action: 'allow', match: { channel: 'telegram' } };
  const rules = policy({ default: 'deny', rules: [allow, deny({ chatType: 'group' })] });
  assert.equal(maySend(rules, 'agent:main:telegram:group:1', undefined), false);
  assert.equal(maySend(rules, 'agent:main:telegram:dm:1', undefined), true);
  assert.equal(maySend(rules, 'agent:main:main', undefined), false);
});
