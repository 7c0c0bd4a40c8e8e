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
    'In a new conversation',
    'Starts without history each time. The main conversation gets a one-line result.',
  ],
  [
    'main',
    'In the main conversation',
    'Sent as a note to the agent, which knows the conversation and answers where you last wrote.',
  ],
  ['session', 'In an existing conversation', 'Runs with the history of that conversation.'],
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
    <select id="job-${id}" class="field ${problems[place] ? 'wrong' : ''}" @change=${(event: Event) =>
      change({ [id]: (event.target as HTMLSelectElement).value } as Partial<Draft>)}>${known.map(
      ([option, words]) => html`<option value=${option} ?selected=${option === value}>${words}</option>`,
    )}</select></div>`;
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
    <input id="job-${id}" class="field ${problems[place] ? 'wrong' : ''}" maxlength="500" inputmode=${
      number ? 'decimal' : 'text'
    } autocomplete="off" spellcheck="false" placeholder=${hint} list=${list ?? nothing} .value=${draft[id]}
      aria-invalid=${problems[place] ? 'true' : 'false'} @input=${(event: Event) =>
        change({ [id]: (event.target as HTMLInputElement).value })} /></div>`;
}

const problem = ({ problems }: Fields, place: Place): unknown =>
  problems[place] ? html`<p class="form-problem">${problems[place]}</p>` : nothing;

export function placeFields(fields: Fields): TemplateResult {
  const { draft, choices, change } = fields;
  return html`<fieldset class="places"><legend class="form-label">Conversation</legend>
    ${PLACES.map(
      ([place, words, meaning]) => html`<label class="place ${draft.place === place ? 'chosen' : ''}"><input
      type="radio" name="place" value=${place} .checked=${draft.place === place} @change=${() => change({ place })}
      /><span><b>${words}</b><small>${meaning}</small></span></label>`,
    )}</fieldset>
    ${
      draft.place === 'session'
        ? choice(fields, {
            id: 'sessionKey',
            label: 'Existing conversation',
            place: 'place',
            options: [['', 'Choose…'], ...choices.sessions.map(({ key, label }) => [key, label] as const)],
          })
        : nothing
    }
    ${
      draft.place === 'main'
        ? html`<label class="check form-check"><input type="checkbox" .checked=${draft.atOnce}
      @change=${(event: Event) => change({ atOnce: (event.target as HTMLInputElement).checked })}
      />Immediately, not with the next heartbeat</label>`
        : nothing
    }
    ${problem(fields, 'place')}`;
}

export function deliverFields(fields: Fields): TemplateResult {
  const { draft, choices } = fields;
  const channel = choices.channels.find(({ id }) => id === draft.deliver);
  return html`<div class="form-row">${choice(fields, {
    id: 'deliver',
    label: 'Send the answer',
    place: 'deliver',
    options: [
      ['none', 'Do not send'],
      ['last', 'To the chat I last wrote in'],
      ...choices.channels.map(({ id, label }) => [id, label] as const),
    ],
  })}
      ${
        channel && channel.accounts.length > 1
          ? choice(fields, {
              id: 'accountId',
              label: 'From',
              place: 'deliver',
              options: [['', 'default account'], ...channel.accounts.map(({ id, label }) => [id, label] as const)],
            })
          : nothing
      }
      ${
        ['none', 'last'].includes(draft.deliver)
          ? nothing
          : line(fields, { id: 'to', label: 'To', place: 'deliver', hint: 'person, chat or number' })
      }</div>
    ${problem(fields, 'deliver')}`;
}

/** `once`: it runs a single time. */
export function moreFields(fields: Fields & { readonly once: boolean }): TemplateResult {
  const { draft, choices, change, once } = fields;
  const turn = draft.place !== 'main';
  return html`<details class="form-more"><summary>More</summary>
    <div class="form-row">${line(fields, { id: 'name', label: 'Name', place: 'name', hint: 'first line of the task' })}
      ${
        choices.agents.length > 1
          ? choice(fields, {
              id: 'agentId',
              label: 'Agent',
              place: 'agentId',
              options: [['', 'default agent'], ...choices.agents.map(({ id, label }) => [id, label] as const)],
            })
          : nothing
      }</div>
    ${problem(fields, 'name')}${problem(fields, 'agentId')}
    ${line(fields, { id: 'description', label: 'Description', place: 'name' })}
    ${
      turn
        ? html`<div class="form-row">${line(fields, {
            id: 'model',
            label: 'Model',
            place: 'model',
            hint: 'agent default',
            list: 'job-models',
          })}
        ${choice(fields, {
          id: 'thinking',
          label: 'Thinking',
          place: 'thinking',
          options: [['', 'agent default'], ...THINKING.map((level) => [level, level] as const)],
        })}
        ${line(fields, {
          id: 'timeoutSeconds',
          label: 'Timeout, in seconds',
          place: 'timeoutSeconds',
          number: true,
          hint: 'agent default',
        })}</div>
      <datalist id="job-models">${choices.models.map((model) => html`<option value=${model}></option>`)}</datalist>
      ${problem(fields, 'model')}${problem(fields, 'thinking')}${problem(fields, 'timeoutSeconds')}`
        : nothing
    }
    <div class="form-row">${choice(fields, {
      id: 'missed',
      label: 'Runs missed while the gateway was down',
      place: 'missed',
      options: [
        ['', 'default'],
        ['skip', 'Skip'],
        ['once', 'Run the newest'],
        ['all', 'Run all'],
      ],
    })}
      ${
        draft.missed && draft.missed !== 'skip'
          ? line(fields, {
              id: 'maxAgeHours',
              label: 'Maximum age, in hours',
              place: 'missed',
              number: true,
              hint: 'default',
            })
          : nothing
      }</div>
    ${problem(fields, 'missed')}
    ${
      once || draft.deleteAfterRun
        ? html`<label class="check form-check"><input type="checkbox"
      .checked=${draft.deleteAfterRun} @change=${(event: Event) =>
        change({ deleteAfterRun: (event.target as HTMLInputElement).checked })} />Delete after a successful run</label>`
        : nothing
    }
  </details>`;
}
