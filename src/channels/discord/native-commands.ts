/** Registers slash commands; the full list is replaced only if it changed since the last registration. */
import { createHash } from 'node:crypto';
import { Routes } from '@discordjs/core';
import type { NativeCommand } from '../../sdk/index.ts';
import { readState, writeState } from '../../sdk/state-file.ts';
import type { Call } from './api.ts';
import { head, present } from '../../sdk/index.ts';

const FILE = 'discord-commands.json';
const LIMITS = { commands: 100, options: 25, choices: 25, description: 100, choice: 100 };

/** Discord allows 200 new commands a day: what is there already is left alone. */
export async function registerCommands(
  commands: readonly NativeCommand[],
  { call, applicationId, stateDir }: { readonly call: Call; readonly applicationId: string; readonly stateDir: string },
): Promise<void> {
  const body = commands
    .filter(({ name }) => /^[-_\p{L}\p{N}]{1,32}$/u.test(name))
    .slice(0, LIMITS.commands)
    .map(spec);
  const digest = createHash('sha256')
    .update(JSON.stringify([applicationId, body]))
    .digest('hex');
  const known = (await readState(stateDir, FILE)) as { digest?: unknown } | undefined;
  if (known?.digest === digest) return;
  await call('put', Routes.applicationCommands(applicationId), 'registering the commands', { body });
  await writeState(stateDir, FILE, { digest });
}

const TEXT = 3;
const CHAT_INPUT = 1;

/** Required options have to come first. */
function spec({ name, description, args }: NativeCommand): object {
  const options = args
    .toSorted((a, b) => Number(b.required ?? false) - Number(a.required ?? false))
    .slice(0, LIMITS.options);
  return {
    name,
    type: CHAT_INPUT,
    description: short(description) || name,
    ...present({
      options:
        options.length !== 0
          ? options.map((option) => ({
              type: TEXT,
              name: option.name.toLowerCase(),
              description: short(option.description) || option.name,
              required: option.required ?? false,
              ...present({
                choices:
                  option.choices && option.choices.length <= LIMITS.choices
                    ? option.choices.map((value) => ({
                        name: head(value, LIMITS.choice),
                        value: head(value, LIMITS.choice),
                      }))
                    : undefined,
              }),
            }))
          : undefined,
    }),
  };
}

const short = (text: string): string => head(text, LIMITS.description);
