/** Parses A2UI messages from JSONL: one object per line with exactly one action; reports all errors. */
import { AppError } from '../../../core/errors.ts';
import { MAX_JSONL_CHARS } from '../limits.ts';
import { head } from '../../../core/cut.ts';
import type { A2uiVersion, SurfaceMessage } from '../surface/surface.ts';
import type { Catalog } from './catalog.ts';
import type { Checked } from './issues.ts';
import { KEYS_0_8, readMessage08 } from './message-0-8.ts';

/** `line` counts from 1, blank lines too. */
export interface Fault {
  readonly line: number;
  readonly message: string;
}

/** What a text of messages holds: all of them, or everything that is wrong with it. */
export type ReadMessages =
  | { readonly messages: readonly SurfaceMessage[]; readonly version: A2uiVersion; readonly faults?: undefined }
  | { readonly faults: readonly Fault[] };

const MAX_LINE_CHARS = 256 * 1024;
const MAX_FAULTS = 50;
/** Lines between two looks at the event loop. */
const LINES_AT_ONCE = 50;

const ALL_KEYS: readonly string[] = [...KEYS_0_8, 'createSurface'];

interface Line {
  readonly number: number;
  readonly text: string;
}

/** Lets other work go first now and then: a long text takes longer than the event loop should wait. */
export async function readJsonl(text: string, catalog?: Catalog): Promise<ReadMessages> {
  if (text.length > MAX_JSONL_CHARS)
    return fault(0, `the text is larger than ${MAX_JSONL_CHARS / 1024 / 1024} MiB; push it in parts`);
  const lines = text
    .split('\n')
    .map((line, index) => ({ number: index + 1, text: line.trim() }))
    .filter((line) => line.text !== '');
  if (lines.length === 0) return fault(0, 'no JSONL messages found');
  const messages: SurfaceMessage[] = [];
  const faults: Fault[] = [];
  const versions = new Set<string>();
  for (const [index, line] of lines.entries()) {
    if (index % LINES_AT_ONCE === LINES_AT_ONCE - 1) await new Promise<void>((resolve) => void setImmediate(resolve));
    const read = await readLine(line, catalog);
    if (read.version) versions.add(read.version);
    if (read.checked.issues) faults.push(...read.checked.issues.map((message) => ({ line: line.number, message })));
    else messages.push(read.checked.value);
    if (faults.length >= MAX_FAULTS) break;
  }
  if (versions.size > 1) faults.unshift({ line: 0, message: 'mixed A2UI versions; write all messages in 0.8' });
  else if (versions.size > 0 && !versions.has('0.8')) faults.unshift({ line: 0, message: ONLY_0_8 });
  return faults.length > 0 ? { faults } : { messages, version: '0.8' };
}

const fault = (line: number, message: string): ReadMessages => ({ faults: [{ line, message }] });

const ONLY_0_8 =
  'supports v0.8 only; use surfaceUpdate, dataModelUpdate and beginRendering in place of createSurface, ' +
  'updateComponents and updateDataModel';

interface ReadLine {
  /** As it is written there: `0.8`, or a later one. */
  readonly version?: string;
  readonly checked: Checked<SurfaceMessage>;
}

async function readLine({ text }: Line, catalog: Catalog | undefined): Promise<ReadLine> {
  if (text.length > MAX_LINE_CHARS)
    return wrong(`longer than ${MAX_LINE_CHARS / 1024} KiB; send it in several messages`);
  const parsed = parsedJson(text);
  if (parsed.issues) return { checked: parsed };
  const value = parsed.value;
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return wrong('expected JSON object');
  const keys = Object.keys(value);
  const later = laterVersion(value as Readonly<Record<string, unknown>>);
  if (later) return { version: later.version, checked: { issues: [`${later.key} is A2UI ${later.version}`] } };
  const actions = keys.filter((key) => ALL_KEYS.includes(key));
  const [action] = actions;
  if (actions.length !== 1 || keys.length !== 1 || action === undefined)
    return wrong(
      `expected exactly one action key (${ALL_KEYS.join(', ')})${keys.length > 0 ? `, found ${list(keys)}` : ''}`,
    );
  const key = action as (typeof KEYS_0_8)[number];
  return {
    version: '0.8',
    checked: await readMessage08(key, (value as Readonly<Record<string, unknown>>)[key], catalog),
  };
}

const LATER_KEYS: readonly string[] = ['createSurface', 'updateComponents', 'updateDataModel'];

/** Messages of later versions say theirs; the first of these had the names of today and no number. */
function laterVersion(
  message: Readonly<Record<string, unknown>>,
): { readonly key: string; readonly version: string } | undefined {
  const key = LATER_KEYS.find((one) => Object.hasOwn(message, one)) ?? (Object.hasOwn(message, 'version') && 'version');
  if (!key) return undefined;
  const { version } = message;
  return { key, version: typeof version === 'string' && /^v\d{1,2}\.\d{1,2}$/.test(version) ? version : 'v0.9' };
}

const wrong = (message: string): ReadLine => ({ checked: { issues: [message] } });

const list = (keys: readonly string[]): string => head(keys.slice(0, 8).join(', '), 200);

function parsedJson(text: string): Checked<unknown> {
  try {
    return { value: JSON.parse(text) };
  } catch (error) {
    if (error instanceof SyntaxError) return { issues: [head(error.message, 200)] };
    throw error;
  }
}

/** All faults in one text, as the command line and the tool show them. */
export const faultText = (faults: readonly Fault[]): string =>
  ['Invalid A2UI JSONL:', ...faults.map(({ line, message }) => `- ${line > 0 ? `line ${line}: ` : ''}${message}`)].join(
    '\n',
  );

/** The messages of a text. Throws `AppError('invalid')` with every fault and a correct example. */
export async function mustReadJsonl(text: string): Promise<readonly SurfaceMessage[]> {
  const read = await readJsonl(text);
  if (!read.faults) return read.messages;
  const message = `${faultText(read.faults)}\n${EXAMPLE}`;
  throw new AppError('invalid', message, { details: { faults: read.faults } });
}

const EXAMPLE =
  'Example, one message a line:\n' +
  '{"surfaceUpdate":{"surfaceId":"main","components":[{"id":"root","component":{"Text":{"text":' +
  '{"literalString":"Hello"}}}}]}}\n' +
  '{"beginRendering":{"surfaceId":"main","root":"root"}}';

/** What `--text` pushes: a column with one text, shown at once. */
export function textMessages(text: string): string {
  const components = [
    { id: 'root', component: { Column: { children: { explicitList: ['text'] } } } },
    { id: 'text', component: { Text: { text: { literalString: text }, usageHint: 'body' } } },
  ];
  return [
    JSON.stringify({ surfaceUpdate: { surfaceId: 'main', components } }),
    JSON.stringify({ beginRendering: { surfaceId: 'main', root: 'root' } }),
  ].join('\n');
}
