/** Runs a command for somebody who may: what is switched off or for the owner alone says so. */
import { standingOf } from '../../core/authority.ts';
import type { CommandCall } from './command-call.ts';
import type { Command, CommandAnswer } from './command.ts';
import type { CommandHost } from './command-host.ts';

/** Throws what the command throws. */
export async function runCommand(command: Command, call: CommandCall, host: CommandHost): Promise<CommandAnswer> {
  if (command.gate && !host.settings().commands[command.gate]) {
    return { reply: `⚠️ /${command.name} is turned off. Set commands.${command.gate} to true in the configuration to use it.` };
  }
  if (command.owner && !isOwner(call)) return { reply: `⚠️ /${command.name} is for the owner of this gateway. Add ${whoIs(call)} to commands.ownerAllowFrom, or use the Control UI.` };
  return command.run(call, host);
}

export const isOwner = ({ row }: CommandCall): boolean => standingOf(row.authority) === 'owner';

const whoIs = ({ row: { message } }: CommandCall): string => `"${message.address.channel}:${message.sender.id}"`;
