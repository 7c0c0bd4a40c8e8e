/** Changes single values in a JSON5 text and leaves every other character, comments included, where it is. */
import { isDeepStrictEqual } from 'node:util';
import { AppError } from '../core/errors.ts';
import { parseJson5 } from './json5.ts';
import { renderKey, renderValue, type Style } from './json5-render.ts';
import { beginsLine, behindBreak, commaAfter, indentAt, restOfLine } from './json5-scan.ts';
import { measure, type Node, type Span } from './json5-spans.ts';
import { formatPath, type Path } from './paths.ts';

export type Change =
  | { readonly kind: 'set'; readonly path: Path; readonly value: unknown }
  /**
   * `prune`: also the objects around it that nothing is left in, not even a comment; never the element of a list, nor
   * the first so many of the path.
   */
  | { readonly kind: 'delete'; readonly path: Path; readonly prune?: number }
  | {
      readonly kind: 'splice';
      readonly path: Path;
      readonly start: number;
      readonly remove: number;
      readonly items: readonly unknown[];
    };

type Block = Exclude<Node, { kind: 'scalar' }>;

/** The changed text. Throws `AppError('unsupported')` when the text cannot be changed and read back faithfully. */
export function changeText(text: string, change: Change): string {
  const changed = changeOne(text, change);
  return change.kind === 'delete' && change.prune !== undefined
    ? withoutEmptied(changed, change.path.slice(0, -1), change.prune)
    : changed;
}

/** Takes the object at `path` out when the deletion left nothing in it, and then the one around it. */
function withoutEmptied(text: string, path: Path, kept: number): string {
  const holder = path.length <= kept || /^\d+$/.test(path.at(-1)!) ? undefined : emptyObject(text, path);
  return holder ? withoutEmptied(changeOne(text, { kind: 'delete', path }), path.slice(0, -1), kept) : text;
}

function emptyObject(text: string, path: Path): boolean {
  const body = text.replace(/^\ufeff/, '');
  const node = find(measure(body), path);
  return node?.kind === 'object' && body.slice(node.start + 1, node.end - 1).trim() === '';
}

function changeOne(text: string, change: Change): string {
  const bom = text.startsWith('\ufeff') ? '\ufeff' : '';
  const body = text.slice(bom.length);
  const before = body.trim() === '' ? '{}\n' : body;
  const after = apply(before, change);
  verify(before, after, change);
  return bom + after;
}

function apply(text: string, change: Change): string {
  const root = measure(text);
  const style = styleOf(text, root);
  switch (change.kind) {
    case 'set':
      return setValue(text, { root, style, path: change.path, value: change.value });
    case 'delete': {
      const parent = find(root, change.path.slice(0, -1));
      const indexes = parent ? entryIndexes(parent, change.path.at(-1)!) : [];
      return indexes.reduceRight(
        (result, index) => deleteEntry(result, blockOf(at(measure(result), change.path.slice(0, -1))), index),
        text,
      );
    }
    case 'splice':
      return spliceList(text, change, style);
  }
}

function setValue(
  text: string,
  { root, style, path, value }: { root: Node; style: Style; path: Path; value: unknown },
): string {
  const node = find(root, path);
  if (node) {
    return replace(text, node, renderValue(value, { style, indent: indentAt(text, node.start) }));
  }
  const parent = at(root, path.slice(0, -1));
  const block = blockOf(parent);
  return insertEntry(text, {
    block,
    after: block.entries.length - 1,
    style,
    entry: block.kind === 'object' ? { key: path.at(-1)!, value } : { value },
  });
}

function spliceList(text: string, { path, start, remove, items }: Change & { kind: 'splice' }, style: Style): string {
  const block = (source: string): Block => blockOf(at(measure(source), path));
  let result = text;
  for (let count = 0; count < remove; count++) result = deleteEntry(result, block(result), start);
  items.forEach((value, offset) => {
    result = insertEntry(result, { block: block(result), after: start + offset - 1, style, entry: { value } });
  });
  return result;
}

interface Insertion {
  readonly block: Block;
  /** -1: in front. */
  readonly after: number;
  readonly style: Style;
  readonly entry: { readonly key?: string; readonly value: unknown };
}

function insertEntry(text: string, { block, after, style, entry }: Insertion): string {
  const render = (indent: string, inline: boolean): string =>
    (entry.key === undefined ? '' : `${renderKey(entry.key, style)}: `) +
    renderValue(entry.value, { style, indent, inline });
  const first = block.entries[0];
  if (!first) return fillEmpty(text, { block, style, render });
  const tall = text.slice(block.start, first.start).includes('\n');
  const indent = beginsLine(text, first.start) ? indentAt(text, first.start) : indentAt(text, block.start) + style.unit;
  const body = render(indent, !tall);
  const previous = block.entries[after];
  if (!previous)
    return replace(text, { start: first.start, end: first.start }, `${body},${tall ? style.eol + indent : ' '}`);
  const comma = commaAfter(text, previous.end);
  const last = after === block.entries.length - 1;
  const tail = last && comma === undefined ? '' : ',';
  const lead = tall ? style.eol + indent : ' ';
  if (comma !== undefined) {
    const position = tall ? (restOfLine(text, comma + 1) ?? comma + 1) : comma + 1;
    return replace(text, { start: position, end: position }, lead + body + tail);
  }
  const position = tall ? (restOfLine(text, previous.end) ?? previous.end) : previous.end;
  return `${text.slice(0, previous.end)},${text.slice(previous.end, position)}${lead}${body}${text.slice(position)}`;
}

function fillEmpty(
  text: string,
  { block, style, render }: { block: Block; style: Style; render: (indent: string, inline: boolean) => string },
): string {
  const inner = text.slice(block.start + 1, block.end - 1);
  const kept = inner.trimEnd();
  const outer = indentAt(text, block.start);
  const comment = kept.trim() !== '';
  if (comment && !inner.includes('\n'))
    return replace(text, { start: block.start + 1, end: block.end - 1 }, `${kept} ${render(outer, true)} `);
  const inline = block.kind === 'array' && !comment && !inner.includes('\n');
  if (inline) {
    const short = render(outer, false);
    if (!short.includes('\n')) return replace(text, { start: block.start + 1, end: block.end - 1 }, short);
  }
  const indent = outer + style.unit;
  return replace(
    text,
    { start: block.start + 1, end: block.end - 1 },
    `${comment ? kept : ''}${style.eol}${indent}${render(indent, false)}${style.eol}${outer}`,
  );
}

function deleteEntry(text: string, block: Block, index: number): string {
  const entry = block.entries[index]!;
  const previous = block.entries[index - 1];
  const comma = commaAfter(text, entry.end);
  let start = entry.start;
  let end = comma === undefined ? entry.end : comma + 1;
  const rest = restOfLine(text, end);
  if (beginsLine(text, start) && rest !== undefined) {
    start = text.lastIndexOf('\n', start - 1) + 1;
    end = behindBreak(text, rest);
  } else if (comma !== undefined) {
    while (text[end] === ' ') end += 1;
  }
  const before = comma === undefined && previous ? commaAfter(text, previous.end) : undefined;
  if (before === undefined) return replace(text, { start, end }, '');
  const between = text.slice(before + 1, start);
  return text.slice(0, before) + (/^ *$/.test(between) ? '' : between) + text.slice(end);
}

/**
 * Reads the result back with the reader the product uses; anything unexpected stops the edit before a file is touched.
 */
function verify(before: string, after: string, change: Change): void {
  const [was, is] = [parseJson5(before), parseJson5(after)];
  if (was.ok && is.ok && isDeepStrictEqual(is.value, expected(was.value, change))) return;
  throw new AppError(
    'unsupported',
    `The setting ${formatPath(change.path)} cannot be changed without disturbing the rest of the file; ` +
      'change it in an editor.',
  );
}

function expected(value: unknown, change: Change): unknown {
  if (change.kind === 'set' && change.path.length === 0) return change.value;
  const copy = structuredClone(value);
  const target = change.kind === 'splice' ? change.path : change.path.slice(0, -1);
  const parent = target.reduce<unknown>((node, key) => (node as Record<string, unknown>)[key], copy);
  const key = change.path.at(-1)!;
  if (change.kind === 'splice') (parent as unknown[]).splice(change.start, change.remove, ...change.items);
  else if (change.kind === 'set') (parent as Record<string, unknown>)[key] = change.value;
  else if (Array.isArray(parent)) parent.splice(Number(key), 1);
  else delete (parent as Record<string, unknown>)[key];
  return copy;
}

function find(root: Node, path: Path): Node | undefined {
  let node: Node | undefined = root;
  for (const key of path) {
    if (node?.kind === 'object') node = node.entries.findLast((property) => property.key === key)?.value;
    else node = node?.kind === 'array' ? node.entries[Number(key)] : undefined;
  }
  return node;
}

function at(root: Node, path: Path): Node {
  const node = find(root, path);
  if (node) return node;
  throw new AppError('not_found', `There is no ${formatPath(path)} in the file.`);
}

/** Where a key stands; several places when it is written twice. */
function entryIndexes(parent: Node, key: string): readonly number[] {
  if (parent.kind === 'array') return Number(key) < parent.entries.length ? [Number(key)] : [];
  return parent.kind === 'object'
    ? parent.entries.flatMap((property, index) => (property.key === key ? [index] : []))
    : [];
}

function blockOf(node: Node): Block {
  if (node.kind !== 'scalar') return node;
  throw new AppError('invalid', 'A single value cannot hold further settings.');
}

function styleOf(text: string, root: Node): Style {
  const first = root.kind === 'object' ? root.entries[0] : undefined;
  const unit = first && beginsLine(text, first.start) ? indentAt(text, first.start) : '';
  return {
    unit: unit || '  ',
    eol: text.includes('\r\n') ? '\r\n' : '\n',
    bareKeys: first !== undefined && !/["']/.test(text[first.start]!),
  };
}

function replace(text: string, { start, end }: Span, by: string): string {
  return text.slice(0, start) + by + text.slice(end);
}
