/** The header block of a mail: its fields by name, in order, unfolded. Pure. */

/** Fields by lower-case name. */
export interface MailHeaders {
  /** All values of a field, from the top. */
  all(name: string): readonly string[];
  /** The value of a field that occurs once; undefined otherwise. */
  one(name: string): string | undefined;
  has(name: string): boolean;
}

export function readHeaders(block: Buffer): MailHeaders {
  const fields = new Map<string, string[]>();
  const unfolded = block
    .toString('latin1')
    .split(/\r?\n\r?\n/, 1)[0]!
    .replace(/\r?\n(?=[ \t])/g, '');
  for (const line of unfolded.split(/\r?\n/)) {
    const at = line.indexOf(':');
    if (at < 1) continue;
    const name = line.slice(0, at).trim().toLowerCase();
    const values = fields.get(name) ?? [];
    values.push(line.slice(at + 1).trim());
    fields.set(name, values);
  }
  const all = (name: string): readonly string[] => fields.get(name) ?? [];
  return {
    all,
    one: (name) => (all(name).length === 1 ? all(name)[0] : undefined),
    has: (name) => fields.has(name),
  };
}

const MAX_IDS = 30;

/** The message ids of a field, without their angles; of many the first and the newest. */
export function messageIds(value: string | undefined): readonly string[] {
  const ids = [...(value ?? '').matchAll(/<([^<>\s]{1,250})>/g)].map((match) => match[1]!);
  return ids.length <= MAX_IDS ? ids : [ids[0]!, ...ids.slice(1 - MAX_IDS)];
}
