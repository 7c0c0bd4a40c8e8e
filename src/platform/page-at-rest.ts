/** A script that a page runs to tell that it has drawn what was pushed to it; pages of canvases are read after it. */

/**
 * A JavaScript expression: a promise, fulfilled when nothing of the document has changed for a tenth of a second,
 * or with the first change after a second.
 */
export const PAGE_AT_REST = `new Promise((resolve) => {
  const begun = performance.now();
  let timer = setTimeout(resolve, 100);
  new MutationObserver(() => {
    clearTimeout(timer);
    timer = setTimeout(resolve, performance.now() - begun > 1000 ? 0 : 100);
  }).observe(document, { subtree: true, childList: true, characterData: true, attributes: true });
})`;
