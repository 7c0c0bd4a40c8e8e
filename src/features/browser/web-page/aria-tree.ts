/** The complete accessibility tree of Chromium as a flat list: for reading, not for actions. */
import type { CDPSession } from 'playwright-core';
import { present } from '../../../core/present.ts';
import type { AriaNode } from './snapshot-text.ts';

const DEFAULT_LIMIT = 500;
const MAX_LIMIT = 2000;
const MAX_TEXT = 500;

interface AxNode {
  readonly nodeId: string;
  readonly ignored: boolean;
  readonly role?: { readonly value?: unknown };
  readonly name?: { readonly value?: unknown };
  readonly value?: { readonly value?: unknown };
  readonly description?: { readonly value?: unknown };
  readonly childIds?: readonly string[];
  readonly backendDOMNodeId?: number;
  readonly parentId?: string;
}

/** Depth first, at most `limit` nodes, and no more characters than `maxChars`. */
export async function ariaTree(
  cdp: CDPSession,
  { limit = DEFAULT_LIMIT, maxChars }: { readonly limit?: number | undefined; readonly maxChars: number },
): Promise<readonly unknown[]> {
  const { nodes } = (await cdp.send('Accessibility.getFullAXTree')) as { readonly nodes: readonly AxNode[] };
  const byId = new Map(nodes.map((node) => [node.nodeId, node]));
  const rest = nodes
    .filter(({ parentId }) => parentId === undefined || !byId.has(parentId))
    .map((node) => ({ node, depth: 0 }));
  const max = Math.min(MAX_LIMIT, Math.max(1, Math.trunc(limit)));
  const listed: unknown[] = [];
  let chars = 0;
  rest.reverse();
  for (let next = rest.pop(); next !== undefined && listed.length < max; next = rest.pop()) {
    const { node, depth } = next;
    if (!node.ignored) {
      const shown = present({
        ref: `ax${listed.length + 1}`,
        role: textOf(node.role) ?? 'unknown',
        name: textOf(node.name) ?? '',
        value: textOf(node.value),
        description: textOf(node.description),
        backendDOMNodeId: node.backendDOMNodeId,
        depth,
      });
      chars += JSON.stringify(shown).length;
      if (maxChars > 0 && chars > maxChars) break;
      listed.push(shown);
    }
    const children = (node.childIds ?? []).flatMap((id) => byId.get(id) ?? []);
    for (const child of children.reverse()) rest.push({ node: child, depth: node.ignored ? depth : depth + 1 });
  }
  return listed;
}

/** Roles that get no line: their children take their place. */
const THROUGH: ReadonlySet<string> = new Set(['none', 'generic', 'RootWebArea', 'InlineTextBox']);

/** The same tree without refs, for a page in which no script can run. */
export async function plainTree(cdp: CDPSession): Promise<readonly AriaNode[]> {
  const { nodes } = (await cdp.send('Accessibility.getFullAXTree')) as { readonly nodes: readonly AxNode[] };
  const byId = new Map(nodes.map((node) => [node.nodeId, node]));
  const top: AriaNode[] = [];
  const rest = nodes
    .filter(({ parentId }) => parentId === undefined || !byId.has(parentId))
    .map((node) => ({ node, into: top }));
  for (let next = rest.pop(); next !== undefined; next = rest.pop()) {
    const { node, into } = next;
    const [role, name] = [textOf(node.role) ?? 'unknown', textOf(node.name) ?? ''];
    const children: AriaNode[] = [];
    const isText = role === 'StaticText';
    const isShown = !node.ignored && !THROUGH.has(role);
    if (isShown) into.push(isText ? { role: 'text', text: name } : { role, name, children });
    if (isText) continue;
    const below = (node.childIds ?? []).flatMap((id) => byId.get(id) ?? []);
    for (const child of below.reverse()) rest.push({ node: child, into: isShown ? children : into });
  }
  return top;
}

function textOf(field: { readonly value?: unknown } | undefined): string | undefined {
  const value = field?.value;
  return value === undefined || value === '' ? undefined : String(value).slice(0, MAX_TEXT);
}
