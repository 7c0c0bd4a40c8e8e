/** The upper limits for the tools of sandboxed sessions and sub-agents. Pure. */
import { present } from '../../core/present.ts';
import type { Stage, ToolList, ToolLists } from './stage.ts';

const SANDBOX_ALLOW = [
  'bash',
  'process',
  'read',
  'write',
  'edit',
  'apply_patch',
  'image',
  'sessions_list',
  'sessions_history',
  'sessions_send',
  'sessions_spawn',
  'session_status',
];
/** Where the workspace cannot be written they could only fail. */
const WRITERS = ['write', 'edit', 'apply_patch'];
const SANDBOX_DENY = ['browser', 'canvas', 'nodes', 'cron', 'gateway'];
/** Looking at a picture reaches nothing outside the sandbox, so a list need not name it. */
const ALWAYS_IN_A_SANDBOX = ['image'];

/** A sub-agent works for one conversation; tools that affect others, or the gateway, are only for its requester. */
const NEVER_FOR_SUBAGENTS = [
  'sessions_list',
  'sessions_history',
  'sessions_send',
  'sessions_spawn',
  'gateway',
  'agents_list',
  'whatsapp_login',
  'session_status',
  'cron',
  'memory_search',
  'memory_get',
];

/** A list, and where it stands. */
interface Placed {
  readonly lists: ToolLists | undefined;
  readonly at: string;
}

interface Sandbox {
  readonly workspaceAccess: 'none' | 'ro' | 'rw';
  /** Tools called like a channel act outside. */
  readonly channelIds: readonly string[];
}

/** The agent's list replaces the general one, which replaces the default: `allow` and `deny` each for itself. */
export function sandboxStage(general: Placed, own: Placed, { workspaceAccess, channelIds }: Sandbox): Stage {
  const deny = chosen('deny', general, own);
  const denied = deny
    ? [deny]
    : [SANDBOX_DENY, channelIds].map((patterns) => ({
        setting: `${general.at}.deny`,
        patterns,
        builtIn: true as const,
      }));
  return {
    stage: 'sandbox',
    allow: [
      chosen('allow', general, own) ?? { setting: `${general.at}.allow`, patterns: SANDBOX_ALLOW },
      { setting: `${general.at}.allow`, patterns: ALWAYS_IN_A_SANDBOX },
    ],
    deny: [
      ...denied,
      ...(workspaceAccess === 'ro' ? [{ setting: 'sandbox.workspaceAccess: ro', patterns: WRITERS }] : []),
    ],
  };
}

/** Here a configured `deny` adds to the default. */
export function subagentStage(general: Placed, own: Placed): Stage {
  const [allow, deny] = [chosen('allow', general, own), chosen('deny', general, own)];
  return {
    stage: 'sub-agent',
    ...present({ allow: allow?.patterns.length ? [allow] : undefined }),
    deny: [{ setting: BUILT_IN, patterns: NEVER_FOR_SUBAGENTS }, ...(deny ? [deny] : [])],
  };
}

/** In place of a setting where none can change it. */
export const BUILT_IN = 'built in';

function chosen(list: 'allow' | 'deny', general: Placed, own: Placed): ToolList | undefined {
  const from = [own, general].find(({ lists }) => lists?.[list] !== undefined);
  return from && { setting: `${from.at}.${list}`, patterns: from.lists![list]! };
}
