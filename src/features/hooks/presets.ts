/** The bundled mappings. Pure data. */
import type { HookMapping, HooksConfig } from './config.ts';

/** A mapping, and what its payload is called when it is marked as coming from outside. */
export type KnownMapping = HookMapping & { readonly source: 'Webhook' | 'Email' };

const GMAIL: KnownMapping = {
  id: 'gmail',
  source: 'Email',
  match: { path: 'gmail' },
  action: 'agent',
  wakeMode: 'now',
  name: 'Gmail',
  deliver: true,
  channel: 'last',
  allowUnsafeExternalContent: false,
  sessionKey: 'hook:gmail:{{messages[0].id}}',
  messageTemplate:
    'A mail came in. Tell me in a sentence or two who wrote and what they want.\nFrom: ' +
    '{{messages[0].from}}\nSubject: {{messages[0].subject}}\n{{messages[0].snippet}}\n{{messages[0].body}}',
};

const PRESETS: Readonly<Record<HooksConfig['presets'][number], KnownMapping>> = { gmail: GMAIL };

/** The owner's own first. */
export const mappingsOf = ({
  mappings,
  presets,
}: Pick<HooksConfig, 'mappings' | 'presets'>): readonly KnownMapping[] => [
  ...mappings.map((mapping): KnownMapping => ({ ...mapping, source: 'Webhook' })),
  ...presets.map((name) => PRESETS[name]),
];
