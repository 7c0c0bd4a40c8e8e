/** A secret in a typed command is not displayed again. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { maskedCommand } from './masked-command.ts';

it('keeps the path of a setting and drops its value, however it is written', () => {
  const cases = {
    '/config set channels.slack.botToken=xoxb-1': '/config set channels.slack.botToken=…',
    '/CONFIG@Clawd_bot: set a = "p q"\nr': '/CONFIG@Clawd_bot: set a =…',
    '@bot /debug set env["K=1"]=s': '@bot /debug set env["K=…',
    '/config set secretwithoutpath and more': '/config set …',
    'Changed message 7: /config set a=b': 'Changed message 7: /config set a=…',
  };
  for (const [typed, shown] of Object.entries(cases)) assert.equal(maskedCommand(typed), shown);
});

it('leaves everything else as it is', () => {
  for (const text of ['/config show channels', '/config unset a.b', '/config settle', 'set a=b', '/config set', ''])
    assert.equal(maskedCommand(text), text);
});
