/** The `gateway` slice of the configuration. */
import { z } from 'zod';
import { DEFAULT_PORT } from '../core/product.ts';

const endpoint = z.object({ enabled: z.boolean().default(true).describe('Serve this endpoint.') }).prefault({});

export const gatewayConfigSchema = z.object({
  port: z.number().int().min(0).max(65535).default(DEFAULT_PORT).describe('Port of HTTP and WebSocket; 0 lets the system choose.'),
}).prefault({});
void endpoint;

export type GatewayConfig = z.output<typeof gatewayConfigSchema>;
