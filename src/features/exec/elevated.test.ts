// Who may leave the sandbox or skip approvals, gate by gate.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { elevation, failingGates, type ElevationRequest } from './elevated.ts';

const open: ElevationRequest = {
  config: { enabled: true, allowFrom: { telegram: ['4711'] } },
  agentId: 'main',
  level: 'off',
  isRequested: true,
  channel: 'telegram',
  senders: ['4711'],
  operator: false,
  sessionKey: 'agent:main:main',
  sandboxed: true,
};
const gates = (patch: Partial<ElevationRequest>): string[] =>
  failingGates({ ...open, ...patch }).map(({ gate, setting }) => `${gate} ${setting}`);

describe('the gates', () => {
  it('are all open for a listed sender', () => assert.deepEqual(gates({}), []));

  it('each closes by itself', () => {
    assert.deepEqual(gates({ config: { ...open.config, enabled: false } }), ['enabled tools.elevated.enabled']);
    assert.deepEqual(gates({ agent: { enabled: false } }), ['enabled agents.list[main].tools.elevated.enabled']);
    assert.deepEqual(gates({ agent: { enabled: true } }), []);
    assert.deepEqual(gates({ senders: ['12'] }), ['allowFrom tools.elevated.allowFrom.telegram']);
    assert.deepEqual(gates({ agent: { allowFrom: { telegram: ['12'] } } }), [
      'allowFrom agents.list[main].tools.elevated.allowFrom.telegram',
    ]);
    assert.deepEqual(
      gates({ agent: { allowFrom: {} } }),
      ['allowFrom agents.list[main].tools.elevated.allowFrom.telegram'],
      'a list of its own that leaves the channel out',
    );
    assert.deepEqual(gates({ channel: 'discord' }), ['allowFrom tools.elevated.allowFrom.discord']);
  });

  it('an agent cannot open what is closed for all', () => {
    assert.deepEqual(
      gates({ config: { enabled: false, allowFrom: {} }, agent: { enabled: true, allowFrom: { telegram: ['*'] } } }),
      ['enabled tools.elevated.enabled', 'allowFrom tools.elevated.allowFrom.telegram'],
    );
  });

  it('everybody who wrote must be listed, by id', () => {
    assert.deepEqual(gates({ senders: ['4711', '12'] }).length, 1);
    assert.deepEqual(gates({ senders: [] }).length, 1, 'nobody is not everybody');
    for (const senders of [['471'], ['47111'], ['@4711'], ['telegram:4711']])
      assert.equal(gates({ senders }).length, 1, senders[0]);
    assert.deepEqual(
      gates({ config: { enabled: true, allowFrom: { telegram: ['Ada', '4711'] } }, senders: ['ADA', ' 4711'] }),
      [],
    );
    assert.deepEqual(gates({ config: { enabled: true, allowFrom: { telegram: ['*'] } }, senders: ['12', '13'] }), []);
    assert.equal(
      gates({ config: { enabled: true, allowFrom: { telegram: ['*'] } }, senders: [] }).length,
      1,
      'a wildcard admits senders, not the absence of one',
    );
    assert.equal(gates({ channel: 'constructor', senders: ['4711'] }).length, 1);
  });

  it('a channel without a list falls back to who may write directly; an empty list blocks', () => {
    const none = { enabled: true, allowFrom: {} };
    assert.deepEqual(gates({ config: none, channel: 'discord', senders: ['9'], fallbackAllowFrom: ['9'] }), []);
    assert.equal(gates({ config: none, channel: 'discord', senders: ['8'], fallbackAllowFrom: ['9'] }).length, 1);
    assert.equal(
      gates({
        config: { enabled: true, allowFrom: { discord: [] } },
        channel: 'discord',
        senders: ['9'],
        fallbackAllowFrom: ['9'],
      }).length,
      1,
    );
  });

  it('the operator may unless a list leaves them out', () => {
    const webchat = { channel: 'webchat', senders: ['operator'], operator: true };
    assert.deepEqual(gates({ ...webchat, config: { enabled: true, allowFrom: {} } }), []);
    assert.equal(gates({ ...webchat, config: { enabled: true, allowFrom: { webchat: [] } } }).length, 1);
    assert.equal(gates({ ...webchat, config: { enabled: true, allowFrom: { webchat: ['somebody'] } } }).length, 1);
    assert.deepEqual(gates({ ...webchat, config: { enabled: true, allowFrom: { webchat: ['operator'] } } }), []);
    assert.equal(gates({ ...webchat, operator: false, config: { enabled: true, allowFrom: {} } }).length, 1);
  });
});

describe('the level in force', () => {
  const level = (patch: Partial<ElevationRequest>): unknown => {
    const answer = elevation({ ...open, ...patch });
    return answer.allowed ? answer.level : 'refused';
  };

  it('T54 T55 on means ask, full stays full, asking raises off to ask only', () => {
    assert.deepEqual(
      (['off', 'on', 'ask', 'full'] as const).map((one) => level({ level: one, isRequested: undefined })),
      ['off', 'ask', 'ask', 'full'],
    );
    assert.deepEqual(
      (['off', 'on', 'ask', 'full'] as const).map((one) => level({ level: one, isRequested: true })),
      ['ask', 'ask', 'ask', 'full'],
    );
    assert.deepEqual(
      (['off', 'full'] as const).map((one) => level({ level: one, isRequested: false })),
      ['off', 'off'],
    );
  });

  it('T6 a default level that is not allowed falls back without a word', () => {
    assert.equal(level({ level: 'full', isRequested: undefined, senders: ['12'] }), 'off');
    assert.equal(level({ level: 'full', isRequested: false, senders: ['12'] }), 'off');
  });

  it('T5 asked for and not allowed: runtime, gate, context and the settings that would open it', () => {
    const answer = elevation({ ...open, senders: ['12'] });
    assert.ok(!answer.allowed);
    for (const part of [
      /runtime=sandboxed/,
      /allowFrom \(tools\.elevated\.allowFrom\.telegram\)/,
      /provider=telegram session=agent:main:main/,
      /^- tools\.elevated\.enabled$/m,
      /^- tools\.elevated\.allowFrom\.telegram$/m,
      /^- agents\.list\[main\]\.tools\.elevated\.enabled$/m,
      /^- agents\.list\[main\]\.tools\.elevated\.allowFrom\.telegram$/m,
    ])
      assert.match(answer.message, part);
    assert.doesNotMatch(answer.message, /enabled \(/, 'only the gates that are closed');
    const direct = elevation({
      ...open,
      sandboxed: false,
      config: { enabled: false, allowFrom: open.config.allowFrom },
    });
    assert.ok(
      !direct.allowed &&
        /runtime=direct/.test(direct.message) &&
        /enabled \(tools\.elevated\.enabled\)/.test(direct.message),
    );
  });
});
