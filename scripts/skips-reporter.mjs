/** A reporter for node:test that only prints, at the end, which tests were skipped and why. */
export default async function* skips(events) {
  const reasons = new Map();
  for await (const { type, data } of events) {
    if (type !== 'test:pass' || data.skip === undefined || data.skip === false) continue;
    const reason = typeof data.skip === 'string' ? data.skip : 'no reason given';
    reasons.set(reason, [...(reasons.get(reason) ?? []), data.name]);
  }
  for (const [reason, names] of reasons) yield `\nskipped (${reason}):\n${names.map((name) => `  ${name}\n`).join('')}`;
}
