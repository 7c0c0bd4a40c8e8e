/** Renders the profiles with their tabs, and the downloads. */
import { html, nothing, type TemplateResult } from 'lit';
import { ago, exactTime } from '../../../../ui/src/elements/times.ts';
import { sizeText } from '../../../core/size-text.ts';
import type { BrowserAnswers } from '../answers.ts';

type Overview = BrowserAnswers['browser.overview'];
export type Profile = Overview['profiles'][number];
export type ShownTab = Profile['tabs'][number];
export type Download = Overview['downloads'][number];

export interface ProfileActs {
  /** The selected tab. */
  readonly shown: string | undefined;
  readonly busy: boolean;
  show(tab: ShownTab): void;
  open(url: string): void;
  stop(): void;
}

export function profileCard(profile: Profile, acts: ProfileActs): TemplateResult {
  const { name, color, running, tabs, isDefault, attachOnly } = profile;
  return html`<section class="card" aria-label="Profile ${name}">
    <div class="browser-head"><h2><i class="browser-dot ${running ? '' : 'idle'}"
      style="--dot:${color}"></i>${name}</h2>
      <span class=${running ? 'browser-on' : 'quiet'}>${stateWord(running, attachOnly)}</span></div>
    <p class="small quiet">${[isDefault ? 'default' : '', profile.version ?? '', profile.isRemote ? 'remote' : '']
      .filter(Boolean)
      .join(' · ')}</p>
    ${tabs.length > 0 ? html`<ul class="browser-tabs">${tabs.map((tab) => tabRow(tab, acts))}</ul>` : nothing}
    <form class="browser-open" @submit=${(event: SubmitEvent) => submitted(event, acts.open)}>
      <input class="field" name="url" inputmode="url" placeholder="Open an address"
        aria-label="Address to open in ${name}" autocomplete="off" required />
      <button class="button small" ?disabled=${acts.busy}>Open</button>
      ${
        running && !attachOnly
          ? html`<button class="button small" type="button" ?disabled=${acts.busy} @click=${acts.stop}>Stop</button>`
          : nothing
      }
    </form>
  </section>`;
}

const stateWord = (running: boolean, attached: boolean): string =>
  running ? (attached ? 'attached' : 'running') : 'not running';

function submitted(event: SubmitEvent, open: (url: string) => void): void {
  event.preventDefault();
  const form = event.target as HTMLFormElement;
  const url = String(new FormData(form).get('url') ?? '').trim();
  if (url === '') return;
  open(url);
  form.reset();
}

function tabRow(tab: ShownTab, { shown, show }: ProfileActs): TemplateResult {
  const held = { agent: '', you: 'you have control', somebody: 'somebody has control' }[tab.control];
  const whose = tab.sessionKey ?? 'opened by hand';
  const facts = [whose, held, tab.crashed ? 'crashed' : '', tab.dialog ? 'asks' : ''].filter(Boolean);
  return html`<li><button class="browser-tab" aria-current=${tab.targetId === shown ? 'true' : 'false'}
      @click=${() => show(tab)}><b>${tab.title || tab.url}</b>
      <small>${facts.join(' · ')}</small>
    </button></li>`;
}

export function downloadList(downloads: readonly Download[], save: (one: Download) => void): TemplateResult {
  if (downloads.length === 0) return html``;
  return html`<section class="card" aria-label="Downloads"><h2>Downloads</h2>
    <ul class="rows">${downloads.map(
      (one) => html`<li class="row"><span><b>${one.name}</b>
        <small><span title=${exactTime(one.at)}>${ago(one.at, Date.now())}</span> · ${stateOf(one)}</small></span>
        ${
          one.state === 'saved'
            ? html`<span class="row-actions">
                <button class="button small" @click=${() => save(one)}>Save</button></span>`
            : nothing
        }</li>`,
    )}</ul></section>`;
}

function stateOf({ state, bytes = 0, why = '' }: Download): string {
  if (state === 'running') return 'downloading';
  return state === 'saved' ? sizeText(bytes) : why;
}
