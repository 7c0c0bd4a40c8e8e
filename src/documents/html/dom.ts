/** As much of the DOM as is used here; the compiler's own `lib.dom` would bring a browser's globals into the gateway. */

export interface DomNode {
  readonly nodeType: number;
  textContent: string | null;
  readonly parentNode: DomElement | null;
  readonly firstChild: DomNode | null;
  readonly nextSibling: DomNode | null;
  readonly ownerDocument: DomDocument;
  remove(): void;
}

export interface DomElement extends DomNode {
  readonly tagName: string;
  readonly localName: string;
  readonly children: Iterable<DomElement>;
  readonly outerHTML: string;
  id: string;
  getAttribute(name: string): string | null;
  setAttribute(name: string, value: string): void;
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
  cloneNode(deep: boolean): DomDocument;
}

export const ELEMENT_NODE = 1;
export const TEXT_NODE = 3;

/** What a person reads of a node, spaces as one. */
export const textOf = (node: DomNode): string => (node.textContent ?? '').replaceAll(/\s+/g, ' ').trim();
