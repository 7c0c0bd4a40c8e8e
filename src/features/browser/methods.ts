/** Gateway methods of the browser: calls of the control service, and requests of the Control UI page. */
import { z } from 'zod';
import { AppError } from '../../core/errors.ts';
import type { ClientLink } from '../../host/clients.ts';
import { inputSchema } from './live/person-input.ts';
import type { LiveService } from './live/live-service.ts';
import { defineMethods, type MethodWorks } from '../../host/method.ts';
import type { BrowserAnswers } from './answers.ts';
import type { Caller } from './caller.ts';
import type { FileToGive } from './driver/hooks.ts';
import type { Params } from './web-page/act-request.ts';
import type { BrowserCall } from './routes/route.ts';

const values = z.record(z.string(), z.unknown());
const named = {
  profile: z.string().exactOptional().describe('Default: the default profile.'),
  targetId: z.string().min(1).describe('Of the tab.'),
};

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
  'browser.overview': {
    summary: 'The profiles with their browsers and tabs, who acts in them, and the newest downloads. Starts nothing.',
    needs: 'operator.admin',
    params: z.strictObject({}),
  },
  'browser.watch': {
    summary: 'Sends pictures of a tab to this connection as it changes, in place of those of another tab.',
    needs: 'operator.admin',
    params: z.strictObject(named),
  },
  'browser.unwatch': {
    summary: 'Sends this connection no more pictures.',
    needs: 'operator.admin',
    params: z.strictObject({ targetId: named.targetId.exactOptional().describe('Unless it watches another one now.') }),
  },
  'browser.control': {
    summary: 'Takes a tab over from its agent, or hands it back. It goes back by itself when the connection ends.',
    needs: 'operator.admin',
    params: z.strictObject({ ...named, take: z.boolean().describe('false: hands it back.') }),
  },
  'browser.input': {
    summary: 'Mouse and keyboard of a person in a tab this connection has taken over.',
    needs: 'operator.admin',
    params: z.strictObject({ ...named, inputs: inputSchema }),
  },
  'browser.file': {
    summary: 'A downloaded file, part by part.',
    needs: 'operator.admin',
    heavy: true,
    params: z.strictObject({ id: z.string().min(1), offset: z.number().int().min(0).default(0) }),
  },
});

export interface BrowserMethodsDeps {
  /** The folder for files of operators. */
  readonly files: string;
  call(call: BrowserCall, by: { readonly caller: Caller; readonly signal: AbortSignal }): Promise<Params>;
  live(): Promise<LiveService>;
}

export const browserMethods = ({
  files,
  call,
  live,
}: BrowserMethodsDeps): MethodWorks<typeof browserSpecs, BrowserAnswers> => ({
  async 'browser.request'({ method, path, query, body, timeoutMs }, { signal }) {
    const { files: listed, ...rest } = body ?? {};
    const uploads = Array.isArray(listed) ? listed.flatMap(fileOf) : [];
    const bound = timeoutMs === undefined ? signal : AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]);
    return call(
      { method, path, query, body: rest, files: uploads },
      { caller: { kind: 'operator', files }, signal: bound },
    );
  },
  'browser.overview': async (_params, { client }) => (await live()).overview(client),
  'browser.watch': async (params, { client }) => (await live()).watch(mustLink(client), params),
  'browser.unwatch': async ({ targetId }, { client }) => (await live()).unwatch(mustLink(client), targetId),
  'browser.control': async (params, { client }) => (await live()).control(mustLink(client), params),
  'browser.input': async (params, { client }) => (await live()).input(mustLink(client), params),
  'browser.file': async (params) => (await live()).file(params),
});

function mustLink(client: ClientLink | undefined): ClientLink {
  if (client) return client;
  throw new AppError('invalid', 'Pictures and control go to a connection, and this call came without one.');
}

/** Decodes a base64 file; undefined for anything else. */
export function fileOf(one: unknown): readonly FileToGive[] {
  if (typeof one !== 'object' || one === null) return [];
  const { name, mimeType, data } = one as Params;
  if (typeof name !== 'string' || typeof data !== 'string') return [];
  const type = typeof mimeType === 'string' ? mimeType : 'application/octet-stream';
  return [{ name, mimeType: type, buffer: Buffer.from(data, 'base64') }];
}
