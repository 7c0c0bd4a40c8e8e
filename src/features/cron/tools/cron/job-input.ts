/** Reads the job of a tool call: the `job` object, fields next to the action, or both. Pure. */

type Fields = Readonly<Record<string, unknown>>;

/** Parameters of the tool itself. */
const OWN = new Set([
  'action',
  'job',
  'patch',
  'jobId',
  'id',
  'includeDisabled',
  'mode',
  'contextMessages',
  'limit',
  'gatewayUrl',
  'gatewayToken',
  'timeoutMs',
]);

/** Undefined: there is none. What stands in the object counts. */
export function jobOf(input: Fields, object: Fields | undefined): Fields | undefined {
  const beside = Object.fromEntries(
    Object.entries(input).filter(([name, value]) => !OWN.has(name) && value !== undefined && value !== null),
  );
  const job = { ...beside, ...object };
  return Object.keys(job).length === 0 ? undefined : job;
}
