/** Opens collapsed parts of a page; their control becomes the heading. */
import { childNodes, element, shortText, textOf, unwrap, type DomDocument, type DomElement } from './dom.ts';

const HEADING = 'h1, h2, h3, h4, h5, h6';
const MAX_NAME = 60;
const MAX_LISTS = 50;

/**
 * Buttons go with a page's machinery; one that opens a part of the text is named after it. What nothing opens stays
 * hidden.
 */
export function openFolded(document: DomDocument): void {
  for (const button of document.querySelectorAll('button[aria-expanded]'))
    if (button.closest(`${HEADING}, dt, summary`) !== null) unwrap(button);
  for (const summary of document.querySelectorAll('summary'))
    if (summary.querySelector(`${HEADING}, p, div`) === null)
      summary.replaceWith(element(document, 'p', element(document, 'strong', ...childNodes(summary))));
  for (const list of [...document.querySelectorAll('[role="tablist"]')].slice(0, MAX_LISTS)) openTabs(document, list);
}

/** As many panels as tabs, right behind them: each below the name of its tab. */
function openTabs(document: DomDocument, list: DomElement): void {
  const tabs = [...list.querySelectorAll('[role="tab"]')];
  const panels = [...(list.parentNode?.querySelectorAll('[role="tabpanel"]') ?? [])].filter(
    (panel) => panel.closest('[role="tablist"]') === null,
  );
  if (tabs.length < 2 || tabs.length !== panels.length) return;
  for (const [index, panel] of panels.entries()) {
    const name = shortText(tabs[index]!, MAX_NAME);
    if (!name || textOf(panel) === '') continue;
    panel.removeAttribute('hidden');
    panel.firstChild?.before(element(document, 'p', element(document, 'strong', name)));
  }
}
