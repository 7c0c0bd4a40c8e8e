/** `agents show`: what is in force for one agent, as lines. */
import { present } from '../../../core/present.ts';
import { columns } from '../../../cli/columns.ts';
import type { Call } from '../../../cli/command.ts';
import type { AgentDescribed, AgentFile } from '../answers.ts';

export async function agentsShow({ args, io, flags, gateway }: Call): Promise<void> {
  const link = await gateway();
  const agent = await link.request<AgentDescribed>('agents.describe', present({ agentId: args[0] }));
  const { files } = await link.request<{ files: readonly AgentFile[] }>('agents.files.list', {
    agentId: agent.agentId,
  });
  if (flags.has('json')) return io.out(JSON.stringify({ ...agent, files }, null, 2));
  io.out(columns(facts(agent, files).filter(([, value]) => value !== '')));
}

function facts(agent: AgentDescribed, files: readonly AgentFile[]): readonly (readonly [string, string])[] {
  const { identity, model, tools } = agent;
  const named = (names: readonly string[] | undefined, otherwise = ''): string =>
    names === undefined ? otherwise : names.length === 0 ? 'none' : names.join(', ');
  return [
    ['Agent', `${agent.agentId}${agent.isDefault ? ' (default)' : ''}`],
    ['Name', [identity.emoji, agent.name].filter(Boolean).join(' ')],
    ['Theme', identity.theme ?? ''],
    ['Folder', agent.workspace],
    ['Model', `${model.primary ?? 'chosen by the gateway'}${model.own ? '' : ' (as all agents)'}`],
    ['Fallbacks', named(model.fallbacks)],
    ['Skills', named(agent.skills, 'all')],
    ['Tool profile', tools.profile ?? 'as all agents'],
    ['Tools allowed', named(tools.allow)],
    ['Tools added', named(tools.alsoAllow)],
    ['Tools denied', named(tools.deny)],
    ['Bindings', String(agent.bindings)],
    ['Files', named(files.filter(({ exists }) => exists).map(({ name }) => name))],
  ];
}
