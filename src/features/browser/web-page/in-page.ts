/** JavaScript that runs in pages, as text; it never runs in the gateway. */

/** The text of a function that playwright-core runs in the page. */
export const inPage = <A, R>(source: string): ((arg: A) => R) =>
  Object.assign(
    (): never => {
      throw new Error('runs in pages only');
    },
    { toString: () => source },
  );

/**
 * Code of a model as a function of an element: an expression, a function that is called with the element, or the body
 * of one.
 */
export const asExpression = (text: string): string => `async (element) => {
  const value = (${withoutEnd(text.trim())}\n);
  return typeof value === 'function' ? await value(element) : await value;
}`;

function withoutEnd(text: string): string {
  let end = text.length;
  while (text[end - 1] === ';') end--;
  return text.slice(0, end);
}

/** The same, as the body of a function. */
export const asBody = (text: string): string => `async (element) => {\n${text}\n}`;
