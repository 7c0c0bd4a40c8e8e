/** The names of the product's HTTP headers, with the spellings of existing clients. */
import type { IncomingHttpHeaders } from 'node:http';
import { PRODUCT_NAMES } from '../../core/product.ts';

/** A header of ours: `x-clawdbot-<name>`, or a spelling existing clients send (`x-moltbot-`, `x-openclaw-`). */
export function productHeader(headers: IncomingHttpHeaders, name: string): string | undefined {
  const value = PRODUCT_NAMES.map((product) => headers[`x-${product}-${name}`]).find((one) => one !== undefined);
  const text = (Array.isArray(value) ? value[0] : value)?.trim();
  return text || undefined;
}
