/** The JSON of a request to a model: its tools, most of it and the same from turn to turn, are written once. */

/** So many lists of tools are kept: agents with other tools take turns. */
const KEPT = 4;

/** `JSON.stringify` for bodies whose tools then stand at the end. The build puts it into the models' libraries. */
export const requestJson = createRequestJson();

/** With nothing kept yet. */
export function createRequestJson(): (body: unknown) => string {
  const kept: { readonly tools: readonly unknown[]; readonly json: string }[] = [];

  function jsonOf(tools: readonly unknown[]): string {
    const known = kept.find((one) => same(one.tools, tools));
    if (known) return known.json;
    const json = JSON.stringify(tools);
    kept.unshift({ tools, json });
    kept.splice(KEPT);
    return json;
  }

  return (body) => {
    const { tools, ...rest } = (body ?? {}) as { readonly tools?: unknown };
    if (!Array.isArray(tools) || tools.length === 0) return JSON.stringify(body);
    const others = JSON.stringify(rest);
    return `${others.slice(0, -1)}${others === '{}' ? '' : ','}"tools":${jsonOf(tools)}}`;
  };
}

/** Schemas are the same objects each time, so that little is compared. */
function same(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  const [left, right] = [a as Record<string, unknown>, b as Record<string, unknown>];
  const keys = Object.keys(left);
  return (
    keys.length === Object.keys(right).length &&
    Array.isArray(a) === Array.isArray(b) &&
    keys.every((key) => Object.hasOwn(right, key) && same(left[key], right[key]))
  );
}
