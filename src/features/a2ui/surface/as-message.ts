/** Converts a surface into a chat message: text, and its actions as choices. Pure. */
import { head } from '../../../core/cut.ts';
import { pointerOf, segmentsOf, withValueAt, type Json } from './data-path.ts';
import { isObject } from './references.ts';
import { actionOf, resolveSurface, type ShownAction, type ShownNode } from './resolve.ts';
import { componentOf, type Surface } from './surface.ts';
import { wordsOf } from './text-parts.ts';

/** One thing that can be done with a press. */
export interface SurfaceChoice {
  readonly label: string;
  /** The button whose action it is, where an option is chosen with the press. */
  readonly menu?: string;
  readonly componentId: string;
  readonly action: ShownAction;
}

export interface SurfaceAsMessage {
  readonly text: string;
  readonly choices: readonly SurfaceChoice[];
  /** False: the page shows more, or offers more, than the message. */
  readonly whole: boolean;
}

/** More is no message any more. */
const MAX = { chars: 1500, lines: 60, choices: 20, options: 20, label: 70, menu: 60, contextChars: 16 * 1024 } as const;
const MEDIA: ReadonlySet<string> = new Set(['Image', 'Video', 'AudioPlayer']);
/** The property that a person enters something into. */
const ENTERED: Readonly<Record<string, string>> = {
  TextField: 'text',
  DateTimeInput: 'value',
  Slider: 'value',
  CheckBox: 'value',
  MultipleChoice: 'selections',
};

/** Undefined: nothing of it is shown. */
export function asMessage(surface: Surface, isKnown: (type: string) => boolean): SurfaceAsMessage | undefined {
  const { root, faults } = resolveSurface(surface, isKnown);
  if (!root) return undefined;
  const nodes = [...walk(root)];
  const lines = linesOf(root).filter((line) => line.trim() !== '');
  const text = head(lines.slice(0, MAX.lines).join('\n'), MAX.chars);
  const inputs = nodes.filter(({ type }) => Object.hasOwn(ENTERED, type));
  const offered = nodes.filter(({ type }) => type === 'Button').map((node) => choicesOf(node, inputs, surface));
  const choices = offered.flatMap((one) => one ?? []);
  const whole =
    faults.length === 0 &&
    lines.length <= MAX.lines &&
    text.length === lines.join('\n').length &&
    choices.length <= MAX.choices &&
    !offered.includes(undefined) &&
    !nodes.some(({ type }) => MEDIA.has(type));
  return { text, choices: choices.slice(0, MAX.choices), whole };
}

function* walk(node: ShownNode): Generator<ShownNode> {
  yield node;
  for (const inner of innerOf(node)) yield* walk(inner);
}

const innerOf = ({ children, slots }: ShownNode): readonly ShownNode[] => [...children, ...Object.values(slots)];

/** What a component says, line by line; buttons say nothing here. */
function linesOf(node: ShownNode): readonly string[] {
  const { type, props } = node;
  if (type === 'Button' || type === 'placeholder' || type === 'Divider') return [];
  if (type === 'Text') return textLinesOf(node);
  if (MEDIA.has(type)) return [wordsOf(props['description'] ?? props['altText'])];
  if (type === 'CheckBox') return [`${props['value'] === true ? '☑' : '☐'} ${wordsOf(props['label'])}`];
  if (Object.hasOwn(ENTERED, type)) return enteredLine(node);
  const inner = innerOf(node).map(linesOf);
  if (type === 'Row' && inner.every((lines) => lines.length <= 1)) return [inner.flat().filter(Boolean).join(' ')];
  if (type === 'List') return inner.flatMap((lines) => lines.map((line, at) => `${at === 0 ? '- ' : '  '}${line}`));
  return inner.flat();
}

function textLinesOf({ props }: ShownNode): readonly string[] {
  const lines = wordsOf(props['text']).split('\n');
  return /^h[1-5]$/.test(wordsOf(props['usageHint']))
    ? lines.map((line) => (line.trim() === '' || line.includes('*') ? line : `**${line.trim()}**`))
    : lines;
}

function enteredLine({ type, props }: ShownNode): readonly string[] {
  if (props['label'] === undefined) return [];
  const value =
    type === 'MultipleChoice' || props['textFieldType'] === 'obscured' ? '' : wordsOf(props[ENTERED[type]!]);
  return [`${wordsOf(props['label'])}: ${value}`.trimEnd()];
}

/** Undefined: pressing it needs more than a press. */
function choicesOf(
  button: ShownNode,
  inputs: readonly ShownNode[],
  surface: Surface,
): readonly SurfaceChoice[] | undefined {
  const action = actionOf(surface, button);
  if (!action) return [];
  const label = labelOf(button) || action.name;
  const paths = pathsOf(surface, button);
  const needed = inputs.filter(({ type, binds }) => {
    const bound = binds[ENTERED[type]!];
    return bound !== undefined && paths.some((path) => overlap(path, bound));
  });
  if (needed.length === 0) return fitting([{ label: head(label, MAX.label), componentId: button.id, action }]);
  const [input] = needed;
  const options = needed.length === 1 && input ? optionsOf(input) : undefined;
  if (!input || !options) return undefined;
  const pointer = input.binds[ENTERED[input.type]!]!;
  return fitting(
    options.map((option) => ({
      label: head(option.label, MAX.label),
      menu: head(label, MAX.menu),
      componentId: button.id,
      action: actionOf({ ...surface, data: withValueAt(surface.data, segmentsOf(pointer), option.value) }, button)!,
    })),
  );
}

const fitting = (choices: readonly SurfaceChoice[]): readonly SurfaceChoice[] | undefined =>
  choices.every(({ action }) => JSON.stringify(action.context).length <= MAX.contextChars) ? choices : undefined;

const labelOf = (node: ShownNode): string =>
  [...walk(node)]
    .flatMap(({ type, props }) => (type === 'Text' ? [wordsOf(props['text']).replaceAll(/\s+/g, ' ').trim()] : []))
    .filter(Boolean)
    .join(' ');

/** What its action reads from the data, as absolute pointers. */
function pathsOf(surface: Surface, { id, context }: ShownNode): readonly string[] {
  const action = componentOf(surface, id)?.props['action'];
  const entries = isObject(action) && Array.isArray(action['context']) ? (action['context'] as readonly unknown[]) : [];
  return entries.flatMap((entry) => {
    const value = isObject(entry) ? entry['value'] : undefined;
    return isObject(value) && typeof value['path'] === 'string' ? [pointerOf(segmentsOf(value['path'], context))] : [];
  });
}

const overlap = (one: string, other: string): boolean =>
  one === other || one.startsWith(`${other}/`) || other.startsWith(`${one}/`);

interface Option {
  readonly label: string;
  readonly value: Json;
}

/** What can be chosen with one press; undefined: that takes more. */
function optionsOf({ type, props }: ShownNode): readonly Option[] | undefined {
  if (type === 'CheckBox') {
    const label = wordsOf(props['label']);
    return [
      { label: `☑ ${label}`, value: true },
      { label: `☐ ${label}`, value: false },
    ];
  }
  if (type !== 'MultipleChoice' || props['maxAllowedSelections'] !== 1 || !Array.isArray(props['options'])) return;
  const options = (props['options'] as readonly unknown[]).flatMap((option) =>
    isObject(option) && wordsOf(option['value']) !== ''
      ? [{ label: wordsOf(option['label'] ?? option['value']), value: [wordsOf(option['value'])] }]
      : [],
  );
  return options.length > 0 && options.length <= MAX.options ? options : undefined;
}
