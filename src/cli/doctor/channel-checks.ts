/** Doctor checks of channels: as reported by the gateway, or from the configuration if none runs. */
import { lintNames } from '../../config/lint-names.ts';
import { accountsOf } from '../../plugins/channel-accounts.ts';
import { openRegistry } from '../channel-registry.ts';
import { problemsOf, type ChannelFacts } from '../channel-facts.ts';
import { stateOf } from '../commands/channels.ts';
import { type Check, fail, type Finding, ok, type Patient, warn } from './check.ts';
import { OWN_COMMAND } from '../../platform/own-command.ts';

export const channelChecks: readonly Check[] = [
  {
    name: 'channels',
    run: (patient) => ('link' in patient.gateway ? running(patient.gateway.link) : configured(patient)),
  },
];

async function running(link: { request<T>(method: string, params?: unknown): Promise<T> }): Promise<Finding> {
  const facts = await link.request<ChannelFacts>('channels.status', {});
  const inUse = facts.channelOrder.filter((id) => (facts.channelAccounts[id] ?? []).length > 0);
  const problems = problemsOf(facts);
  const degraded = inUse.filter((id) => facts.channels[id]?.ok === false).map((id) => facts.channels[id]!.summary);
  const [worst] = problems.toSorted((a, b) => Number(b.kind === 'auth') - Number(a.kind === 'auth'));
  if (worst) {
    const more = problems.length > 1 ? ` (and ${problems.length - 1} more)` : '';
    return (degraded.length > 0 ? fail : warn)(
      `${worst.where}: ${worst.message}${more}`,
      worst.fix ?? `See \`${OWN_COMMAND} channels status --probe\`.`,
    );
  }
  if (degraded.length > 0) return fail(degraded.join('; '), `See \`${OWN_COMMAND} channels status --probe\`.`);
  return ok(
    inUse.length === 0 ? 'none configured (web chat only)' : inUse.map((id) => facts.channels[id]!.summary).join('; '),
  );
}

async function configured({ env }: Patient): Promise<Finding> {
  await using registry = await openRegistry(env);
  const states = registry.channels
    .map((plugin) => ({ id: plugin.id, state: stateOf(plugin, registry.sources) }))
    .filter(({ state }) => state !== 'not configured');
  const missing = states.filter(({ state }) => state.startsWith('incomplete'));
  if (missing.length > 0)
    return warn(
      missing.map(({ id, state }) => `${id}: ${state}`).join('; '),
      `Run \`${OWN_COMMAND} channels add --channel ${missing[0]!.id}\`.`,
    );
  if (registry.broken.length > 0)
    return warn(registry.broken[0]!, 'Fix the plugin, or remove it from plugins.load.paths.');
  const [naming, ...others] = registry.channels
    .flatMap((plugin) => accountsOf(plugin, registry.sources))
    .flatMap(({ plugin, raw, settingsPath }) => lintNames(raw, plugin, settingsPath));
  if (naming)
    return warn(
      `${naming.path} ${naming.problem}${others.length > 0 ? ` (and ${others.length} more)` : ''}`,
      naming.fix,
    );
  return ok(
    states.length === 0
      ? 'none configured (web chat only)'
      : states.map(({ id, state }) => `${id}: ${state}`).join('; '),
  );
}
