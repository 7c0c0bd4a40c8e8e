/** Sends the REST library's requests over our own connections, so that closing the account closes them. */
import { present } from '../../sdk/index.ts';
import { STATUS_CODES } from 'node:http';
import type { RESTOptions } from '@discordjs/rest';
import { Agent, Headers, request } from 'undici';

export interface Transport extends AsyncDisposable {
  readonly makeRequest: RESTOptions['makeRequest'];
}

export function createTransport(): Transport {
  const agent = new Agent({ keepAliveTimeout: 30_000 });
  return {
    async makeRequest(url, { method, headers, body, signal }) {
      const { bytes, type } = await encoded(body);
      const answer = await request(url, {
        dispatcher: agent,
        method: (method ?? 'GET') as 'GET',
        body: bytes,
        signal: signal ?? null,
        headers: { ...(headers as Record<string, string>), ...present({ 'content-type': type || undefined }) },
      });
      const { body: stream, statusCode: status } = answer;
      return {
        body: stream,
        status,
        statusText: STATUS_CODES[status] ?? '',
        ok: status >= 200 && status < 300,
        headers: new Headers(answer.headers as Record<string, string>) as never,
        get bodyUsed() {
          return stream.bodyUsed;
        },
        arrayBuffer: () => stream.arrayBuffer(),
        json: () => stream.json(),
        text: () => stream.text(),
      };
    },
    [Symbol.asyncDispose]: () => agent.destroy(),
  };
}

/** The library builds forms of Node's own kind, which undici does not know by itself. */
async function encoded(body: unknown): Promise<{ bytes: string | Uint8Array | null; type?: string }> {
  if (body === null || body === undefined || typeof body === 'string') return { bytes: body ?? null };
  const form = new Response(body as FormData);
  return { bytes: new Uint8Array(await form.arrayBuffer()), type: form.headers.get('content-type') ?? '' };
}
