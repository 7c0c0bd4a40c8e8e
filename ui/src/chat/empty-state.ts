/** The view before the first message: suggestions, and the model that would answer. */
import { html, type TemplateResult } from 'lit';
import { icon } from '../elements/icons.ts';
import { isOffline, type GatewayHealth } from '../gateway/health.ts';

interface Suggestion {
  readonly title: string;
  readonly text: string;
}

const WITH_MODEL: readonly Suggestion[] = [
  { title: 'Get started', text: 'Who are you, and what can you do for me here?' },
  { title: 'Work with files', text: 'Write a packing list for three days in Lisbon to packing.md' },
  {
    title: 'Explore the workspace',
    text: 'What is in your workspace? Read AGENTS.md and tell me what it asks of you.',
  },
  { title: 'Show the status', text: '/status' },
];
const OFFLINE: readonly Suggestion[] = [
  { title: 'Show what it understands', text: 'help' },
  { title: 'Let it read a file', text: 'read AGENTS.md' },
  { title: 'Let it write one', text: 'write hello.md: Hello from the web chat' },
  { title: 'Show the status', text: 'status' },
];

export function emptyState(health: GatewayHealth, ask: (text: string) => void, configure: () => void): TemplateResult {
  const offline = isOffline(health);
  return html`<section class="empty" aria-label="Getting started">
    <img class="empty-mark" src="./favicon.svg" alt="" width="44" height="44" />
    <h1>How can I help?</h1>
    <p class="quiet">${
      offline
        ? 'The built-in offline helper answers.'
        : health.model
          ? html`Answers come from <b>${health.model.provider}/${health.model.model}</b>.`
          : 'Ask anything, or start with one of these.'
    }</p>
    ${
      offline
        ? html`<aside class="hint">${icon('warn')}<div><b>No language model is configured.</b>
      <p>The offline helper understands a few phrases and can run tools. To get real answers,
        connect a model: an API key of a provider, or a model server on this machine.</p>
      <button class="button small primary" @click=${configure}>Set up a model</button></div></aside>`
        : ''
    }
    <div class="suggestions">${(offline ? OFFLINE : WITH_MODEL).map(
      ({ title, text }) => html`<button class="suggestion"
      @click=${() => ask(text)}><b>${title}</b><span>${text}</span></button>`,
    )}</div>
  </section>`;
}
