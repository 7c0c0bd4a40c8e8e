// Who has a say in what a command may do: nobody loosens what another tightened.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { execSchema } from '../config.ts';
import { ASK_MODES, SECURITY_LEVELS } from '../../../core/command-levels.ts';
import { execSettings } from '../exec-settings.ts';
import { effective, strictestAsk, needsApproval, strictest } from './matrix.ts';

const general = (given: object) => execSchema.parse(given);

describe('security and ask', () => {
  it('T49 the stricter security and the more prompting ask win', () => {
    assert.equal(strictest(['full', 'allowlist']), 'allowlist');
    assert.equal(strictestAsk(['off', 'always']), 'always');
  });

  it('for every combination the result is at least as strict as every source', () => {
    const securities = [undefined, ...SECURITY_LEVELS];
    const asks = [undefined, ...ASK_MODES];
    for (const config of SECURITY_LEVELS)
      for (const agent of securities)
        for (const call of securities)
          for (const file of securities) {
            const { security } = effective({
              settings: execSettings(general({ security: config }), { security: agent }),
              call: { security: call },
              file: { security: file },
            });
            for (const source of [config, agent, call, file])
              if (source)
                assert.ok(
                  SECURITY_LEVELS.indexOf(security) <= SECURITY_LEVELS.indexOf(source),
                  `${security} is looser than ${source}`,
                );
            assert.ok([config, agent, call, file].includes(security));
          }
    for (const config of ASK_MODES)
      for (const agent of asks)
        for (const call of asks)
          for (const file of asks) {
            const { ask } = effective({
              settings: execSettings(general({ ask: config }), { ask: agent }),
              call: { ask: call },
              file: { ask: file },
            });
            for (const source of [config, agent, call, file])
              if (source)
                assert.ok(ASK_MODES.indexOf(ask) >= ASK_MODES.indexOf(source), `${ask} asks less than ${source}`);
          }
  });

  it('words of the call that nobody knows count as not said', () => {
    const settings = { security: 'allowlist', ask: 'on-miss' } as const;
    for (const word of ['', 'none', 'FULLY', 'constructor', 'ask', '*'])
      assert.deepEqual(effective({ settings, call: { security: word, ask: word } }), {
        ...settings,
        askFallback: 'deny',
      });
    assert.deepEqual(effective({ settings, call: { security: ' Deny ', ask: 'ALWAYS' } }), {
      security: 'deny',
      ask: 'always',
      askFallback: 'deny',
    });
  });

  it('the fallback is deny unless the file says otherwise', () => {
    const settings = { security: 'allowlist', ask: 'on-miss' } as const;
    assert.equal(effective({ settings, file: {} }).askFallback, 'deny');
    assert.equal(effective({ settings, file: { askFallback: 'allowlist' } }).askFallback, 'allowlist');
  });
});

describe('whether a person is asked', () => {
  const yes = (row: Parameters<typeof needsApproval>[0]): string => (needsApproval(row) ? 'ask' : '-');

  it('T50 T53 T54 the truth table', () => {
    const table: Record<string, string> = {};
    for (const security of SECURITY_LEVELS)
      for (const ask of ASK_MODES)
        table[`${security} ${ask}`] = [
          [true, true],
          [true, false],
          [false, false],
          [false, true],
        ]
          .map(([proven, satisfied]) => yes({ security, ask, proven: proven!, satisfied: satisfied! }))
          .join(' ');
    assert.deepEqual(table, {
      'deny off': '- - - -',
      'deny on-miss': '- - - -',
      'deny always': '- - - -',
      'allowlist off': '- - - -',
      'allowlist on-miss': '- ask ask ask',
      'allowlist always': 'ask ask ask ask',
      'full off': '- - - -',
      'full on-miss': '- - - -',
      'full always': 'ask ask ask ask',
    });
  });
});
