/** Gateway methods of the browser tool. Loaded by the first call. */
import { join } from 'node:path';
import type { RecordAccess } from '../../../core/may.ts';
import type { Turn } from '../../../core/turn.ts';
import type { ToolMethods } from '../../../host/feature.ts';
import type { Host } from '../../../host/host.ts';
import type { BrowserConfig } from '../config.ts';
import type { Browser } from '../create-browser.ts';
import { createNodeBrowser } from './node-browser.ts';
import { wrapped } from './untrusted-content.ts';
import { runTool, type ToolRequest } from './run-tool.ts';
import { visionPlan } from './vision.ts';

export interface ToolMethodsDeps {
  readonly host: Host;
  readonly browser: Browser;
  readonly turn: Turn;
  readonly keep: RecordAccess | undefined;
  config(): BrowserConfig;
}

export function createToolMethods({ host, browser, turn, keep, config }: ToolMethodsDeps): ToolMethods {
  const { agentId, sessionKey } = turn.route;
  return {
    async 'browser.run'(request: ToolRequest) {
      const place = host.agents.place({ agentId, sessionKey });
      // A direct call may name a session that does not exist yet; its tabs belong to that future session.
      const { sessionId } = (await host.sessions.get(sessionKey)) ?? (await host.sessions.patch(sessionKey, {}));
      const files = join(place.workspace, 'media', 'browser');
      const caller = { kind: 'session', agentId, sessionKey, sessionId, files } as const;
      const commands = host.gateway.nodeCommands;
      return runTool(request, {
        config,
        caller,
        node: createNodeBrowser({ turn, keep, caller, commands, config }),
        sandbox: place.sandbox,
        maxSide: () => host.config.current().agents.defaults.imageMaxDimensionPx,
        shown: (path) => (path.startsWith(place.workspace) ? place.shownAs + path.slice(place.workspace.length) : path),
        call: browser.call,
        elsewhere: browser.elsewhere,
      });
    },
    /** The description of a picture by a vision model. */
    'browser.wrap': async ({ text }: { readonly text: string }) => ({ text: wrapped(text, { warning: false }) }),
    'browser.vision': async () => visionPlan(host.config.current(), config()),
  };
}
