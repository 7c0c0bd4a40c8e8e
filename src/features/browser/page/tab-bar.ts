/** The bar above the picture: address, who acts, and the actions of a person in control. */
import { html, nothing, type TemplateResult } from 'lit';
import type { ShownTab } from './lists.ts';

export interface TabActs {
  readonly busy: boolean;
  control(take: boolean): void;
  go(url: string): void;
  history(to: 'back' | 'forward' | 'reload'): void;
  type(text: string): void;
  press(key: string): void;
  answer(accept: boolean, promptText?: string): void;
  close(): void;
}

export function tabBar(tab: ShownTab, acts: TabActs): TemplateResult {
  const mine = tab.control === 'you';
  return html`<div class="browser-bar">
      ${mine ? navigation(tab, acts) : html`<span class="browser-url mono">${tab.url}</span>`}
      ${
        tab.control === 'somebody'
          ? html`<span class="quiet small">Somebody else has control.</span>`
          : html`<button class=${mine ? 'button small primary' : 'button small'} ?disabled=${acts.busy}
              @click=${() => acts.control(!mine)}>${mine ? 'Hand back' : 'Take over'}</button>`
      }
      <button class="button small" ?disabled=${acts.busy} @click=${acts.close}>Close tab</button>
    </div>
    ${
      mine
        ? html`<p class="browser-mine" role="status">You have control. The agent waits until you hand the tab back.
            Shift+Escape leaves the picture.</p>${typing(acts)}`
        : nothing
    }
    ${tab.dialog ? dialog(tab.dialog, mine, acts) : nothing}`;
}

function navigation({ url }: ShownTab, acts: TabActs): TemplateResult {
  const button = (label: string, sign: string, to: 'back' | 'forward' | 'reload'): TemplateResult =>
    html`<button class="button small" aria-label=${label} title=${label}
      @click=${() => acts.history(to)}>${sign}</button>`;
  return html`${button('Back', '←', 'back')}${button('Forward', '→', 'forward')}${button('Reload', '↻', 'reload')}
    <form class="browser-url" @submit=${(event: SubmitEvent) => {
      event.preventDefault();
      acts.go(valueOf(event, 'url'));
    }}><input class="field mono" name="url" aria-label="Address" .value=${url} autocomplete="off" /></form>`;
}

/** For on-screen keyboards, which send no key events. */
const typing = (acts: TabActs): TemplateResult => html`<form class="browser-open" @submit=${(event: SubmitEvent) => {
  event.preventDefault();
  const text = valueOf(event, 'text');
  if (text !== '') acts.type(text);
  (event.target as HTMLFormElement).reset();
}}><input class="field" name="text" placeholder="Type into the page" aria-label="Text to type into the page"
      autocomplete="off" />
    <button class="button small">Type</button>
    <button class="button small" type="button" @click=${() => acts.press('Enter')}>Enter</button></form>`;

const dialog = (
  { type, message }: NonNullable<ShownTab['dialog']>,
  mine: boolean,
  acts: TabActs,
): TemplateResult => html`<form class="strip warn browser-dialog" role="alert" @submit=${(event: SubmitEvent) => {
  event.preventDefault();
  acts.answer(true, type === 'prompt' ? valueOf(event, 'answer') : undefined);
}}><span>The page asks (${type}): ${message || '(no text)'}</span>
    ${
      mine
        ? html`${type === 'prompt' ? html`<input class="field" name="answer" aria-label="Answer" />` : nothing}
            <button class="button small">${type === 'alert' ? 'OK' : 'Accept'}</button>
            ${
              type === 'alert'
                ? nothing
                : html`<button class="button small" type="button" @click=${() => acts.answer(false)}>Dismiss</button>`
            }`
        : nothing
    }</form>`;

const valueOf = (event: SubmitEvent, name: string): string =>
  String(new FormData(event.target as HTMLFormElement).get(name) ?? '');
