/** Request parsing and responses of the fake Telegram. */
import type { IncomingMessage, ServerResponse } from 'node:http';

export const bad = (description: string, error_code = 400): any => ({
  refused: { error_code, description: error_code === 400 ? `Bad Request: ${description}` : description },
});

export function failed(how: string, { response, run }: { response: ServerResponse; run: () => any }): void {
  if (how === 'rate-limit')
    return refuse(response, {
      error_code: 429,
      description: 'Too Many Requests: retry after 1',
      parameters: { retry_after: 1 },
    });
  if (how === 'refused')
    return refuse(response, { error_code: 403, description: 'Forbidden: bot was blocked by the user' });
  if (how === 'server-error') return refuse(response, { error_code: 500, description: 'Internal Server Error' });
  if (how === 'markup')
    return refuse(response, {
      error_code: 400,
      description: "Bad Request: can't parse entities: Unexpected end tag at byte offset 3",
    });
  if (how === 'accepted-timeout') run();
  response.destroy();
}

export const answerWith = (response: ServerResponse, answer: any): void =>
  typeof answer === 'string' ? void response.writeHead(200).end(answer) : refuse(response, answer);

export const refuse = (response: ServerResponse, { error_code, ...rest }: any): void =>
  json(response, error_code, { ok: false, error_code, ...rest });

export function json(response: ServerResponse, status: number, body: object): void {
  if (!response.writableEnded && !response.destroyed)
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

export async function paramsOf(request: IncomingMessage): Promise<any> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  const raw = Buffer.concat(chunks);
  const type = request.headers['content-type'] ?? '';
  if (!type.startsWith('multipart/')) return raw.length > 0 ? JSON.parse(raw.toString()) : {};
  const form = await new Response(raw, { headers: { 'content-type': type } }).formData();
  const fields = Object.fromEntries(
    [...form].filter(([, value]) => typeof value === 'string').map(([key, value]) => [key, looseJson(value as string)]),
  );
  const files = new Map([...form].filter(([, value]) => typeof value !== 'string'));
  return {
    ...fields,
    ...Object.fromEntries(
      Object.entries(fields).flatMap(([key, value]) =>
        typeof value === 'string' && value.startsWith('attach://') ? [[key, files.get(value.slice(9))]] : [],
      ),
    ),
  };
}

export function looseJson(text: string): unknown {
  return /^[{[]|^(?:true|false)$/.test(text) ? JSON.parse(text) : text;
}
