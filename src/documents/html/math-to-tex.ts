/** Converts MathML without a TeX source to TeX. Source: https://www.w3.org/TR/mathml-core/ */
import { textOf, type DomElement } from './dom.ts';

const SPACED = /^[=<>≤≥≠≈≡+±×÷→⇒∈∉⊂∪∩∧∨−-]$/;

/** Parts of a formula that stand in a fixed order, `#1` to `#3`. */
const SHAPES: Readonly<Record<string, string>> = {
  mfrac: '\\frac{#1}{#2}',
  mroot: '\\sqrt[#2]{#1}',
  msup: '#1^#2',
  msub: '#1_#2',
  msubsup: '#1_#2^#3',
  munder: '#1_#2',
  mover: '#1^#2',
  munderover: '#1_#2^#3',
};
const NOTHING = new Set(['annotation', 'annotation-xml', 'mphantom', 'mspace', 'none', 'mprescripts']);

/** Depth and size are those of a bounded page. */
export function mathToTex(node: DomElement): string {
  const { localName } = node;
  if (NOTHING.has(localName)) return '';
  const children = [...node.children];
  if (localName === 'semantics') return children[0] ? mathToTex(children[0]) : '';
  const shape = SHAPES[localName];
  if (shape)
    return shape.replaceAll(
      /([{[^_])?#(\d)/g,
      (_all, before: string | undefined, index: string) =>
        `${before ?? ''}${script(children[Number(index) - 1], before)}`,
    );
  if (localName === 'mtable')
    return (
      `\\begin{matrix} ${children.map((row) => [...row.children].map(mathToTex).join(' & ')).join(' \\\\ ')} ` +
      `\\end{matrix}`
    );
  if (children.length === 0) return leaf(localName, textOf(node));
  const inside = children.map(mathToTex).join('').trim();
  return localName === 'msqrt'
    ? `\\sqrt{${inside}}`
    : localName === 'mfenced'
      ? `(${children.map(mathToTex).join(', ')})`
      : inside;
}

/** What is above or below needs braces when it is more than one sign. */
function script(node: DomElement | undefined, before: string | undefined): string {
  const tex = node ? mathToTex(node) : '';
  return (before === '^' || before === '_') && [...tex].length > 1 ? `{${tex}}` : tex;
}

const leaf = (name: string, text: string): string =>
  name === 'mo' && SPACED.test(text) ? ` ${text} ` : name === 'mtext' ? `\\text{${text}}` : text;
