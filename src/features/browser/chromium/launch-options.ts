/** Command-line arguments of the browsers that the gateway starts. Pure. */

export interface LaunchOptions {
  readonly port: number;
  readonly userDataDir: string;
  readonly headless: boolean;
  readonly noSandbox: boolean;
  readonly linux: boolean;
  /** The egress proxy for all traffic: `http://127.0.0.1:4711`. */
  readonly proxy: string;
}

export function launchArguments(options: LaunchOptions): readonly string[] {
  const { port, userDataDir, headless, noSandbox, linux, proxy } = options;
  return [
    `--remote-debugging-port=${port}`,
    `--user-data-dir=${userDataDir}`,
    '--no-first-run',
    '--no-default-browser-check',
    '--disable-sync',
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-features=Translate,MediaRouter,OptimizationHints,DialMediaRouteProvider',
    '--disable-session-crashed-bubble',
    '--hide-crash-restore-bubble',
    '--disable-breakpad',
    '--password-store=basic',
    '--use-mock-keychain',
    // Nothing may bypass the proxy: no loopback requests, no DNS queries of the browser, no UDP.
    `--proxy-server=${proxy}`,
    '--proxy-bypass-list=<-loopback>',
    '--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1',
    '--dns-prefetch-disable',
    '--disable-quic',
    '--force-webrtc-ip-handling-policy=disable_non_proxied_udp',
    '--webrtc-ip-handling-policy=disable_non_proxied_udp',
    ...(headless ? ['--headless=new', '--disable-gpu', '--hide-scrollbars', '--mute-audio'] : []),
    ...(noSandbox ? ['--no-sandbox', '--disable-setuid-sandbox'] : []),
    ...(linux ? ['--disable-dev-shm-usage'] : []),
    'about:blank',
  ];
}

/** Whether a browser we start is headless: as configured, otherwise if there is no display. */
export const isHeadless = (
  { headless }: { readonly headless?: boolean | undefined },
  { linux, vars }: { readonly linux: boolean; readonly vars: Readonly<Record<string, string>> },
): boolean => headless ?? (linux && !vars['DISPLAY'] && !vars['WAYLAND_DISPLAY']);
