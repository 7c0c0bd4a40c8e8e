/** Completion in a real shell: what is offered after which words. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { tempDir } from '../../testing/temp-dir.ts';
import { runCli } from '../cli.ts';
import { ownCommands } from '../all-commands.ts';
import { fakeTerminal } from '../fake.ts';

const COMMANDS = await ownCommands();

const sh = promisify(execFile);

async function scriptFor(shell: string): Promise<string> {
  const io = fakeTerminal({ vars: { HOME: '/nonexistent' } });
  assert.equal(await runCli(['completion', shell], io), 0, io.errors.join());
  return io.lines.join('\n');
}

/** What bash offers for the last of the words. */
const ASK = `. "$1"; shift
COMP_WORDS=(clawdbot "$@"); COMP_CWORD=$((\${#COMP_WORDS[@]} - 1)); COMPREPLY=()
$(complete -p clawdbot | sed 's/.*-F \\([^ ]*\\).*/\\1/')
printf '%s\\n' "\${COMPREPLY[@]}"`;

test('bash offers commands, options and their values, and files where a text is asked for', {
  skip: !existsSync('/bin/bash'),
}, async () => {
  await using dir = await tempDir();
  const file = join(dir.path, 'completion.bash');
  await writeFile(file, await scriptFor('bash'));
  const offered = async (...words: string[]): Promise<string[]> =>
    (await sh('/bin/bash', ['--norc', '-c', ASK, 'ask', file, ...words])).stdout.split('\n').filter(Boolean);
  const cases: [string[], string[]][] = [
    [['sess'], ['sessions']],
    [
      ['sessions', ''],
      ['list', 'show', 'file', 'reset', 'delete', 'rm'],
    ],
    [['sessions', 'show', 'main', '--li'], ['--limit']],
    [
      ['approvals', 'allowlist', ''],
      ['list', 'add', 'remove'],
    ],
    [
      ['onboard', '--links', ''],
      ['on', 'off'],
    ],
    [
      ['agent', '-'],
      [
        '--message',
        '-m',
        '--session',
        '--agent',
        '--thinking',
        '--attach',
        '--model',
        '--timeout',
        '--json',
        '--url',
        '--token',
        '--help',
      ],
    ],
    [['providers', 'sta'], ['status']],
    [['nosuch', ''], []],
    [['agent', 'hello', ''], []],
  ];
  for (const [words, expected] of cases) assert.deepEqual(await offered(...words), expected, words.join(' '));
  assert.deepEqual(
    (await offered('channels', 'add', '--channel', '')).toSorted(),
    ['discord', 'email', 'imessage', 'irc', 'msteams', 'signal', 'slack', 'telegram', 'whatsapp'],
    'and what this installation knows',
  );
  assert.deepEqual(
    new Set(await offered('')),
    new Set([...COMMANDS.map(({ name }) => name.split(' ')[0]), 'providers']),
  );
  assert.match(
    (await sh('/bin/bash', ['--norc', '-c', '. "$1"; complete -p clawdbot', 'ask', file])).stdout,
    /-o default/,
  );
});

for (const [shell, begins] of [
  ['zsh', /^#compdef clawdbot\n/],
  ['fish', /^# Completion of clawdbot for fish/],
] as const) {
  test(`${shell} has a script that names every command`, async () => {
    const script = await scriptFor(shell);
    assert.match(script, begins);
    for (const { name } of COMMANDS) assert.ok(script.includes(name.split(' ').at(-1)!), name);
  });
  const program = `/usr/bin/${shell}`;
  test(`${shell} reads its script`, { skip: existsSync(program) ? false : `${shell} is not installed` }, async () => {
    await using dir = await tempDir();
    const file = join(dir.path, 'script');
    await writeFile(file, await scriptFor(shell));
    await sh(program, ['-n', file]);
  });
}

test('an unknown shell gets the list of supported ones', async () => {
  const io = fakeTerminal();
  assert.equal(await runCli(['completion', 'bsh'], io), 1);
  assert.deepEqual(io.errors, ['No completion script for "bsh". Did you mean bash? Shells: bash, zsh, fish.']);
});
