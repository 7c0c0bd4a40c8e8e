/** Serves `POST /tools/invoke`: one tool call without a model, under the tool policy of the named session. */
import type { HttpRequest } from '../../host/http/surface.ts';
import { z } from 'zod';
import { AppError } from '../../core/errors.ts';
import { describeProblem, sessionKey, text } from '../../protocol/fields.ts';
import type { GatewayServices } from '../services.ts';
import type { Access } from './access.ts';
import { readJson } from '../../host/http/body.ts';
import { sendJson, TOOLS_INVOKE_PATH } from '../../host/http/reply.ts';
import { productHeader } from '../../host/http/product-header.ts';
import type { Router } from './router.ts';

const BODY_LIMIT = 2 * 1024 * 1024;

const body = z.object({
  tool: text.max(64),
  /** Becomes the argument `action` of tools that have one. */
  action: text.optional(),
  args: z.record(z.string(), z.unknown()).default({}),
  sessionKey: sessionKey.optional(),
  /** Checks policy and arguments and runs nothing. */
  dryRun: z.boolean().optional(),
});

export interface ToolsInvokeDeps {
  readonly services: GatewayServices;
  readonly access: Access;
}

export function mountToolsInvoke(router: Router, deps: ToolsInvokeDeps): void {
  router.at(TOOLS_INVOKE_PATH, { POST: (request) => invoke(request, deps) });
}

/** The answer is 200 also when the tool failed: its result says so (`isError`). */
async function invoke(request: HttpRequest, { services, access }: ToolsInvokeDeps): Promise<void> {
  const principal = access.authorize(request, 'operator.admin');
  const parsed = body.safeParse(await readJson(request, BODY_LIMIT));
  if (!parsed.success) throw new AppError('invalid', describeProblem(parsed.error));
  const header = (name: string): string | undefined => productHeader(request.headers, name);
  const result = await services.tools.invoke({
    ...parsed.data,
    channel: header('message-channel'),
    accountId: header('account-id'),
    agentId: header('agent-id'),
    principal,
    signal: request.signal,
  });
  sendJson(request.res, 200, { ok: true, result });
}
