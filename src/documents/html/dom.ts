/** The DOM types used here. TypeScript's `lib.dom` would add browser globals to the gateway. */

export interface DomNode {
  readonly nodeType: number;
  textContent: string | null;
  readonly parentNode: DomElement | null;
  readonly firstChild: DomNode | null;
  readonly nextSibling: DomNode | null;
  readonly previousSibling: DomNode | null;
  readonly ownerDocument: DomDocument;
  remove(): void;
  before(...nodes: (DomNode | string)[]): void;
}

export interface DomElement extends DomNode {
  readonly tagName: string;
  readonly localName: string;
  readonly children: Iterable<DomElement>;
  readonly outerHTML: string;
  id: string;
  getAttribute(name: string): string | null;
  setAttribute(name: string, value: string): void;
  append(...nodes: (DomNode | string)[]): void;
  removeAttribute(name: string): void;
  hasAttribute(name: string): boolean;
  matches(selector: string): boolean;
  closest(selector: string): DomElement | null;
  contains(node: DomNode): boolean;
  querySelector(selector: string): DomElement | null;
  querySelectorAll(selector: string): Iterable<DomElement> & { readonly length: number };
  replaceWith(...nodes: (DomNode | string)[]): void;
}

/** Lists of elements are made once and do not change with the tree. */
export interface DomDocument {
  readonly documentElement: DomElement | null;
  readonly body: DomElement;
  querySelector(selector: string): DomElement | null;
  querySelectorAll(selector: string): Iterable<DomElement> & { readonly length: number };
  createElement(name: string): DomElement;
  cloneNode(deep: boolean): DomDocument;
}

export const ELEMENT_NODE = 1;
export const TEXT_NODE = 3;

/** What a person reads of a node, spaces as one. */
export const textOf = (node: DomNode): string => (node.textContent ?? '').replaceAll(/\s+/g, ' ').trim();

/** The text of a node if it has at most `most` characters; no more of it is read than needed. */
export function shortText(node: DomNode, max: number): string | undefined {
  const parts: string[] = [];
  let [left, steps] = [max + 20, 60];
  const visit = (at: DomNode): boolean => {
    if (steps-- <= 0) return false;
    if (at.nodeType === TEXT_NODE) {
      const text = at.textContent ?? '';
      parts.push(text);
      left -= text.trim().length;
      return left >= 0;
    }
    for (let child = at.firstChild; child; child = child.nextSibling) if (!visit(child)) return false;
    return true;
  };
  const text = visit(node) ? parts.join('').replaceAll(/\s+/g, ' ').trim() : undefined;
  return text !== undefined && text.length <= max ? text : undefined;
}

/** The element of a name with these nodes inside. */
export function element(document: DomDocument, name: string, ...inside: (DomNode | string)[]): DomElement {
  const made = document.createElement(name);
  made.append(...inside);
  return made;
}

/** Puts what is inside an element in its place. */
export const unwrap = (from: DomElement): void => from.replaceWith(...childNodes(from));

export function childNodes(from: DomNode): DomNode[] {
  const found: DomNode[] = [];
  for (let node = from.firstChild; node; node = node.nextSibling)
    if (node.nodeType === ELEMENT_NODE || node.nodeType === TEXT_NODE) found.push(node);
  return found;
}
