/**
 * Prints the start message. The secret is printed to a terminal only, because logs such as the system journal keep it.
 */
import { PRODUCT_LABEL } from '../core/product.ts';
import type { ConfigStore } from '../config/store.ts';
import { OWN_COMMAND } from '../platform/own-command.ts';

/** What is open now, and how its configuration was read. */
export interface Opened {
  readonly url: string;
  /** The Control UI, with the token in its address where there is one. */
  readonly uiUrl: string;
  readonly config: Pick<ConfigStore<unknown>, 'snapshot'>;
}

export function welcome(
  { url, uiUrl, config }: Opened,
  { stateDir, terminal }: { stateDir: string; terminal: boolean },
): string {
  const snapshot = config.snapshot();
  const lines = [
    `${PRODUCT_LABEL} is ready at ${url}`,
    'Open the web chat: ' +
      `${terminal || uiUrl === url ? uiUrl : `${url} (its address with the token, in a terminal: ${OWN_COMMAND} dashboard)`}`,
  ];
  if (snapshot.safeMode)
    lines.push(
      `SAFE MODE: ${snapshot.path} is invalid, so the gateway runs on defaults. Fix it (${OWN_COMMAND} ` +
        'config validate); the change applies immediately.',
    );
  else if (snapshot.source === 'last-good')
    lines.push(
      `NOTE: ${snapshot.path} is ${snapshot.exists ? 'invalid' : 'gone'}, so the gateway runs on the last ` +
        `good configuration (${OWN_COMMAND} config validate).`,
    );
  for (const issue of snapshot.issues)
    lines.push(`  ${issue.path || '(file)'}: ${issue.problem}${issue.fix ? ` — ${issue.fix}` : ''}`);
  return [...lines, `State: ${stateDir}`].join('\n');
}
