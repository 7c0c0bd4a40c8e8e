// What becomes of the answer to a heartbeat: kept back, said without the token, said once a day, forgotten or
// remembered.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { ChatAddress } from '../../core/message.ts';
import { present } from '../../core/present.ts';
import { mainSessionKey } from '../../core/session-key.ts';
import { noUsage, type Message } from '../../core/transcript.ts';
import type { Turn, TurnOutcome } from '../../core/turn.ts';
import { tickPolicy, type TickRules, type TickDecision } from './tick-policy.ts';
import { peopleAuthority } from '../../testing/sample-authority.ts';

const DAY = 86_400_000;
const NOW = 10 * DAY;
const telegram: ChatAddress = { channel: 'telegram', accountId: 'default', chat: { kind: 'direct', id: '42' } };
const inside: ChatAddress = {
  channel: 'webchat',
  accountId: 'default',
  chat: { kind: 'direct', id: 'agent:main:main' },
};
const turn = (reason: string, replyTo = telegram): Turn => ({
  id: 't',
  route: { agentId: 'main', sessionKey: mainSessionKey('main'), matchedBy: 'session', replyTo },
  origin: 'heartbeat',
  trigger: { origin: 'heartbeat', reason },
  authority: peopleAuthority(),
  text: '',
  images: [],
  options: {},
});
const usedTool: Message = {
  role: 'toolResult',
  toolCallId: 'c',
  toolName: 'bash',
  content: [],
  isError: false,
  timestamp: 1,
};

interface Case {
  reason?: string;
  outcome?: TurnOutcome;
  rules?: Partial<TickRules>;
  messages?: readonly Message[];
  last?: { text: string; at: number };
  sent?: readonly { address: ChatAddress; text: string; messageIds: readonly string[] }[];
  replyTo?: ChatAddress;
}
const shown = (showOk: boolean, showAlerts: boolean) => ({ showOk, showAlerts, useIndicator: true });

function answer(
  text: string,
  {
    reason = 'interval',
    outcome = { kind: 'done', text, usage: noUsage },
    rules,
    messages = [],
    last,
    sent = [],
    replyTo = telegram,
  }: Case = {},
): TickDecision {
  return tickPolicy({
    turn: turn(reason, replyTo),
    outcome,
    rules: { ackMaxChars: 300, target: 'last', visibility: shown(false, true), ...rules },
    answer: {
      entry: present({ sessionId: 's', updatedAt: 1, lastHeartbeatText: last?.text, lastHeartbeatSentAt: last?.at }),
      messages,
      sent,
      now: NOW,
    },
  });
}
const summary = ({ decision, report: reported }: TickDecision): readonly unknown[] => [
  reported.status,
  reported.reason,
  decision.silent ?? false,
  decision.forget ?? false,
  decision.text,
];

describe('the answer to a heartbeat', () => {
  const long = 'x'.repeat(301);
  const cases: readonly (readonly [string, string, Case, readonly unknown[]])[] = [
    ['nothing to tell', 'HEARTBEAT_OK', {}, ['ok', 'interval', true, true, undefined]],
    ['T169 dressed up', '**HEARTBEAT_OK**', {}, ['ok', 'interval', true, true, undefined]],
    ['T169 with a short remark', 'HEARTBEAT_OK all quiet', {}, ['ok', 'interval', true, true, undefined]],
    [
      'T169 with a remark too long for the setting',
      'HEARTBEAT_OK all quiet',
      { rules: { ackMaxChars: 5 } },
      ['sent', 'interval', false, false, 'all quiet'],
    ],
    ['with a long remark', `HEARTBEAT_OK ${long}`, {}, ['sent', 'interval', false, false, long]],
    ['with a file', 'HEARTBEAT_OK\nMEDIA:chart.png', {}, ['sent', 'interval', false, false, 'MEDIA:chart.png']],
    ['NO_REPLY', 'NO_REPLY', {}, ['ok', 'interval', true, true, undefined]],
    ['empty', '  ', {}, ['ok', 'interval', true, true, undefined]],
    [
      'after a tool it is remembered',
      'HEARTBEAT_OK',
      { messages: [usedTool] },
      ['ok', 'interval', true, false, undefined],
    ],
    ['after an event it is remembered', 'HEARTBEAT_OK', { reason: 'event' }, ['ok', 'event', true, false, undefined]],
    ['woken, nothing to tell', 'HEARTBEAT_OK', { reason: 'cron:j1' }, ['ok', 'cron:j1', true, false, undefined]],
    [
      'shown',
      'HEARTBEAT_OK',
      { rules: { visibility: shown(true, true) } },
      ['ok', 'interval', false, false, '✅ Checked: nothing needs you.'],
    ],
    [
      'shown with the remark',
      'HEARTBEAT_OK all quiet',
      { rules: { visibility: shown(true, true) } },
      ['ok', 'interval', false, false, 'all quiet'],
    ],
    ['an alert', 'The rent is due.', {}, ['sent', 'interval', false, false, undefined]],
    [
      'an alert that names the word',
      'Say HEARTBEAT_OK or pay the rent',
      {},
      ['sent', 'interval', false, false, undefined],
    ],
    [
      'an alert nobody is to see',
      'The rent is due.',
      { rules: { visibility: shown(true, false) } },
      ['skipped', 'alerts-disabled', true, false, undefined],
    ],
    [
      'an alert in a chat that is not the one meant',
      'The rent is due.',
      { rules: { target: 'telegram' }, replyTo: inside },
      ['skipped', 'no-target', false, false, undefined],
    ],
    [
      'an alert for nobody',
      'The rent is due.',
      { rules: { target: 'none' }, replyTo: inside },
      ['skipped', 'no-target', false, false, undefined],
    ],
    [
      'an alert in the web chat',
      'The rent is due.',
      { replyTo: inside },
      ['sent', 'interval', false, false, undefined],
    ],
    [
      'T169 the same within a day',
      'The **rent** is  due.',
      { last: { text: 'the rent is due.', at: NOW - DAY + 1 } },
      ['skipped', 'duplicate', true, true, undefined],
    ],
    [
      'the same after a day',
      'The rent is due.',
      { last: { text: 'The rent is due.', at: NOW - DAY } },
      ['sent', 'interval', false, false, undefined],
    ],
    [
      'another one',
      'The rent is late.',
      { last: { text: 'The rent is due.', at: NOW - 1 } },
      ['sent', 'interval', false, false, undefined],
    ],
    [
      'the same with a file',
      'The rent is due.\nMEDIA:bill.pdf',
      { last: { text: 'The rent is due.\nMEDIA:bill.pdf', at: NOW - 1 } },
      ['sent', 'interval', false, false, undefined],
    ],
    [
      'the same, asked for: a reminder comes every time',
      'Drink water.',
      { reason: 'cron:water', last: { text: 'Drink water.', at: NOW - 1 } },
      ['sent', 'cron:water', false, false, undefined],
    ],
    [
      'the agent wrote there itself',
      'HEARTBEAT_OK',
      { messages: [usedTool], sent: [{ address: telegram, text: 'Rent!', messageIds: ['1'] }] },
      ['sent', 'interval', true, false, undefined],
    ],
    [
      'it failed',
      '',
      { outcome: { kind: 'failed', code: 'auth', message: 'No key.', usage: noUsage } },
      ['failed', 'interval', true, true, undefined],
    ],
    [
      'it failed, woken',
      '',
      { reason: 'wake', outcome: { kind: 'failed', code: 'auth', message: 'No key.', usage: noUsage } },
      ['failed', 'wake', true, false, undefined],
    ],
    [
      'it was stopped',
      '',
      { outcome: { kind: 'aborted', text: 'half', usage: noUsage } },
      ['failed', 'interval', true, true, undefined],
    ],
  ];
  for (const [what, text, over, expected] of cases)
    it(what, () => assert.deepEqual(summary(answer(text, over)), expected));

  it('that was sent is remembered with its time, cut to the length of an entry', () => {
    assert.deepEqual(answer('The rent is due.').decision.patch, {
      lastHeartbeatText: 'The rent is due.',
      lastHeartbeatSentAt: NOW,
    });
    assert.equal(answer('HEARTBEAT_OK').decision.patch, undefined);
    const { patch } = answer('🦀'.repeat(3000)).decision;
    assert.deepEqual([patch!.lastHeartbeatText!.length, patch!.lastHeartbeatText!.isWellFormed()], [2000, true]);
    const same = answer('🦀'.repeat(3000), { last: { text: patch!.lastHeartbeatText as string, at: NOW - 1 } });
    assert.equal(same.report.reason, 'duplicate');
  });

  it('is shortened without breaking markup', () => {
    assert.equal(answer('The\n\nrent   is due.').report.preview, 'The rent is due.');
    assert.equal(answer('x'.repeat(900)).report.preview!.length, 200);
    assert.equal(
      answer('', { outcome: { kind: 'failed', code: 'auth', message: 'No key.', usage: noUsage } }).report.preview,
      'No key.',
    );
  });
});
