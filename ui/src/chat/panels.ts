/**
 * Finds the panels that features show between the conversation and the composer: `page/chat-panel.ts` in each folder.
 */
import type { TemplateResult } from 'lit';
import type { App } from '../app.ts';

/** Renders nothing if there is nothing to show. */
type Panel = (app: App, conversation: string) => TemplateResult;

const FOUND = import.meta.glob<{ readonly panel: Panel }>('../../../src/features/*/page/chat-panel.ts', {
  eager: true,
});

export const chatPanels = (app: App, conversation: string): readonly TemplateResult[] =>
  Object.values(FOUND).map(({ panel }) => panel(app, conversation));
