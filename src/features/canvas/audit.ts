/** Audit rules of the canvas: who can access it, and whether its settings have an effect. */
import type { Rule } from '../../cli/security/finding.ts';
import type { CanvasConfig } from './config.ts';

const canvasOf = (config: unknown): CanvasConfig => (config as { readonly canvasHost: CanvasConfig }).canvasHost;

const network: Rule = ({ config }) => {
  const { enabled, port, bind } = canvasOf(config);
  return enabled && port !== undefined && bind === 'lan'
    ? [
        {
          level: 'info',
          path: 'canvasHost.bind',
          problem: 'Other machines can reach the port of the canvas; an address with a valid token opens its document.',
          fix: 'Set canvasHost.bind to "loopback" if only this machine shows documents.',
        },
      ]
    : [];
};

const trusted: Rule = ({ config }) => {
  const { enabled, port } = canvasOf(config);
  return enabled && port === undefined && config.gateway.controlUi.embedSandbox === 'trusted'
    ? [
        {
          level: 'info',
          path: 'gateway.controlUi.embedSandbox',
          problem:
            '"trusted" has no effect on the port of the gateway: there documents get no origin, to protect the Control UI.',
          fix: 'Set canvasHost.port, e.g. to 18793, or embedSandbox to "scripts".',
        },
      ]
    : [];
};

export const rules: readonly Rule[] = [network, trusted];
