/** Validates what the gateway sends with our schemas: of `src/protocol/answers`, and of the features. */
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { z } from 'zod';
import { listDir, statIfExists } from '../platform/files.ts';
import { ANSWERS, EVENT_PAYLOADS } from '../protocol/answers.ts';

type Schemas = Readonly<Record<string, z.ZodType>>;

const FEATURES = join(import.meta.dirname, '..', 'features');

/** `answers.ts` of each feature that has methods or events of its own. */
async function ofFeatures(): Promise<readonly { readonly answers?: Schemas; readonly payloads?: Schemas }[]> {
  const paths = (await listDir(FEATURES)).map(({ name }) => join(FEATURES, name, 'answers.ts'));
  const there = await Promise.all(paths.map(async (path) => ((await statIfExists(path)) ? [path] : [])));
  return Promise.all(there.flat().map((path) => import(pathToFileURL(path).href)));
}

const features = await ofFeatures();

/** Method → what it answers. */
export const answerSchemas: Schemas = Object.assign({}, ANSWERS, ...features.map(({ answers }) => answers));
/** Event → what it carries. */
export const payloadSchemas: Schemas = Object.assign({}, EVENT_PAYLOADS, ...features.map(({ payloads }) => payloads));

/** What is wrong with a frame, or undefined; what has no schema, as the methods of a test's own feature, is right. */
export function frameFault(frame: any, method: string | undefined): string | undefined {
  if (frame.type === 'event') return faultOf(payloadSchemas[frame.event], frame.event, frame.payload);
  if (!frame.ok || method === undefined || frame.payload?.status === 'accepted') return undefined;
  return faultOf(answerSchemas[method], method, frame.payload);
}

function faultOf(schema: z.ZodType | undefined, name: string, value: unknown): string | undefined {
  const issue = schema?.safeParse(value).error?.issues[0];
  if (!issue) return undefined;
  const keys = issue.code === 'unrecognized_keys' ? ` ${issue.keys.join(', ')}` : '';
  const inner = issue.code === 'invalid_union' ? ` ${JSON.stringify(issue.errors).slice(0, 1500)}` : '';
  return `${name} ${issue.path.map(String).join('.')}: ${issue.message}${keys}${inner}`;
}
