/** Where other devices reach this gateway, as far as its configuration says. Pure. */

/** What decides it. */
export interface Reachable {
  readonly bind: string;
  readonly customBindHost?: string | undefined;
  readonly port: number | undefined;
  /** Web addresses a proxy serves this gateway at. */
  readonly allowedOrigins: readonly string[];
  /** Of this machine in its networks. */
  readonly lan: readonly string[];
  readonly tailnet: string | undefined;
}

/** HTTPS first, because browsers give sensors to nothing else; each ends in `/`. */
export function addressesOf({
  bind,
  customBindHost,
  port,
  allowedOrigins,
  lan,
  tailnet,
}: Reachable): readonly string[] {
  const hosts = bind === 'lan' ? lan : bind === 'tailnet' ? [tailnet] : bind === 'custom' ? [customBindHost] : [];
  const own = hosts.flatMap((host) => (host === undefined || port === undefined ? [] : `http://${host}:${port}`));
  const origins = allowedOrigins.filter((origin) => /^https?:\/\//.test(origin));
  return [...origins, ...own]
    .map((origin) => origin.replace(/(?<!\/)\/+$/, '/').replace(/(?<!\/)$/, '/'))
    .sort((a, b) => Number(b.startsWith('https:')) - Number(a.startsWith('https:')));
}
