/** The workspace files as sections of the system prompt. */
import type { ContextFile } from '../workspace/context-files.ts';

/** A note on what follows, then one part per file, set apart by tags its text cannot imitate by accident. */
export function contextSections(files: readonly ContextFile[]): readonly string[] {
  if (files.length === 0) return [];
  const soul = files.some((file) => file.name === 'SOUL.md')
    ? ' SOUL.md says who you are: speak and act accordingly.'
    : '';
  return [
    `## Workspace Files\nThe person and you keep these files in the workspace; they are loaded here for ` +
      'every conversation.',
    [
      `# Project Context\nThe following files are part of your instructions.${soul}`,
      ...files.map(({ name, text }) => `<file name="${name}">\n${text}\n</file>`),
    ].join('\n\n'),
  ];
}
