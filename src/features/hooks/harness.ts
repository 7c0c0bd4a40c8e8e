/** A gateway on a free port that serves hooks, and calls of them. */
import { request } from 'node:http';
import { startHttpGateway, type HttpGateway, type HttpGatewayOptions } from '../../testing/http-gateway.ts';
import { silentLog } from '../../core/log.ts';
import { mainSessionKey } from '../../core/session-key.ts';
import type { HttpSurface } from '../../host/http/surface.ts';
import { systemClock } from '../../platform/clock.ts';
import { createFakeHooks, type FakeHooks } from './fake.ts';
import feature from './index.ts';
import { hookRoutes } from './mount.ts';

export const TOKEN = 'hook-token-0123456789';

export const NEXT = 'next-token-0123456789';

export interface Place extends HttpGatewayOptions {
  readonly hooks?: object;
}

export type HookGateway = HttpGateway & { readonly hooks: FakeHooks };

export async function start({ hooks: settings = {}, ...options }: Place = {}): Promise<HookGateway> {
  const hooks = createFakeHooks({ enabled: true, token: TOKEN, ...settings });
  const { stateDir = '/nonexistent/clawdbot-fake' } = options;
  const http = ({ programs }: HttpSurface) =>
    hookRoutes({
      hooks,
      programs,
      defaultAgentId: () => 'main',
      mainKey: (agentId = 'main') => mainSessionKey(agentId),
      log: silentLog,
      clock: systemClock,
      stateDir,
    });
  const gateway = await startHttpGateway({ ...options, features: [{ feature, parts: { http } }] });
  return Object.assign(gateway, { hooks });
}

export const send = (
  gateway: HookGateway,
  path: string,
  body: unknown,
  headers: Record<string, string> = {},
): Promise<Response> =>
  gateway.fetch(path, {
    method: 'POST',
    headers: { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });

/** With any Host; fetch sets its own. */
export const raw = (
  gateway: HookGateway,
  path: string,
  headers: Record<string, string>,
  body = '{"text":"x"}',
): Promise<number> =>
  new Promise((resolve, reject) => {
    request({ host: '127.0.0.1', port: gateway.port, path, method: 'POST', headers }, (answer) =>
      resolve(answer.resume().statusCode!),
    )
      .on('error', reject)
      .end(body);
  });

export const bearer = { authorization: `Bearer ${TOKEN}` };

export const errorOf = async (answer: Response): Promise<string> => ((await answer.json()) as { error: string }).error;
