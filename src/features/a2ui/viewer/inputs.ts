/** Renders the inputs of a surface; their values stay on the page until a person acts. */
import { html, nothing, type TemplateResult } from 'lit';
import { live } from 'lit/directives/live.js';
import { chosenOf } from '../surface/chosen.ts';
import { fitsPattern } from '../surface/check-text.ts';
import type { Json } from '../surface/data-path.ts';
import { isObject } from '../surface/references.ts';
import type { ShownNode } from '../surface/resolve.ts';
import { wordsOf } from '../surface/text-parts.ts';
import { localKey, valueOf, type Drawing } from './host-page.ts';

/** The components that people enter something into. */
export const INPUTS = ['CheckBox', 'TextField', 'DateTimeInput', 'MultipleChoice', 'Slider'] as const;

export function drawInput(node: ShownNode, drawing: Drawing): TemplateResult {
  switch (node.type as (typeof INPUTS)[number]) {
    case 'CheckBox':
      return checkBox(node, drawing);
    case 'TextField':
      return textField(node, drawing);
    case 'DateTimeInput':
      return dateTime(node, drawing);
    case 'MultipleChoice':
      return choice(node, drawing);
    case 'Slider':
      return slider(node, drawing);
  }
}

type Field = HTMLInputElement | HTMLTextAreaElement;
const enter =
  ({ page, surface }: Drawing, node: ShownNode, property: string, read: (field: Field) => Json | undefined) =>
  (event: Event): void => {
    const value = read(event.target as Field);
    if (value !== undefined) page.enter(surface, node, property, value);
  };

function checkBox(node: ShownNode, drawing: Drawing): TemplateResult {
  const checked = valueOf(drawing, node, 'value') === true;
  return html`<label class="check"
    ><input
      type="checkbox"
      .checked=${live(checked)}
      @change=${enter(drawing, node, 'value', (field) => (field as HTMLInputElement).checked)}
    /><span>${wordsOf(node.props['label'])}</span></label
  >`;
}

const TEXT_TYPES: Readonly<Record<string, string>> = { date: 'date', number: 'number', obscured: 'password' };

function textField(node: ShownNode, drawing: Drawing): TemplateResult {
  const type = wordsOf(node.props['textFieldType']);
  const value = wordsOf(valueOf(drawing, node, 'text'));
  const wrong = value !== '' && !fitsPattern(value, node.props['validationRegexp']);
  const listen = enter(drawing, node, 'text', (field) => field.value);
  return html`<label class="field"
    ><span>${wordsOf(node.props['label'])}</span>${
      type === 'longText'
        ? html`<textarea rows="4" aria-invalid=${wrong} .value=${live(value)} @input=${listen}></textarea>`
        : html`<input
          type=${Object.hasOwn(TEXT_TYPES, type) ? TEXT_TYPES[type]! : 'text'}
          autocomplete="off"
          aria-invalid=${wrong}
          .value=${live(value)}
          @input=${listen}
        />`
    }${wrong ? html`<small class="wrong">This does not have the expected form.</small>` : nothing}</label
  >`;
}

function dateTime(node: ShownNode, drawing: Drawing): TemplateResult {
  const [date, time] = [node.props['enableDate'], node.props['enableTime']];
  const type = date === true && time === true ? 'datetime-local' : time === true ? 'time' : 'date';
  const label = type === 'time' ? 'Time' : type === 'date' ? 'Date' : 'Date and time';
  const listen = enter(drawing, node, 'value', (field) => field.value);
  return html`<label class="field"
    ><span>${label}</span
    ><input type=${type} .value=${live(clockValue(wordsOf(valueOf(drawing, node, 'value')), type))} @change=${listen}
  /></label>`;
}

/** ISO 8601 in the part that this kind of input takes. */
function clockValue(iso: string, type: string): string {
  const [, date = '', time = ''] = /^(\d{4}-\d\d-\d\d)?T?(\d\d:\d\d)?/.exec(iso) ?? [];
  if (type === 'date') return date;
  return type === 'time' ? time : date && time ? `${date}T${time}` : '';
}

function slider(node: ShownNode, drawing: Drawing): TemplateResult {
  const bound = (name: string, usual: number): number =>
    typeof node.props[name] === 'number' ? (node.props[name] as number) : usual;
  const [min, max] = [bound('minValue', 0), bound('maxValue', 100)];
  const value = Number(valueOf(drawing, node, 'value') ?? min);
  const step = max - min <= 10 && !(Number.isInteger(min) && Number.isInteger(max) && max - min > 1) ? 'any' : '1';
  const listen = enter(drawing, node, 'value', (field) => Number(field.value));
  return html`<label class="field slide"
    ><span>${wordsOf(node.props['label'])}<output>${Number.isFinite(value) ? value : ''}</output></span
    ><input type="range" min=${min} max=${max} step=${step} .value=${live(String(value))} @input=${listen}
  /></label>`;
}

interface Option {
  readonly label: string;
  readonly value: string;
}

function choice(node: ShownNode, drawing: Drawing): TemplateResult {
  const key = localKey(drawing, node, 'filter');
  const wanted = wordsOf(drawing.page.local(key)).toLowerCase();
  const options = optionsOf(node.props['options']).filter(({ label }) => label.toLowerCase().includes(wanted));
  const chosen = chosenOf(valueOf(drawing, node, 'selections'));
  const max = typeof node.props['maxAllowedSelections'] === 'number' ? node.props['maxAllowedSelections'] : Infinity;
  const set = (value: string) => (): void =>
    drawing.page.enter(drawing.surface, node, 'selections', [...toggled(chosen, value, max)]);
  const shape = node.props['variant'] === 'chips' ? 'options chips' : 'options';
  return html`${
    node.props['filterable'] === true
      ? html`<input type="search" aria-label="Filter" placeholder="Filter" @input=${(event: Event) =>
          drawing.page.setLocal(key, (event.target as Field).value)} />`
      : nothing
  }
    <div class=${shape} role="group">
      ${options.map(
        ({ label, value }) =>
          html`<label class="check"
            ><input
              type=${max === 1 ? 'radio' : 'checkbox'}
              .checked=${live(chosen.includes(value))}
              ?disabled=${max > 1 && chosen.length >= max && !chosen.includes(value)}
              @change=${set(value)}
            /><span>${label}</span></label
          >`,
      )}
    </div>`;
}

const optionsOf = (options: unknown): readonly Option[] =>
  (Array.isArray(options) ? options : []).flatMap((option) =>
    isObject(option) ? [{ label: wordsOf(option['label'] ?? option['value']), value: wordsOf(option['value']) }] : [],
  );

function toggled(chosen: readonly string[], value: string, max: number): readonly string[] {
  if (max === 1) return [value];
  return chosen.includes(value) ? chosen.filter((one) => one !== value) : [...chosen, value].slice(0, max);
}
