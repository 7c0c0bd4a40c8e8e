/** `agents list`: lists the agents. */
import { listing } from '../columns.ts';
import type { Call } from '../command.ts';

interface Agents {
  readonly defaultId: string;
  readonly agents: readonly {
    readonly id: string;
    readonly name?: string;
    readonly identity?: { readonly name?: string; readonly emoji?: string };
    readonly workspace?: string;
    readonly model?: { readonly primary?: string };
  }[];
}

export async function agentsList({ io, flags, gateway }: Call): Promise<void> {
  const answer = await (await gateway()).request<Agents>('agents.list', {});
  if (flags.has('json')) return io.out(JSON.stringify(answer, null, 2));
  const rows = answer.agents.map(({ id, name, identity, workspace = '', model }) => [
    `${id}${id === answer.defaultId ? ' (default)' : ''}`,
    [identity?.emoji, identity?.name ?? name].filter(Boolean).join(' '),
    model?.primary ?? '',
    workspace,
  ]);
  io.out(listing(['agent', 'name', 'model', 'workspace'], rows, 'There are no agents.'));
}
