/**
 * `sandbox explain`: explains whether commands of a session are sandboxed, which setting decides, and what they can
 * access.
 */
import type { Call } from '../../../cli/command.ts';
import { columns } from '../../../cli/columns.ts';
import { present } from '../../../core/present.ts';

/** As much of the answer as is shown. */
interface Explained {
  readonly sandboxed: boolean;
  readonly because: string;
  readonly setting?: {
    readonly scope: string;
    readonly workspaceAccess: string;
    readonly workspace: string;
    readonly network: boolean;
    readonly limits: {
      readonly memoryMb: number;
      readonly processes: number;
      readonly diskMb: number;
      readonly timeoutSec?: number;
    };
  };
  readonly backend?: { readonly name: string; readonly version: string } | { readonly problem: string };
  readonly mounts: readonly { readonly path: string; readonly access: 'ro' | 'rw' | 'empty' }[];
  readonly notes: readonly string[];
}

const ACCESS = { ro: 'read only', rw: 'read and write', empty: 'empty, discarded afterwards' } as const;

export async function sandboxExplain(call: Call): Promise<number> {
  const { flags, io } = call;
  const link = await call.gateway();
  const [agentId, sessionKey] = [flags.text('agent'), flags.text('session')];
  const answer = await link.request<Explained>('sandbox.explain', present({ agentId, sessionKey }));
  io.out(flags.has('json') ? JSON.stringify(answer, null, 2) : readable(answer));
  return answer.backend !== undefined && 'problem' in answer.backend ? 1 : 0;
}

function readable({ sandboxed, because, setting, backend, mounts, notes }: Explained): string {
  const head = `${sandboxed ? 'Sandboxed' : 'Not sandboxed'}: ${because}`;
  if (!setting) return head;
  const { limits } = setting;
  const facts = [
    [
      'backend',
      backend === undefined
        ? ''
        : 'problem' in backend
          ? `none. ${backend.problem}`
          : `${backend.name} ${backend.version}`,
    ],
    ['shared by', setting.scope],
    [
      'workspace',
      `${setting.workspace} ` +
        `(${setting.workspaceAccess === 'none' ? "its own, not the agent's" : setting.workspaceAccess})`,
    ],
    ['network', setting.network ? 'yes' : 'no'],
    [
      'limits',
      `${limits.memoryMb} MB memory, ${limits.processes} processes, ${limits.diskMb} MB on ` +
        `disk${limits.timeoutSec === undefined ? '' : `, ${limits.timeoutSec} s`}`,
    ],
  ];
  const seen = mounts.map(({ path, access }) => [`  ${path}`, ACCESS[access]]);
  return [
    head,
    columns(facts),
    ...(seen.length > 0 ? ['Mounts', columns(seen)] : []),
    ...notes.map((note) => `- ${note}`),
  ].join('\n');
}
