/** `approvals allowlist [list]|add|remove`: manages programs that run without approval. */
import { AppError } from '../../../core/errors.ts';
import { visibleLine } from '../../../core/visible-text.ts';
import type { ApprovalsFileBody } from '../approval-params.ts';
import type { Call } from '../../../cli/command.ts';
import { listing } from '../../../cli/columns.ts';
import { ago } from '../../../cli/durations.ts';
import type { GatewayLink } from '../../../cli/gateway-link.ts';
import { OWN_COMMAND } from '../../../platform/own-command.ts';

interface Snapshot {
  readonly path: string;
  readonly exists: boolean;
  readonly hash: string;
  readonly file: ApprovalsFileBody;
}
type Agents = NonNullable<ApprovalsFileBody['agents']>;
type Entry = NonNullable<Agents[string]['allowlist']>[number];

const MAIN = 'main';
/** Times a change is made again because the file changed in between. */
const TRIES = 5;

export async function allowlistList(call: Call): Promise<void> {
  const { flags, io } = call;
  const snapshot = await (await call.gateway()).request<Snapshot>('exec.approvals.get', {});
  if (flags.has('json')) return io.out(JSON.stringify(snapshot, null, 2));
  const rows = Object.entries(snapshot.file.agents ?? {}).flatMap(([agentId, { allowlist = [] }]) =>
    allowlist.map((entry) => row(agentId, entry)),
  );
  io.out(
    listing(
      ['agent', 'program', 'arguments', 'used', 'id'],
      rows,
      'The allowlist is empty: only read-only commands run without approval.',
    ),
  );
  for (const [place, levels] of [
    ['defaults', snapshot.file.defaults] as const,
    ...Object.entries(snapshot.file.agents ?? {}),
  ]) {
    const {
      allowlist: _allowlist,
      mcpTools: _mcpTools,
      ...said
    } = { allowlist: undefined, mcpTools: undefined, ...levels };
    if (Object.keys(said).length > 0)
      io.out(
        `${visibleLine(place)}: ${Object.entries(said)
          .map(([key, value]) => `${key}=${visibleLine(String(value))}`)
          .join(' ')}`,
      );
  }
}

const row = (agentId: string, { pattern, argPattern, commandText, lastUsedAt, id }: Entry): readonly string[] => [
  visibleLine(agentId),
  visibleLine(pattern),
  argPattern === undefined ? 'any' : `only: ${visibleLine(commandText ?? argPattern)}`,
  ago(lastUsedAt),
  id ?? '',
];

export async function allowlistAdd(call: Call): Promise<void> {
  const pattern = call.args[0]!.trim();
  if (!/[/\\~]/.test(pattern))
    throw new AppError(
      'invalid',
      `"${pattern}" is not a path and would allow any program of that name on PATH. Use the resolved path, ` +
        `for example /usr/bin/${pattern}.`,
    );
  const agentId = call.flags.text('agent') ?? MAIN;
  await edit(await call.gateway(), (agents) => {
    const agent = agents[agentId] ?? {};
    if (
      agent.allowlist?.some(
        (entry) => entry.pattern === pattern && entry.argPattern === undefined && entry.source === undefined,
      )
    )
      throw new AppError('conflict', `${pattern} is already in the allowlist of ${agentId}.`);
    return { ...agents, [agentId]: { ...agent, allowlist: [...(agent.allowlist ?? []), { pattern }] } };
  });
  call.io.out(
    `Agent ${agentId} may run ${pattern} without asking. Programs that execute code from their arguments ` +
      'still need approval.',
  );
}

export async function allowlistRemove(call: Call): Promise<void> {
  const named = call.args[0]!;
  const only = call.flags.text('agent');
  const isMeant = (agentId: string, { id, pattern }: Entry): boolean =>
    (only === undefined || agentId === only) && (id === named || pattern === named);
  const removed = await edit(await call.gateway(), (agents) => {
    const found = Object.entries(agents).some(([agentId, agent]) =>
      agent.allowlist?.some((entry) => isMeant(agentId, entry)),
    );
    if (!found)
      throw new AppError(
        'not_found',
        `No allowlist entry has the id or pattern ${named}; \`${OWN_COMMAND} approvals allowlist\` lists them.`,
      );
    return Object.fromEntries(
      Object.entries(agents).map(([agentId, agent]) => [
        agentId,
        agent.allowlist ? { ...agent, allowlist: agent.allowlist.filter((entry) => !isMeant(agentId, entry)) } : agent,
      ]),
    );
  });
  call.io.out(`Removed ${removed} ${removed === 1 ? 'entry' : 'entries'}; they need approval again.`);
}

/**
 * Reads, changes and writes, again when somebody else wrote in between. Resolves with how many entries fewer there are.
 */
async function edit(link: GatewayLink, change: (agents: Agents) => Agents): Promise<number> {
  for (let left = TRIES; ; left -= 1) {
    const { file, hash } = await link.request<Snapshot>('exec.approvals.get', {});
    const agents = change(file.agents ?? {});
    try {
      await link.request('exec.approvals.set', { file: { ...file, agents }, baseHash: hash });
      return size(file.agents ?? {}) - size(agents);
    } catch (error) {
      if (left <= 1 || !(error instanceof AppError) || error.code !== 'conflict') throw error;
    }
  }
}

const size = (agents: Agents): number =>
  Object.values(agents).reduce((sum, { allowlist = [] }) => sum + allowlist.length, 0);
