/** The HTTP control service of the browser on loopback, for the token of the owner. */
import type { Log } from '../../../core/log.ts';
import { asAppError } from '../../../core/errors.ts';
import { readJson } from '../../../host/http/body.ts';
import { listenOnLoopback, type LoopbackServer } from '../platform/loopback-server.ts';
import { sendJson, statusOf } from '../../../host/http/reply.ts';
import type { HttpAccess, HttpRequest } from '../../../host/http/surface.ts';
import type { Caller } from '../caller.ts';
import type { FileToGive } from '../driver/hooks.ts';
import { fileOf } from '../methods.ts';
import type { Params } from '../web-page/act-request.ts';
import type { BrowserCall } from '../routes/route.ts';

export interface ControlDeps {
  readonly port: number;
  readonly access: HttpAccess;
  readonly log: Log;
  readonly files: string;
  call(call: BrowserCall, by: { readonly caller: Caller; readonly signal: AbortSignal }): Promise<Params>;
}

const MAX_BODY = 40 * 1024 * 1024;

/** Rejects with `AppError('conflict')` if the port is in use. */
export const startControlServer = ({ port, access, log, files, call }: ControlDeps): Promise<LoopbackServer> =>
  listenOnLoopback(port, {
    async handle(request) {
      access.authorize(request, 'operator.admin');
      const { body, uploads } = await bodyOf(request);
      const query = Object.fromEntries(new URLSearchParams(request.query));
      const { method, path } = request;
      const caller = { kind: 'operator', files } as const;
      const answer = await call({ method, path, query, body, files: uploads }, { caller, signal: request.signal });
      sendJson(request.res, 200, answer);
    },
    failed(request, thrown) {
      const error = asAppError(thrown);
      if (error.code === 'internal') log.error('browser.control', { path: request.path, error });
      if (request.res.headersSent || request.res.destroyed) return void request.res.destroy();
      const reason = error.details?.['reason'];
      const code = typeof reason === 'string' ? reason : error.code;
      const message = error.code === 'internal' ? 'A fault of ours; the log of the gateway says more.' : error.message;
      sendJson(request.res, statusOf(error), { error: message, code });
    },
  });

async function bodyOf(
  request: HttpRequest,
): Promise<{ readonly body: Params; readonly uploads: readonly FileToGive[] }> {
  if (request.method === 'GET' || !hasBody(request)) return { body: {}, uploads: [] };
  const read = await readJson(request, MAX_BODY);
  const body = typeof read === 'object' && read !== null && !Array.isArray(read) ? (read as Params) : {};
  const { files, ...rest } = body;
  return { body: rest, uploads: Array.isArray(files) ? files.flatMap(fileOf) : [] };
}

const hasBody = ({ headers }: HttpRequest): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
