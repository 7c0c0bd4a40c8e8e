/** The commands in the form that platforms register. Pure. */
import { cut } from '../../core/cut.ts';
import type { NativeCommand } from '../../core/channel.ts';
import type { Command } from './command.ts';
import type { CommandsConfig } from './config.ts';
import { COMMANDS } from './table.ts';

export interface NativeFacts {
  readonly commands: Pick<CommandsConfig, 'native' | 'config' | 'debug' | 'restart'> &
    Partial<Pick<CommandsConfig, 'bash'>>;
  readonly session: { readonly resetTriggers: readonly string[] };
}

/** Platforms show no more than this of a description. */
const LONGEST = 100;

/**
 * What one account registers: nothing where its channel has no native commands or the configuration says no; those that
 * are turned off are left out.
 * `usual` is `ChannelCapabilities.nativeCommands`, `own` is `channels.<id>.commands.native`.
 */
export function nativeCommands(
  facts: NativeFacts,
  { usual, own }: { readonly usual: 'on' | 'off' | undefined; readonly own?: boolean | 'auto' | undefined },
): readonly NativeCommand[] {
  return registersCommands(facts.commands.native, { usual, own })
    ? COMMANDS.filter((command) => isOffered(command, facts)).map(asNative)
    : [];
}

export function registersCommands(
  general: CommandsConfig['native'],
  { usual, own }: { readonly usual: 'on' | 'off' | undefined; readonly own?: boolean | 'auto' | undefined },
): boolean {
  const wanted = own ?? general;
  return usual !== undefined && (wanted === 'auto' ? usual === 'on' : wanted);
}

const isOffered = ({ native, gate, resets, name }: Command, { commands, session }: NativeFacts): boolean =>
  native !== undefined &&
  (!gate || commands[gate] === true) &&
  (!resets || session.resetTriggers.some((trigger) => trigger.toLowerCase() === `/${name}`));

function asNative({ name, summary, native }: Command): NativeCommand {
  return {
    name,
    description: cut(summary, LONGEST),
    args: native?.args ?? [],
  };
}
