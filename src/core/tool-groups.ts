/**
 * The names of tool groups for tool policies. They include tools this version lacks, so that existing policies keep
 * their meaning.
 */

const SESSIONS = ['sessions_list', 'sessions_history', 'sessions_send', 'sessions_spawn', 'session_status'];
const BEYOND_THE_MACHINE: Readonly<Record<string, readonly string[]>> = {
  'group:sessions': SESSIONS,
  'group:memory': ['memory_search', 'memory_get'],
  'group:web': ['web_search', 'web_fetch'],
  'group:ui': ['browser', 'canvas', 'canvas_document'],
  'group:automation': ['cron', 'gateway'],
  'group:messaging': ['message'],
  'group:nodes': ['nodes'],
};
/** What the product brings along besides files and commands, under each of its names. */
const OWN = [
  ...Object.values(BEYOND_THE_MACHINE).flat(),
  'agents_list',
  'image',
  'tts',
  'discord',
  'slack',
  'telegram',
  'whatsapp',
  'whatsapp_login',
];

/** Beside these there is `group:plugins`, whose members only a running gateway knows. */
export const TOOL_GROUPS: Readonly<Record<string, readonly string[]>> = {
  'group:fs': ['read', 'write', 'edit', 'apply_patch'],
  'group:runtime': ['bash', 'process'],
  ...BEYOND_THE_MACHINE,
  'group:clawdbot': OWN,
  'group:openclaw': OWN,
  'group:moltbot': OWN,
};

/** Every tool of the product family: a policy may name it whether or not this version brings it. */
export const FAMILY_TOOLS: readonly string[] = [...new Set(Object.values(TOOL_GROUPS).flat())];

/** Ready-made choices of tools, from few to all. */
export const PROFILE_NAMES = ['minimal', 'coding', 'messaging', 'full'] as const;
/** One of `PROFILE_NAMES`. */
export type ToolProfile = (typeof PROFILE_NAMES)[number];

/** What each profile allows, before `allow` and `deny` remove more. */
export const TOOL_PROFILES: Readonly<Record<ToolProfile, readonly string[]>> = {
  minimal: ['session_status'],
  coding: ['group:fs', 'group:runtime', 'group:sessions', 'group:memory', 'image'],
  messaging: ['group:messaging', 'sessions_list', 'sessions_history', 'sessions_send', 'session_status'],
  full: ['*'],
};
