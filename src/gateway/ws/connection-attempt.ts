/** A socket before it is admitted: challenge, timeout, low message size limit, and `connect` as the first request. */
import type { WebSocket } from 'ws';
import { asAppError } from '../../core/errors.ts';
import type { Log } from '../../core/log.ts';
import type { Clock } from '../../platform/clock.ts';
import { invalidRequest, toWireError, type WireError } from '../../protocol/errors.ts';
import { readRequest } from '../../protocol/frames.ts';
import type { WireLimits } from '../../protocol/limits.ts';
import type { Caller } from './caller.ts';
import { closeSocket } from './connection.ts';
import type { Admission } from './handshake.ts';

export interface ConnectionAttempt {
  readonly socket: WebSocket;
  readonly caller: Caller;
  readonly limits: WireLimits;
  readonly clock: Clock;
  readonly log: Log;
  admit(params: unknown): Promise<Admission>;
  /**
   * `backlog`: frames the client sent without waiting for the answer. The `connect` request is still to be answered.
   */
  admitted(admission: Extract<Admission, { ok: true }>, requestId: string, backlog: readonly string[]): void;
}

/** Returns the function that ends the wait: call it when the socket closes. */
export function answerConnection({
  socket,
  caller,
  limits,
  clock,
  log,
  admit,
  admitted,
}: ConnectionAttempt): () => void {
  const backlog: string[] = [];
  let busy = false;
  let bytes = 0;
  const wire = caller.request.socket;
  const timer = clock.setTimeout(() => close(1008, 'handshake timeout'), limits.handshakeTimeoutMs).unref();

  // Counted on the wire, so that one huge frame is refused before it has been collected.
  function meter(chunk: Buffer): void {
    bytes += chunk.length;
    if (bytes <= limits.maxPayloadBeforeConnect) return;
    done();
    closeSocket(socket, { code: 1009, reason: 'too much data before connect', clock });
    wire.pause();
  }
  wire.on('data', meter);

  function done(): void {
    timer.cancel();
    wire.off('data', meter);
    socket.off('message', onMessage);
  }

  function close(code: number, reason: string): void {
    done();
    log.info('gateway.refused', { connId: caller.connId, ip: caller.address.ip, reason });
    closeSocket(socket, { code, reason, clock });
  }

  function refuse(id: string, error: WireError, { code, reason }: { code: number; reason: string }): void {
    socket.send(JSON.stringify({ type: 'res', id, ok: false, error }));
    close(code, reason);
  }

  function onMessage(data: unknown, isBinary: boolean): void {
    const text = isBinary ? undefined : String(data);
    if (busy) return void (text !== undefined && backlog.push(text));
    const request = text === undefined ? undefined : readRequest(text);
    if (!request?.ok) return close(1008, 'invalid request frame');
    if (request.frame.method !== 'connect') {
      const reason = 'invalid handshake: first request must be connect';
      return refuse(request.frame.id, invalidRequest(reason), { code: 1008, reason });
    }
    busy = true;
    void decide(request.frame.id, request.frame.params);
  }

  async function decide(id: string, params: unknown): Promise<void> {
    const admission = await admit(params).catch((error: unknown): Admission => {
      const fault = asAppError(error);
      log.error('gateway.handshake', { connId: caller.connId, error: fault.message });
      return { ok: false, error: toWireError(fault), close: { code: 1011, reason: 'handshake failed' } };
    });
    if (socket.readyState !== socket.OPEN) return;
    if (!admission.ok) return refuse(id, admission.error, admission.close);
    done();
    admitted(admission, id, backlog);
  }

  socket.on('message', onMessage);
  socket.send(JSON.stringify({ type: 'event', event: 'connect.challenge', payload: caller.challenge }));
  return done;
}
