/** Highlights completed code blocks; the library is loaded when the first one is visible. */

const LONGEST = 20_000;

/** Leaves unknown languages and very long blocks as they are. */
export async function highlightCode(root: ParentNode): Promise<void> {
  const blocks = [
    ...root.querySelectorAll<HTMLElement>('pre > code[class^="language-"]:not([data-highlighted])'),
  ].filter((code) => !code.classList.contains('language-text') && (code.textContent?.length ?? 0) < LONGEST);
  if (blocks.length === 0) return;
  const { default: highlighter } = await import('highlight.js/lib/common');
  for (const code of blocks) {
    const language = code.className.replace('language-', '');
    code.dataset['highlighted'] = 'yes';
    if (highlighter.getLanguage(language))
      code.innerHTML = highlighter.highlight(code.textContent ?? '', { language, ignoreIllegals: true }).value;
  }
}
