/**
 * What the schema allows but nobody means. Most is a warning; an error shuts the part it is about and leaves the rest
 * in force.
 */
import { DEFAULT_AGENT_ID } from '../core/product.ts';
import { lintChannels, type NamesPlaces } from './lint-channels.ts';
import { lintOwners } from './lint-owners.ts';
import { lintTools, type Findings, type NamesTools } from './lint-tools.ts';
import { lintUnderstanding, type Understood } from './lint-understanding.ts';
import type { Issue } from './store.ts';

/** The parts of a configuration that have to fit together. */
interface Joined extends Understood, NamesTools, Omit<NamesPlaces, 'channels'> {
  readonly tools: Understood['tools'] & NamesTools['tools'];
  readonly agents: {
    readonly list: readonly ({ readonly id: string } & Understood['agents']['list'][number] &
      NamesTools['agents']['list'][number])[];
  };
  readonly channels: NamesTools['channels'] & NamesPlaces['channels'];
  readonly gateway: { readonly auth: { readonly mode: string } };
  readonly commands?: { readonly ownerAllowFrom?: readonly string[] | undefined } | undefined;
}

export function lintConfig(config: Joined): Findings {
  const { errors, warnings } = lintTools(config);
  const access = lintChannels(config);
  return {
    errors: [...access.errors, ...errors],
    warnings: [
      ...strayBindings(config),
      ...access.warnings,
      ...openGateway(config),
      ...lintOwners(config),
      ...lintUnderstanding(config),
      ...warnings,
    ],
  };
}

/** Other releases can be configured to trust everybody, or a proxy; this gateway always requires its secret. */
const openGateway = ({ gateway }: Joined): readonly Issue[] =>
  ['none', 'trusted-proxy'].includes(gateway.auth.mode)
    ? [
        {
          path: 'gateway.auth.mode',
          problem: `"${gateway.auth.mode}" is not supported; the token is required`,
          fix: 'Use "token" or "password".',
        },
      ]
    : [];

/** A binding to an agent that does not exist. */
function strayBindings({ agents, bindings }: Joined): readonly Issue[] {
  const names = agents.list.length === 0 ? [DEFAULT_AGENT_ID] : agents.list.map(({ id }) => id);
  const known = new Set(names.map((id) => id.toLowerCase()));
  return bindings.flatMap(({ agentId }, index) =>
    known.has(agentId.toLowerCase())
      ? []
      : [
          {
            path: `bindings[${index}].agentId`,
            problem: `there is no agent "${agentId}"; the default agent answers instead`,
            fix: `Use one of: ${names.join(', ')}.`,
          },
        ],
  );
}
