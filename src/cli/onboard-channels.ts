/** The channels step of `onboard`: lists channels, and asks for the secrets of the chosen one. */
import { isTerminal, openQuestions } from './ask.ts';
import { openRegistry, pickChannel, type Registry } from './channel-registry.ts';
import { columns } from './columns.ts';
import type { Call } from './command.ts';
import { addAccount } from './commands/channels-edit.ts';
import { stateOf } from './commands/channels.ts';
import { OWN_COMMAND } from '../platform/own-command.ts';

export async function offerChannels(call: Call): Promise<void> {
  await using registry = await openRegistry(call.io.env());
  const rows = registry.channels.map((plugin) => [
    `  ${plugin.id}`,
    stateOf(plugin, registry.sources),
    plugin.blurb ?? plugin.label,
  ]);
  call.io.out(
    rows.length === 0 ? 'The web chat is the only channel here.' : `Channels besides the web chat:\n${columns(rows)}`,
  );
  if (rows.length === 0) return;
  if (!isTerminal(call.io)) return call.io.out(`To connect one: ${OWN_COMMAND} channels add --channel <id>`);
  await askFor(call, registry);
}

async function askFor(call: Call, registry: Registry): Promise<void> {
  using questions = openQuestions(call.io);
  const chosen = await questions.ask('Channel to connect (id, or Enter to skip): ');
  if (chosen === '') return;
  const plugin = pickChannel(chosen, registry.channels);
  const values: Record<string, string> = {};
  for (const { key, label, needed } of plugin.credentials ?? []) {
    if (needed && !needed(values)) continue;
    const input = await questions.askHidden(`${label} of ${plugin.label}`);
    if (input !== '') values[key] = input;
  }
  await addAccount(call, registry, { plugin, accountId: 'default', values, useEnv: false });
}
