/** The fields of the form below the message: where it runs, where the answer goes, and what few people need. */
import { html, nothing, type TemplateResult } from 'lit';
import type { Choices } from './form-choices.ts';
import type { Draft, Place } from './job-draft.ts';

export interface Fields {
  readonly draft: Draft;
  readonly problems: Partial<Record<Place, string>>;
  readonly choices: Choices;
  change(part: Partial<Draft>): void;
}

const THINKING = ['off', 'minimal', 'low', 'medium', 'high', 'xhigh'];
const PLACES: readonly (readonly [Draft['place'], string, string])[] = [
  [
    'isolated',
    'In a conversation of its own',
    'Fresh each time, with nothing said before. The main conversation hears the result in a line.',
  ],
  [
    'main',
    'In the main conversation',
    'As a note to the agent, who knows what was said there and answers where you last wrote.',
  ],
  ['session', 'In a conversation that exists', 'A turn of it, with all that was said there.'],
];

interface Choice {
  readonly id: keyof Draft;
  readonly label: string;
  readonly options: readonly (readonly [string, string])[];
  readonly place: Place;
}

/** A select with its label and the problem it has. */
function choice({ draft, problems, change }: Fields, { id, label, options, place }: Choice): TemplateResult {
  const value = String(draft[id]);
  const known = options.some(([option]) => option === value) ? options : [...options, [value, value] as const];
  return html`<div class="form-part"><label class="form-label" for="job-${id}">${label}</label>
    <select id="job-${id}" class="field ${problems[place] ? 'wrong' : ''}" @change=${(event: Event) => change({ [id]: (event.target as HTMLSelectElement).value } as Partial<Draft>)}>${known.map(([option, words]) => html`<option value=${option} ?selected=${option === value}>${words}</option>`)}</select></div>`;
}

interface Line {
  readonly id: 'to' | 'name' | 'description' | 'model' | 'timeoutSeconds' | 'maxAgeHours';
  readonly label: string;
  readonly place: Place;
  readonly hint?: string;
  readonly list?: string;
  readonly number?: boolean;
}

function line(
  { draft, problems, change }: Fields,
  { id, label, place, hint = '', list, number }: Line,
): TemplateResult {
  return html`<div class="form-part"><label class="form-label" for="job-${id}">${label}</label>
    <input id="job-${id}" class="field ${problems[place] ? 'wrong' : ''}" maxlength="500" inputmode=${number ? 'decimal' : 'text'} autocomplete="off" spellcheck="false" placeholder=${hint} list=${list ?? nothing} .value=${draft[id]} aria-invalid=${problems[place] ? 'true' : 'false'} @input=${(event: Event) => change({ [id]: (event.target as HTMLInputElement).value })} /></div>`;
}

const problem = ({ problems }: Fields, place: Place): unknown =>
  problems[place] ? html`<p class="form-problem">${problems[place]}</p>` : nothing;

export function placeFields(fields: Fields): TemplateResult {
  const { draft, choices, change } = fields;
  return html`<fieldset class="places"><legend class="form-label">Where it runs</legend>
    ${PLACES.map(([place, words, meaning]) => html`<label class="place ${draft.place === place ? 'chosen' : ''}"><input type="radio" name="place" value=${place} .checked=${draft.place === place} @change=${() => change({ place })} /><span><b>${words}</b><small>${meaning}</small></span></label>`)}</fieldset>
    ${draft.place === 'session' ? choice(fields, { id: 'sessionKey', label: 'Which one', place: 'place', options: [['', 'Choose…'], ...choices.sessions.map(({ key, label }) => [key, label] as const)] }) : nothing}
    ${draft.place === 'main' ? html`<label class="check form-check"><input type="checkbox" .checked=${draft.atOnce} @change=${(event: Event) => change({ atOnce: (event.target as HTMLInputElement).checked })} />At once, not with the next heartbeat</label>` : nothing}
    ${problem(fields, 'place')}`;
}

export function deliverFields(fields: Fields): TemplateResult {
  const { draft, choices } = fields;
  const channel = choices.channels.find(({ id }) => id === draft.deliver);
  return html`<div class="form-row">${choice(fields, { id: 'deliver', label: 'Send the answer', place: 'deliver', options: [['none', 'Nowhere: it is read here'], ['last', 'Where I wrote last'], ...choices.channels.map(({ id, label }) => [id, label] as const)] })}
      ${channel && channel.accounts.length > 1 ? choice(fields, { id: 'accountId', label: 'By', place: 'deliver', options: [['', 'its first account'], ...channel.accounts.map(({ id, label }) => [id, label] as const)] }) : nothing}
      ${['none', 'last'].includes(draft.deliver) ? nothing : line(fields, { id: 'to', label: 'To', place: 'deliver', hint: 'a person, a chat or a number' })}</div>
    ${problem(fields, 'deliver')}`;
}

/** `once`: it runs a single time. */
export function moreFields(fields: Fields & { readonly once: boolean }): TemplateResult {
  const { draft, choices, change, once } = fields;
  const turn = draft.place !== 'main';
  return html`<details class="form-more"><summary>More</summary>
    <div class="form-row">${line(fields, { id: 'name', label: 'Name', place: 'name', hint: 'the first line of what should happen' })}
      ${choices.agents.length > 1 ? choice(fields, { id: 'agentId', label: 'Agent', place: 'agentId', options: [['', 'the usual one'], ...choices.agents.map(({ id, label }) => [id, label] as const)] }) : nothing}</div>
    ${problem(fields, 'name')}${problem(fields, 'agentId')}
    ${line(fields, { id: 'description', label: 'Note for yourself', place: 'name' })}
    ${
      turn
        ? html`<div class="form-row">${line(fields, { id: 'model', label: 'Model', place: 'model', hint: 'the agent’s own', list: 'job-models' })}
        ${choice(fields, { id: 'thinking', label: 'Thinking', place: 'thinking', options: [['', 'as the agent does'], ...THINKING.map((level) => [level, level] as const)] })}
        ${line(fields, { id: 'timeoutSeconds', label: 'Longest, in seconds', place: 'timeoutSeconds', number: true, hint: 'as the agent does' })}</div>
      <datalist id="job-models">${choices.models.map((model) => html`<option value=${model}></option>`)}</datalist>
      ${problem(fields, 'model')}${problem(fields, 'thinking')}${problem(fields, 'timeoutSeconds')}`
        : nothing
    }
    <div class="form-row">${choice(fields, {
      id: 'missed',
      label: 'Runs missed while the gateway was off',
      place: 'missed',
      options: [
        ['', 'as the configuration says'],
        ['skip', 'skip them'],
        ['once', 'make up for the newest'],
        ['all', 'make up for each'],
      ],
    })}
      ${draft.missed && draft.missed !== 'skip' ? line(fields, { id: 'maxAgeHours', label: 'Not older than, in hours', place: 'missed', number: true, hint: 'as the configuration says' }) : nothing}</div>
    ${problem(fields, 'missed')}
    ${once || draft.deleteAfterRun ? html`<label class="check form-check"><input type="checkbox" .checked=${draft.deleteAfterRun} @change=${(event: Event) => change({ deleteAfterRun: (event.target as HTMLInputElement).checked })} />Remove it once it ran well</label>` : nothing}
  </details>`;
}
