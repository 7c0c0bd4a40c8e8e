/** Converts the accessibility tree of a page into text for models, in every mode and within its limit. Pure. */
import type { ShownRef } from './refs.ts';
import { CONTENT, INTERACTIVE, STRUCTURAL } from './roles.ts';

/** A node as playwright-core returns it. */
export interface AriaNode {
  readonly role: string;
  readonly name?: string;
  readonly text?: string;
  readonly ref?: string;
  readonly cursor?: string;
  readonly box?: { readonly x: number; readonly y: number; readonly width: number; readonly height: number };
  readonly children?: readonly (AriaNode | string)[];
  readonly [property: string]: unknown;
}

export interface TextOptions {
  /** A flat list of interactive elements. */
  readonly interactive?: boolean | undefined;
  /** Without unnamed structure, and without branches that contain no text. */
  readonly compact?: boolean | undefined;
  /** Levels below the top one. */
  readonly depth?: number | undefined;
  /** 0 or absent: no limit. */
  readonly maxChars?: number | undefined;
  /** Every element has a ref; absent: only interactive elements, and named content. */
  readonly everyRef?: boolean | undefined;
  /** Shows the index of elements with the same role and name. */
  readonly numbered?: boolean | undefined;
  isNew?(ref: string): boolean;
}

export interface SnapshotText {
  readonly text: string;
  /** Those in it. */
  readonly refs: readonly string[];
  readonly truncated: boolean;
  readonly stats: {
    readonly lines: number;
    readonly chars: number;
    readonly refs: number;
    readonly interactive: number;
  };
}

export const TRUNCATED = '[...TRUNCATED - page too large]';
const NOTHING = '(no interactive elements)';

const STATES = ['checked', 'disabled', 'expanded', 'active', 'invalid', 'level', 'pressed', 'selected'] as const;
const NO_PROPERTIES: ReadonlySet<string> = new Set([
  ...STATES,
  'role',
  'name',
  'text',
  'ref',
  'cursor',
  'box',
  'children',
]);

const isInteractive = ({ role, cursor, ref }: AriaNode): boolean =>
  INTERACTIVE.has(role) || (cursor === 'pointer' && ref !== undefined && !CONTENT.has(role));

/** Every element with a ref, with its index among those with the same role and name. */
export function shownRefs(nodes: readonly (AriaNode | string)[]): ReadonlyMap<string, ShownRef> {
  const found: { ref: string; key: string; node: AriaNode; framed: boolean }[] = [];
  const counts = new Map<string, number>();
  const indexes: number[] = [];
  walk(nodes, (node, { framed }) => {
    if (node.ref === undefined) return;
    const key = `${node.role}\n${node.name ?? ''}`;
    const index = counts.get(key) ?? 0;
    counts.set(key, index + 1);
    indexes.push(index);
    found.push({ ref: node.ref, key, node, framed });
  });
  return new Map(
    found.map(({ ref, key, node, framed }, at) => [
      ref,
      { role: node.role, name: node.name ?? '', nth: indexes[at]!, count: counts.get(key)!, framed },
    ]),
  );
}

/** Depth first, in order, without recursion: a page may nest deeper than the stack. */
export function walk(
  nodes: readonly (AriaNode | string)[],
  visit: (node: AriaNode, at: { readonly depth: number; readonly framed: boolean }) => void,
): void {
  const rest: { node: AriaNode | string; depth: number; framed: boolean }[] = [];
  const push = (list: readonly (AriaNode | string)[], depth: number, framed: boolean): void => {
    for (let at = list.length - 1; at >= 0; at--) rest.push({ node: list[at]!, depth, framed });
  };
  push(nodes, 0, false);
  for (let next = rest.pop(); next !== undefined; next = rest.pop()) {
    const { node, depth, framed } = next;
    if (typeof node === 'string') continue;
    visit(node, { depth, framed });
    push(node.children ?? [], depth + 1, framed || node.role === 'iframe');
  }
}

export function snapshotText(
  nodes: readonly (AriaNode | string)[],
  shown: ReadonlyMap<string, ShownRef>,
  options: TextOptions,
): SnapshotText {
  const writer = createWriter(shown, options);
  if (options.interactive)
    walk(nodes, (node, { depth }) => {
      if (isInteractive(node) && (options.depth === undefined || depth <= options.depth)) writer.line(node, 0);
    });
  else writeTree(nodes, options, writer);
  return writer.end(options.interactive ? NOTHING : '');
}

interface Writer {
  line(node: AriaNode, depth: number): void;
  raw(text: string): void;
  end(otherwise: string): SnapshotText;
}

function createWriter(shown: ReadonlyMap<string, ShownRef>, options: TextOptions): Writer {
  const { maxChars = 0 } = options;
  const lines: string[] = [];
  let chars = 0;
  let over = false;
  const refs: string[] = [];
  let interactive = 0;
  const put = (text: string): boolean => {
    const room = maxChars <= 0 || chars + text.length + 1 + TRUNCATED.length + 1 <= maxChars;
    over ||= !room;
    if (over) return false;
    lines.push(text);
    chars += text.length + 1;
    return true;
  };
  return {
    raw: (text) => void put(text),
    line(node, depth) {
      if (over) return;
      const ref = refOf(node, options);
      if (!put(`${'  '.repeat(depth)}- ${lineOf(node, ref, { shown, options })}`)) return;
      if (ref === undefined) return;
      refs.push(ref);
      if (isInteractive(node)) interactive++;
    },
    end(otherwise) {
      const whole = lines.length === 0 && !over ? otherwise : lines.join('\n');
      const text = over ? `${whole}${whole === '' ? '' : '\n'}${TRUNCATED}` : whole;
      return {
        text,
        refs,
        truncated: over,
        stats: { lines: text.split('\n').length, chars: text.length, refs: refs.length, interactive },
      };
    },
  };
}

function refOf(node: AriaNode, { everyRef }: TextOptions): string | undefined {
  const { ref, role, name } = node;
  if (ref === undefined || everyRef || isInteractive(node)) return ref;
  return CONTENT.has(role) && name !== undefined && name !== '' ? ref : undefined;
}

function lineOf(
  node: AriaNode,
  ref: string | undefined,
  { shown, options }: { readonly shown: ReadonlyMap<string, ShownRef>; readonly options: TextOptions },
): string {
  if (node.role === 'text') return `text: ${oneLine(node.text ?? node.name ?? '')}`;
  const parts = [node.role];
  if (node.name) parts.push(JSON.stringify(oneLine(node.name)));
  for (const state of STATES) {
    const value = node[state];
    if (value === true) parts.push(`[${state}]`);
    else if (value !== undefined && value !== false) parts.push(`[${state}=${String(value)}]`);
  }
  if (ref !== undefined) {
    const nth = shown.get(ref)?.nth ?? 0;
    if (options.numbered && nth > 0) parts.push(`[nth=${nth}]`);
    parts.push(`[ref=${ref}]`);
    if (options.isNew?.(ref)) parts.push('[new]');
  }
  if (node.cursor === 'pointer' && !INTERACTIVE.has(node.role)) parts.push('[cursor=pointer]');
  const text = node.text === undefined ? '' : `: ${oneLine(node.text)}`;
  return `${parts.join(' ')}${text}`;
}

/** Words of a page do not look like our marks. */
const oneLine = (text: string): string => text.replace(/\s+/g, ' ').replace(MARK, '(').trim();
const MARK = /\[(?=(?:ref|nth|cursor)=|new\])/g;

function writeTree(nodes: readonly (AriaNode | string)[], options: TextOptions, writer: Writer): void {
  const says = options.compact ? sayingNodes(nodes) : undefined;
  const rest: { node: AriaNode | string; depth: number }[] = [];
  const push = (list: readonly (AriaNode | string)[], depth: number): void => {
    for (let at = list.length - 1; at >= 0; at--) rest.push({ node: list[at]!, depth });
  };
  push(nodes, 0);
  for (let next = rest.pop(); next !== undefined; next = rest.pop()) {
    const { node, depth } = next;
    if (options.depth !== undefined && depth > options.depth) continue;
    if (typeof node === 'string') {
      if (oneLine(node) !== '') writer.raw(`${'  '.repeat(depth)}- text: ${oneLine(node)}`);
      continue;
    }
    if (says && !says.has(node)) continue;
    const through = says !== undefined && !node.name && !node.text && STRUCTURAL.has(node.role) && !isInteractive(node);
    if (!through) {
      writer.line(node, depth);
      for (const [name, value] of propertiesOf(node)) writer.raw(`${'  '.repeat(depth + 1)}- /${name}: ${value}`);
    }
    push(node.children ?? [], through ? depth : depth + 1);
  }
}

function propertiesOf(node: AriaNode): readonly (readonly [string, string])[] {
  return Object.entries(node).flatMap(([name, value]) =>
    NO_PROPERTIES.has(name) || typeof value !== 'string' ? [] : [[name, oneLine(value)] as const],
  );
}

/** Nodes that have a name, a text or an interactive element in them or below. */
function sayingNodes(nodes: readonly (AriaNode | string)[]): ReadonlySet<AriaNode> {
  const saying = new Set<AriaNode>();
  const path: AriaNode[] = [];
  walk(nodes, (node, { depth }) => {
    path.length = depth;
    path.push(node);
    const says =
      isInteractive(node) ||
      Boolean(node.name) ||
      Boolean(node.text) ||
      node.children?.some((one) => typeof one === 'string');
    if (says) for (const one of path) saying.add(one);
  });
  return saying;
}
