/** The gateway method of the browser: one call of its control service, for clients that are connected already. */
import { z } from 'zod';
import { defineMethods, type MethodWorks } from '../../host/method.ts';
import type { BrowserAnswers } from './answers.ts';
import type { Caller } from './caller.ts';
import type { FileToGive } from './driver/hooks.ts';
import type { Given } from './web-page/act-request.ts';
import type { BrowserCall } from './routes/route.ts';

const values = z.record(z.string(), z.unknown());

export const browserSpecs = defineMethods({
  'browser.request': {
    summary: 'One call of the control service of the browser: its method, path, query and body.',
    needs: 'operator.admin',
    heavy: true,
    params: z.strictObject({
      method: z.enum(['GET', 'POST', 'DELETE']).describe('As over HTTP.'),
      path: z.string().min(1).describe('A route of the control service, e.g. `/snapshot`.'),
      query: values.exactOptional().describe('Parameters of the address.'),
      body: values
        .exactOptional()
        .describe('The JSON body; `files` holds files to upload as `{name, mimeType, data}`.'),
      timeoutMs: z.number().exactOptional().describe('Milliseconds the call may take.'),
    }),
  },
});

export interface BrowserMethodsDeps {
  /** Where files of the operator go. */
  readonly files: string;
  call(call: BrowserCall, by: { readonly caller: Caller; readonly signal: AbortSignal }): Promise<Given>;
}

export const browserMethods = ({
  files,
  call,
}: BrowserMethodsDeps): MethodWorks<typeof browserSpecs, BrowserAnswers> => ({
  async 'browser.request'({ method, path, query, body, timeoutMs }, { signal }) {
    const { files: given, ...rest } = body ?? {};
    const uploads = Array.isArray(given) ? given.flatMap(fileOf) : [];
    const bound = timeoutMs === undefined ? signal : AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]);
    return call(
      { method, path, query, body: rest, files: uploads },
      { caller: { kind: 'operator', files }, signal: bound },
    );
  },
});

/** A file that came as base64; none for anything else. */
export function fileOf(one: unknown): readonly FileToGive[] {
  if (typeof one !== 'object' || one === null) return [];
  const { name, mimeType, data } = one as Given;
  if (typeof name !== 'string' || typeof data !== 'string') return [];
  const type = typeof mimeType === 'string' ? mimeType : 'application/octet-stream';
  return [{ name, mimeType: type, buffer: Buffer.from(data, 'base64') }];
}
