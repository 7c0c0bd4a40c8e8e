/** `security.fetch`: the narrow, named exceptions from the rule that nothing private is ever fetched. */
import { z } from 'zod';

export const securityConfigSchema = z.object({
  fetch: z.object({
    allowHosts: z.array(z.string().min(1)).default([]).describe('Host names that may resolve to private addresses, e.g. `wiki.corp.example` or `*.corp.example`.'),
    allowRanges: z.array(z.string().min(1)).default([]).describe('Private address ranges that may be fetched from, in CIDR notation, e.g. `10.20.0.0/16`. Cloud metadata addresses stay closed.'),
    fakeIpRange: z.enum(['198.18.0.0/15']).optional().describe('Set to `198.18.0.0/15` when a fake-IP proxy answers every name with such an address.'),
    proxy: z.url({ protocol: /^(https?|socks5h?)$/ }).optional().describe('The proxy this machine has to use. Absent: HTTP_PROXY, HTTPS_PROXY and ALL_PROXY of the environment. Secret.'),
  }).prefault({}).describe('What may be fetched from links and attachments besides the public internet.'),
}).prefault({});

export type FetchConfig = z.output<typeof securityConfigSchema>['fetch'];
