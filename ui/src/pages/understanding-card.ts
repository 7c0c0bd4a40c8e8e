/** What is converted to text before the agent sees a message, by which service, and how to enable the rest. */
import { html, nothing, type TemplateResult } from 'lit';
import type { Understands } from '../gateway/wire.ts';
import { ownCommand } from '../elements/own-command.ts';

/** `missing`: the command or program that would enable it. */
const KINDS: Readonly<Record<Understands['kind'], { readonly name: string; readonly missing: string }>> = {
  link: { name: 'Links', missing: ownCommand('onboard --links on') },
  image: { name: 'Images', missing: 'tesseract' },
  audio: { name: 'Recordings', missing: 'whisper-cli' },
  video: { name: 'Videos', missing: 'ffmpeg' },
  file: { name: 'Files', missing: '' },
};

export const understandingCard = (
  abilities: readonly Understands[],
): TemplateResult => html`<section class="card understanding" aria-label="Understanding"><h2>Understanding</h2>
  <p class="small quiet">How links and attachments are turned into text for the agent.</p>
  <ul class="rows">${abilities.map(
    (ability) => html`<li
    class="row"><span><b>${KINDS[ability.kind].name}</b>${how(ability)}</span><span
    class="quiet">${state(ability)}</span></li>`,
  )}</ul>
</section>`;

function state({ on, by, shown }: Understands): string {
  if (!on) return 'off';
  return by.length === 0 ? 'no tool' : shown ? 'seen' : 'read';
}

function how({ kind, on, by, shown }: Understands): unknown {
  if (kind === 'link' && !on)
    return html`<small>Link reading is off. To turn it on, run <code>${KINDS.link.missing}</code></small>`;
  if (!on) return html`<small>Turned off in the configuration.</small>`;
  if (by.length === 0)
    return html`<small>Set a key of a provider that supports it, or install <code>${KINDS[kind].missing}</code> on the gateway's machine.</small>`;
  const [first, ...rest] = by;
  if (kind === 'file') return html`<small>by the gateway</small>`;
  return html`<small>${shown ? 'by the chat model' : 'by'} <code>${first}</code>${
    rest.length > 0
      ? html`, else ${rest.map((name, at) => html`${at > 0 ? ', ' : nothing}<code>${name}</code>`)}`
      : nothing
  }</small>`;
}
