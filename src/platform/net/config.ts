/** The `security.fetch` settings: exceptions from the rule that private addresses are never contacted. */
import { isIPv4, isIPv6 } from 'node:net';
import { z } from 'zod';

/** Ranges wider than these are no exception any more. */
const WIDEST = { ipv4: 8, ipv6: 7 } as const;

const hostPattern = z
  .string()
  .min(1)
  .check((context) => {
    const name = context.value.replace(/^\*\./, '');
    const wrong =
      isIPv4(name) || isIPv6(name)
        ? 'is an address; addresses belong in `allowRanges`'
        : /[\s*/:@[\]?#%\\]/.test(name) || name === ''
          ? 'is not a host name; write `wiki.corp.example` or `*.corp.example`'
          : undefined;
    if (wrong) context.issues.push({ code: 'custom', input: context.value, message: `${context.value} ${wrong}` });
  });

const addressRange = z
  .string()
  .min(1)
  .check((context) => {
    const wrong = whyNoRange(context.value);
    if (wrong) context.issues.push({ code: 'custom', input: context.value, message: `${context.value} ${wrong}` });
  });

/** The `security` section of the configuration: which addresses requests of tools may reach. */
export const securityConfigSchema = z
  .object({
    fetch: z
      .object({
        allowHosts: z
          .array(hostPattern)
          .default([])
          .describe('Host names that may resolve to private addresses, e.g. `wiki.corp.example` or `*.corp.example`.'),
        allowRanges: z
          .array(addressRange)
          .default([])
          .describe(
            'Private address ranges that may be fetched from, in CIDR notation, e.g. `10.20.0.0/16`. Cloud ' +
              'metadata addresses stay closed.',
          ),
        fakeIpRange: z
          .enum(['198.18.0.0/15'])
          .optional()
          .describe('Set to `198.18.0.0/15` if a fake-IP proxy resolves every name to such an address.'),
        proxy: z
          .url({ protocol: /^(https?|socks5h?)$/ })
          .optional()
          .describe(
            'Proxy to use for outgoing requests. Absent: HTTP_PROXY, HTTPS_PROXY and ALL_PROXY of the ' +
              'environment. Secret.',
          ),
      })
      .prefault({})
      .describe('Addresses beyond the public internet that links and attachments may be fetched from.'),
  })
  .prefault({});

/** The `security.fetch` section, read. */
export type FetchConfig = z.output<typeof securityConfigSchema>['fetch'];

function whyNoRange(text: string): string | undefined {
  const [, address = '', digits = ''] = /^([^/]+)\/(\d{1,3})$/.exec(text) ?? [];
  const kind = isIPv4(address) ? 'ipv4' : isIPv6(address) && !address.includes('%') ? 'ipv6' : undefined;
  if (!kind || Number(digits) > (kind === 'ipv4' ? 32 : 128))
    return 'is not a range in CIDR notation; write `10.20.0.0/16` or `fd12:3456::/32`';
  return Number(digits) < WIDEST[kind]
    ? `is too wide for an exception; a range has at least /${WIDEST[kind]}`
    : undefined;
}
