/** The parameters of every tool that calls a gateway: its address, token and timeout. */
import { z } from 'zod';
import { present } from '../core/present.ts';
import type { GatewayAt, ToolContext } from '../core/tool.ts';

/** Spread into a tool's `input`. */
export const gatewayParameters = {
  gatewayUrl: z
    .string()
    .optional()
    .describe('Another gateway, `ws://127.0.0.1:…` or the configured remote; leave out for this one'),
  gatewayToken: z.string().optional().describe('Its token, with gatewayUrl'),
  timeoutMs: z.number().optional().describe('Milliseconds to wait for it'),
};

/** Which gateway a tool shall ask, as the model wrote it; `timeoutMs` in milliseconds. */
export interface GatewayInput {
  readonly gatewayUrl?: string | undefined;
  readonly gatewayToken?: string | undefined;
  readonly timeoutMs?: number | undefined;
}

/** `ctx.rpc` on the gateway the input names; blank text counts as left out. */
export function rpcOf(
  ctx: Pick<ToolContext, 'rpc'>,
  { gatewayUrl, gatewayToken, timeoutMs }: GatewayInput,
): (method: string, params: unknown) => Promise<unknown> {
  const [url, token] = [gatewayUrl?.trim(), gatewayToken?.trim()];
  const at: GatewayAt = present({ url: url || undefined, token: token || undefined, timeoutMs });
  return (method, params) => ctx.rpc(method, params, at);
}
