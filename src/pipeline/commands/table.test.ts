// The table is what help, platforms and the documentation are made of.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { it } from 'node:test';
import type { CommandsConfig } from './config.ts';
import { nativeCommands } from './native-commands.ts';
import { COMMANDS, unique } from './table.ts';

it('G151 two commands of one name or alias are found at start', () => {
  const [first, second] = COMMANDS;
  assert.throws(() => unique([first!, { ...second!, aliases: [first!.name] }]), /Two commands are called/);
  assert.throws(() => unique([{ ...first!, name: 'No Name' }]), /cannot be the name/);
});

const facts = (over: Partial<CommandsConfig> = {}, resetTriggers = ['/new', '/reset']) => ({
  commands: { native: 'auto' as const, config: false, debug: false, restart: false, ...over },
  session: { resetTriggers },
});
const names = (...args: Parameters<typeof nativeCommands>): string[] => nativeCommands(...args).map(({ name }) => name);

it('G143 what is turned off is not offered', () => {
  const off = names(facts(), { usual: 'on' });
  for (const name of ['config', 'debug', 'restart', 'compact']) assert.ok(!off.includes(name), name);
  for (const name of ['status', 'new', 'model', 'think', 'stop', 'queue']) assert.ok(off.includes(name), name);
  assert.ok(names(facts({ config: true }), { usual: 'on' }).includes('config'));
  assert.ok(!names(facts({}, ['fresh']), { usual: 'on' }).includes('new'));
});

it('auto follows the channel, a word of the account or of everybody decides', () => {
  assert.deepEqual(
    [
      names(facts(), { usual: 'off' }).length,
      names(facts(), { usual: undefined, own: true }).length,
      names(facts({ native: false }), { usual: 'on' }).length,
    ],
    [0, 0, 0],
  );
  assert.ok(names(facts({ native: true }), { usual: 'off' }).length > 0);
  assert.ok(names(facts({ native: false }), { usual: 'off', own: true }).length > 0);
  assert.equal(names(facts(), { usual: 'on', own: false }).length, 0);
});

it('every name, description and choice fits what platforms take', () => {
  const all = nativeCommands(facts({ config: true, debug: true, restart: true }), { usual: 'on' });
  assert.ok(all.length < 100);
  for (const { name, description, args } of all) {
    assert.match(name, /^[a-z0-9_]{1,32}$/);
    assert.ok(description.length > 0 && description.length <= 100, name);
    for (const arg of args)
      assert.ok(
        /^[a-z]{1,32}$/.test(arg.name) && arg.description.length <= 100 && (arg.choices?.length ?? 0) <= 25,
        `${name} ${arg.name}`,
      );
  }
});

it('the page of the documentation names every command, and no other', async () => {
  const page = await readFile(join(import.meta.dirname, '../../../docs/concepts/slash-commands.md'), 'utf8');
  const rows = [...page.split('## How a message')[0]!.matchAll(/^\| `(\/[^`]+)`/gm)].map(([, usage]) =>
    usage!.replaceAll('\\|', '|'),
  );
  assert.deepEqual(rows.toSorted(), COMMANDS.map(({ usage }) => usage).toSorted());
  for (const { aliases = [] } of COMMANDS) for (const alias of aliases) assert.match(page, new RegExp(`\`/${alias}\``));
});
