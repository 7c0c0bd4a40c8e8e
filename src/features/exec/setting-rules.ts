/** Rules about the settings of commands besides their schema: what they protect, and their old names. */
import { formatPath, type Path } from '../../config/paths.ts';
import type { Draft, Restriction, SettingRules } from '../../config/setting-rules.ts';

const BOXES = ['agents.defaults.sandbox', 'agents.list.*.sandbox'];
const docker = { limits: 'what a sandbox may use', fix: 'Use `agents.defaults.sandbox.limits`, and remove it.' };

const unread: readonly Restriction[] = [
  ...['tools', 'agents.list.*.tools'].map(
    (tools): Restriction => ({
      at: `${tools}.exec.mode`,
      limits: 'which commands run',
      fix: 'Use `security` ("deny", "allowlist", "full") and `ask` ("off", "on-miss", "always").',
    }),
  ),
  {
    at: 'channels.*.execApprovals.approvers',
    limits: 'who answers approvals',
    fix: 'Write it in `tools.exec.approvers.<channel>`.',
  },
  {
    at: 'channels.*.accounts.*.execApprovals.approvers',
    limits: 'who answers approvals',
    fix: 'Write it in `tools.exec.approvers.<channel>`.',
  },
  ...BOXES.flatMap((at): readonly Restriction[] => [
    ...['memory', 'memorySwap', 'cpus', 'pidsLimit', 'ulimits'].map((name) => ({
      at: `${at}.docker.${name}`,
      ...docker,
    })),
    ...['seccompProfile', 'apparmorProfile'].map((name) => ({
      at: `${at}.docker.${name}`,
      limits: 'what a sandbox may ask of the system',
      fix: 'The profiles of the engine are used; remove it.',
    })),
  ]),
];

const limiting = [
  ...['tools.exec', 'agents.list.*.tools.exec'].map(
    (at) => [at, ['security', 'ask', 'host', 'safeBins', 'approvers']] as const,
  ),
  ...['tools.elevated', 'agents.list.*.tools.elevated'].map((at) => [at, ['enabled', 'allowFrom']] as const),
  ...BOXES.map((at) => [at, ['mode', 'workspaceAccess', 'scope', 'network']] as const),
];

/**
 * Later releases name what runs and who is asked by one word; a word that is not known stays, and is refused as a limit
 * nobody reads.
 */
const EXEC_MODES: Readonly<Record<string, readonly [security: string, ask: string]>> = {
  deny: ['deny', 'off'],
  allowlist: ['allowlist', 'off'],
  ask: ['allowlist', 'on-miss'],
  auto: ['allowlist', 'on-miss'],
  full: ['full', 'off'],
};

function execMode(draft: Draft): void {
  const agents = draft.get(['agents', 'list']);
  const places = [
    ['tools', 'exec'],
    ...(Array.isArray(agents) ? agents.map((_, index) => ['agents', 'list', String(index), 'tools', 'exec']) : []),
  ];
  for (const place of places) {
    const mode = draft.get([...place, 'mode']);
    const known = typeof mode === 'string' && Object.hasOwn(EXEC_MODES, mode) ? EXEC_MODES[mode] : undefined;
    if (!known) continue;
    draft.remove([...place, 'mode']);
    // Denied stays denied, whatever stands beside it.
    if (mode === 'deny') draft.set([...place, 'security'], 'deny');
    for (const [at, name] of ['security', 'ask'].entries())
      draft.put(
        [...place, name],
        known[at],
        [...place, 'mode'],
        'Write `security` and `ask` instead; it works as it is.',
      );
  }
}

/** Whether each session has a sandbox of its own was once a yes or no. */
function sandboxScope(draft: Draft): void {
  const list = draft.get(['agents', 'list']);
  const agents = Array.isArray(list)
    ? [...list.keys()].map((index): Path => ['agents', 'list', String(index), 'sandbox'])
    : [];
  for (const at of [['agents', 'defaults', 'sandbox'], ...agents]) {
    const [from, to] = [
      [...at, 'perSession'],
      [...at, 'scope'],
    ];
    const own = draft.get(from);
    if (typeof own !== 'boolean') continue;
    draft.remove(from);
    draft.put(
      to,
      own ? 'session' : 'shared',
      from,
      `Write "${formatPath(to)}": "${own ? 'session' : 'shared'}" in its place; it works as it is.`,
    );
  }
}

export const execRules: SettingRules = {
  guards: [
    ['tools.exec', 'says which commands run, where, and who is asked'],
    ['tools.elevated', 'says who may leave the sandbox'],
    ['agents.list.*.sandbox', 'boxes an agent in'],
    ['agents.defaults.sandbox', 'boxes agents in'],
    ['agents.defaults.elevatedDefault', 'says how far commands go'],
  ],
  unread,
  limiting,
  environment: [
    ['PI_BASH_YIELD_MS', 'tools.exec.backgroundMs'],
    ['PI_BASH_JOB_TTL_MS', 'tools.exec.cleanupMs'],
    ['PI_BASH_MAX_OUTPUT_CHARS', 'tools.exec.outputMaxChars'],
  ],
  renamed: [
    ['agent.elevated', 'tools.elevated'],
    ['agent.bash', 'tools.exec'],
    ['tools.bash', 'tools.exec'],
  ],
  migrations: [sandboxScope, execMode],
};
