/** Finds the proxy for a target: from the configuration, else from the environment. */
import { AppError } from '../../../core/errors.ts';
import { isInRange, parseAddress, parseRange } from '../guard/address.ts';

/** The proxy's URL for one target; undefined to connect directly. */
export type Upstream = (target: {
  readonly protocol: string;
  readonly hostname: string;
  readonly port: number;
}) => string | undefined;

const PROTOCOLS: readonly string[] = ['http:', 'https:', 'socks5:', 'socks5h:'];

/** `configured` is `security.fetch.proxy`; `vars` the environment. NO_PROXY holds for both. */
export function userProxy({
  configured,
  vars,
}: {
  readonly configured?: string | undefined;
  readonly vars: Readonly<Record<string, string>>;
}): Upstream {
  const variable = (name: string): string | undefined => vars[name.toLowerCase()] || vars[name] || undefined;
  const exceptions = (variable('NO_PROXY') ?? '').split(/[\s,]+/).filter(Boolean);
  return ({ protocol, hostname, port }) => {
    if (exceptions.some((exception) => matches(exception, hostname, port))) return undefined;
    return configured ?? variable(protocol === 'https:' ? 'HTTPS_PROXY' : 'HTTP_PROXY') ?? variable('ALL_PROXY');
  };
}

/**
 * A proxy's address as people write it: `proxy:3128` means `http://proxy:3128`. Throws `AppError('invalid')`, without
 * the text, which may hold a password.
 */
export function readProxyUrl(text: string): URL {
  const url = URL.parse(text.includes('://') ? text : `http://${text}`);
  if (!url || !PROTOCOLS.includes(url.protocol) || !url.hostname)
    throw new AppError(
      'invalid',
      'The proxy of `security.fetch.proxy` or HTTP_PROXY, HTTPS_PROXY, ALL_PROXY cannot be used: write ' +
        'http://, https://, socks5:// or socks5h:// with a host and a port.',
    );
  return url;
}

/**
 * `*`, `example.com` with everything below it, `.example.com`, `*.example.com`, an address, a range; each with an
 * optional port.
 */
function matches(exception: string, hostname: string, port: number): boolean {
  if (exception === '*') return true;
  const host = hostname.replace(/^\[|\]$/g, '').toLowerCase();
  const address = parseAddress(host);
  const range = parseRange(exception);
  if (range) return address !== undefined && isInRange(address, range);
  const [, name = '', onlyPort] = /^(.*?)(?::(\d+))?$/.exec(exception.toLowerCase()) ?? [];
  if (onlyPort !== undefined && !parseAddress(exception) && Number(onlyPort) !== port) return false;
  const plain = (parseAddress(exception) ? exception : name).replace(/^\*?\./, '').replace(/^\[|\]$/g, '');
  return host === plain || (!address && host.endsWith(`.${plain}`));
}
