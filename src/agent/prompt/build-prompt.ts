/** Builds the system prompt. The same input gives the same text, so that vendors can cache it. Pure. */
import { contextSections } from './context-sections.ts';
import type { PromptInput } from './prompt-input.ts';
import {
  dateTime,
  documentation,
  identity,
  messaging,
  modelAliases,
  owners,
  replyTags,
  runtime,
  sandbox,
  silence,
  skills,
  toolCallStyle,
  tooling,
  workspace,
} from './sections.ts';

/** Sections in the documented order (`docs/concepts/turns.md`); empty ones leave no trace. */
export function buildSystemPrompt(input: PromptInput): string {
  if (input.mode === 'none') return identity(input);
  const full = input.mode === 'full';
  return [
    identity(input),
    tooling(input),
    toolCallStyle(input),
    full && skills(input),
    full && modelAliases(input),
    workspace(input),
    sandbox(input),
    full && documentation(input),
    full && owners(input),
    dateTime(input),
    full && replyTags(input),
    full && messaging(input),
    input.extra?.trim() && `## Context of this conversation\n${input.extra.trim()}`,
    ...contextSections(input.contextFiles),
    full && silence(),
    ...(full ? (input.sections ?? []) : []),
    runtime(input),
  ]
    .filter(Boolean)
    .join('\n\n');
}
