/** Converts formulas to TeX: from KaTeX, MathJax, MediaWiki and MathML. */
import { element, textOf, type DomDocument, type DomElement } from './dom.ts';
import { mathToTex } from './math-to-tex.ts';

/** What stands for a formula until the page is Markdown. */
export const FORMULA = 'x-formula';
const MAX_CHARS = 2000;
/** Words in a row are no formula: what screen readers get is nothing a person sees. */
const PROSE = /(?:(?<![\\\p{L}])\p{L}{2,}[ ,.!?]+){6}/u;

/** Has to run before what is hidden is taken out: the MathML beside a drawn formula is. */
export function writeFormulas(document: DomDocument): void {
  for (const script of document.querySelectorAll('script[type^="math/tex"]'))
    put(document, script, {
      tex: script.textContent ?? '',
      display: /mode\s*=\s*display/.test(script.getAttribute('type')!),
    });
  for (const drawn of document.querySelectorAll('.mwe-math-element')) {
    const tex = drawn.querySelector('annotation')?.textContent ?? drawn.querySelector('img')?.getAttribute('alt') ?? '';
    put(document, drawn, {
      tex,
      display: drawn.querySelector('[display="block"], .mwe-math-fallback-image-display') !== null,
    });
  }
  for (const drawn of document.querySelectorAll('.katex, mjx-container')) {
    const math = drawn.querySelector('math');
    if (math)
      put(document, drawn, {
        tex: texOf(math),
        display:
          math.getAttribute('display') === 'block' ||
          drawn.closest('.katex-display') !== null ||
          drawn.getAttribute('display') === 'true',
      });
  }
  for (const math of document.querySelectorAll('math'))
    if (math.closest(FORMULA) === null)
      put(document, math, { tex: texOf(math), display: math.getAttribute('display') === 'block' });
  for (const preview of document.querySelectorAll('.MathJax_Preview')) preview.remove();
}

const texOf = (math: DomElement): string =>
  math.querySelector('annotation[encoding*="tex" i]')?.textContent ?? math.getAttribute('alttext') ?? mathToTex(math);

/** A formula stays as hidden as what it stands for. */
function put(document: DomDocument, from: DomElement, { tex, display }: { tex: string; display: boolean }): void {
  const clean = withoutStyle(tex.replaceAll(/\s+/g, ' ').trim());
  if (clean === '' || clean.length > MAX_CHARS || PROSE.test(clean.replaceAll(/\\\w+/g, ' \\x '))) return from.remove();
  const formula = element(document, FORMULA, clean);
  for (const name of ['style', 'class', 'hidden', 'aria-hidden'])
    if (from.hasAttribute(name)) formula.setAttribute(name, from.getAttribute(name)!);
  if (display) formula.setAttribute('display', 'block');
  from.replaceWith(formula);
}

const withoutStyle = (tex: string): string =>
  /^\{\\(?:displaystyle|textstyle) .*\}$/.test(tex) ? tex.slice(tex.indexOf(' ') + 1, -1).trim() : tex;

export const formulaText = (formula: DomElement): string =>
  formula.getAttribute('display') === 'block' ? `\n\n$$\n${textOf(formula)}\n$$\n\n` : `$${textOf(formula)}$`;
