/** Handles one request: finds the method, checks scope and parameters, runs it, and responds. */
import { AppError, asAppError } from '../../core/errors.ts';
import { allow, type Requirement } from '../../core/principal.ts';
import { invalidRequest, missingScope, toWireError, type WireError } from '../../protocol/errors.ts';
import { describeProblem } from '../../protocol/fields.ts';
import { readRequest, type RequestFrame } from '../../protocol/frames.ts';
import type { Method, MethodDeps } from '../methods/method.ts';
import type { Connection } from './connection.ts';
import { createHeavyLine } from './heavy-line.ts';

/** Id of the answer to a frame that carried none. */
const NO_ID = 'invalid';

export interface Dispatcher {
  /** Handles one text frame. Never throws, never rejects; returns when the method's first step has run. */
  handle(text: string): void;
}

export function createDispatcher(connection: Connection, deps: MethodDeps, signal: AbortSignal): Dispatcher {
  let inFlight = 0;
  const heavy = createHeavyLine({ connection, clock: deps.clock, signal });

  const fail = (id: string, error: WireError): void => connection.respond(id, { error });

  function handle(text: string): void {
    if (connection.closing) return;
    const request = readRequest(text);
    if (!request.ok) {
      const problem = `invalid request frame: ${request.problem}`;
      fail(request.id ?? NO_ID, invalidRequest(problem));
      // A node whose frames break has lost a result that somebody waits for: that ends with its connection.
      if (connection.peer.role === 'node' && request.id === undefined) connection.close(1008, problem);
      return;
    }
    const { id, method: name } = request.frame;
    if (name === 'connect') return fail(id, invalidRequest('connect is only valid as the first request'));
    const method = deps.table.find(name);
    if (!method) return fail(id, invalidRequest(`unknown method: ${name}`, { code: 'UNKNOWN_METHOD', method: name }));
    if (!allow(connection.peer.principal, method.needs)) return fail(id, notAllowed(connection, method.needs));
    if (inFlight >= deps.limits.maxRequestsInFlight) return fail(id, tooMany(deps.limits.maxRequestsInFlight));
    const params = method.params.safeParse(request.frame.params ?? {});
    if (!params.success) return fail(id, invalidRequest(`invalid ${name} params: ${describeProblem(params.error)}`));
    inFlight += 1;
    const work = (): Promise<() => void> => run(request.frame, method, params.data);
    void (method.heavy ? heavy.run(work) : work().then((answer) => answer())).finally(() => (inFlight -= 1));
  }

  /** The method boundary: one of the four places that catch everything. Resolves with what sends the answer. */
  async function run({ id, method: name }: RequestFrame, method: Method, params: unknown): Promise<() => void> {
    const failed = (error: unknown): void => fail(id, wireErrorOf(name, error, deps));
    const answer = (payload: unknown): void => {
      try {
        connection.respond(id, { payload });
      } catch (error) {
        failed(error);
      }
    };
    try {
      const payload = await method.run(params, {
        ...deps,
        connection,
        client: connection.link,
        principal: connection.peer.principal,
        deviceName: deviceNameOf(connection, deps),
        signal,
        accepted: (first) => connection.respond(id, { payload: first }),
      });
      return () => answer(payload === undefined ? {} : payload);
    } catch (error) {
      return () => failed(error);
    }
  }

  return { handle };
}

const deviceNameOf = ({ peer: { deviceId } }: Connection, { devices }: MethodDeps): string | undefined =>
  deviceId === undefined ? undefined : devices.find(deviceId)?.displayName;

/**
 * An internal error is logged in full, but the client gets a general message, because its text may contain anything.
 */
function wireErrorOf(name: string, thrown: unknown, { services }: MethodDeps): WireError {
  const error = asAppError(thrown);
  if (error.code === 'denied' && error.details?.['code'] === 'MISSING_SCOPE')
    return missingScope(String(error.details['missingScope']));
  if (thrown instanceof AppError && error.code !== 'internal') return toWireError(error);
  services.log.error('gateway.method', {
    method: name,
    error: error.message,
    stack: thrown instanceof Error ? thrown.stack : undefined,
  });
  return toWireError(new AppError('internal', `${name} failed; the gateway's log has the details`));
}

function notAllowed({ peer }: Connection, needs: Requirement): WireError {
  if (peer.role === 'operator' && needs !== 'node' && needs !== 'any') return missingScope(needs);
  return {
    code: 'FORBIDDEN',
    message: `unauthorized role: ${peer.role}`,
    retryable: false,
    details: { code: 'ROLE_NOT_ALLOWED', role: peer.role },
  };
}

const tooMany = (limit: number): WireError => ({
  code: 'UNAVAILABLE',
  message: `this connection has more than ${limit} pending requests`,
  retryable: true,
  retryAfterMs: 1000,
  details: { reason: 'rate_limited' },
});
