/** The `browser` section of the configuration: which browsers exist, how they start, and what they may access. */
import { z } from 'zod';
import type { ConfigSlice } from '../../host/feature.ts';

/** The default profile. It exists even if the configuration does not contain it. */
export const DEFAULT_PROFILE = 'clawd';
/** Lower-case letters, digits and dashes, 64 at most. */
export const PROFILE_NAME = /^[a-z0-9][a-z0-9-]{0,63}$/;

const color = z
  .string()
  .regex(/^#[0-9a-f]{6}$/i, { error: 'write a colour as #RRGGBB' })
  .describe('Its colour in lists, #RRGGBB.');
const cdpUrl = z
  .url({ protocol: /^(https?|wss?)$/, error: 'write http://, https://, ws:// or wss:// with a host and a port' })
  .describe(
    'A browser that runs already, by its DevTools address. One on another machine is attached to and never ' +
      'started or ended. Secret where it holds a password or a token.',
  );

const profile = z.object({
  cdpPort: z
    .number()
    .int()
    .min(1)
    .max(65_535)
    .optional()
    .describe('The DevTools port on 127.0.0.1. Default: the next free one of 18800 to 18899.'),
  cdpUrl: cdpUrl.optional(),
  color: color.optional(),
  driver: z.string().optional().describe('Accepted; every profile is driven the same way.'),
  shared: z
    .boolean()
    .default(false)
    .describe('Every session sees all tabs of this profile. Default: each session sees those it opened.'),
  attachOnly: z.boolean().optional().describe('Never start a browser for it; attach to the one on its port.'),
});

const ssrfPolicy = z
  .object({
    dangerouslyAllowPrivateNetwork: z
      .boolean()
      .default(false)
      .describe('Pages may reach this machine and every private network. Cloud metadata addresses stay closed.'),
    allowedHostnames: z
      .array(z.string().min(1))
      .default([])
      .describe('Host names that may lead to private addresses, e.g. `localhost` or `*.corp.example`.'),
    allowRanges: z
      .array(z.string().min(1))
      .default([])
      .describe('Private address ranges pages may reach, in CIDR notation, e.g. `10.20.0.0/16`.'),
  })
  .prefault({})
  .describe('What pages may reach besides the public internet. `security.fetch` does not count here.');

const limits = z
  .object({
    tabsPerSession: z.number().int().min(1).max(64).default(8).describe('Tabs one session may have open.'),
    idleMinutes: z.number().min(0).default(60).describe('Minutes after which an unused tab is closed; 0: never.'),
    downloadMaxMb: z.number().min(1).default(100).describe('Megabytes one download may have.'),
  })
  .prefault({})
  .describe('How much a session may keep open.');

const node = z
  .object({
    mode: z
      .enum(['off', 'manual', 'auto'])
      .default('off')
      .describe(
        'Whether agents working for the owner use browsers of paired nodes: never, when a call names target node, or ' +
          'also without it where just one connected node offers its browser. That one has its own guard.',
      ),
    id: z.string().min(1).optional().describe('The node that is used where several offer a browser: its id or name.'),
  })
  .prefault({})
  .describe('Browsers of other machines, through `browser.proxy` of paired nodes.');

export const browserConfigSchema = z
  .object({
    enabled: z.boolean().default(true).describe('Offer the tool browser, and answer its control service.'),
    controlUrl: z
      .url({ protocol: /^https?$/ })
      .optional()
      .describe(
        'Control service of the browser. Default: http://127.0.0.1 at the port of the gateway plus 2, ' +
          'or a free one where that is taken.',
      ),
    controlToken: z
      .string()
      .optional()
      .describe(
        'Token of a control service elsewhere. Default: the token of this gateway, on this machine only. Secret.',
      ),
    defaultProfile: z
      .string()
      .regex(PROFILE_NAME)
      .default(DEFAULT_PROFILE)
      .describe('The profile that is used where none is named.'),
    color: color.default('#FF4500').describe('The colour of the default profile, #RRGGBB.'),
    executablePath: z.string().optional().describe('The browser to start. Default: the first that is found here.'),
    headless: z.boolean().optional().describe('Without a window. Default: true where there is no display.'),
    noSandbox: z
      .boolean()
      .optional()
      .describe("Start without Chromium's own sandbox. Default: only as root on Linux, where it cannot start with it."),
    attachOnly: z.boolean().default(false).describe('Never start a browser; attach to those that run.'),
    evaluateEnabled: z.boolean().default(true).describe('The agent may run JavaScript in pages.'),
    snapshotDefaults: z
      .object({
        mode: z.literal('efficient').optional().describe('Snapshots are short unless more is asked for.'),
      })
      .prefault({})
      .describe('How snapshots are taken where a call does not say.'),
    ssrfPolicy,
    node,
    limits,
    profiles: z
      .record(z.string().regex(PROFILE_NAME), profile)
      .default({})
      .describe('Profiles by name: each a browser of its own, with its own logins.'),
    visionEnabled: z
      .boolean()
      .default(true)
      .describe('Describe screenshots for models that take no pictures, as `tools.media.image` says.'),
    visionPrompt: z.string().optional().describe('What is asked about a screenshot.'),
  })
  .prefault({});

export type BrowserConfig = z.output<typeof browserConfigSchema>;
export type ProfileConfig = z.output<typeof profile>;

export const browserSlices: readonly ConfigSlice[] = [
  { path: 'browser', schema: browserConfigSchema.describe('Browsers that agents drive.') },
];
