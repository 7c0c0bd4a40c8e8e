/** The order of tools in the prompt: the most used first, the others by name. */

const FIRST = [
  'read',
  'write',
  'edit',
  'apply_patch',
  'bash',
  'process',
  'browser',
  'canvas',
  'canvas_document',
  'nodes',
  'image',
  'cron',
  'message',
  'gateway',
  'agents_list',
  'sessions_list',
  'sessions_history',
  'sessions_send',
  'sessions_spawn',
  'session_status',
];

export function byPromptOrder<T extends { readonly name: string }>(tools: readonly T[]): readonly T[] {
  const place = (tool: T): number => FIRST.indexOf(tool.name) + 1 || FIRST.length + 1;
  return [...tools].sort((a, b) => place(a) - place(b) || (a.name < b.name ? -1 : 1));
}
