/** Describes the status of a channel account in words. Pure. */
import type { ChannelAccount, ChannelOffer, SeenMessage } from '../gateway/wire.ts';
import { ownCommand } from '../elements/own-command.ts';

export interface Standing {
  readonly tone: 'good' | 'warn' | 'bad' | 'quiet';
  readonly words: string;
}

export function standing({
  enabled,
  configured,
  running,
  connected,
  reconnectAttempts = 0,
  problems,
}: ChannelAccount): Standing {
  if (!enabled) return { tone: 'quiet', words: 'disabled' };
  if (!configured) return { tone: 'warn', words: 'not configured' };
  if (connected)
    return problems.some(({ kind }) => kind !== 'security')
      ? { tone: 'warn', words: 'connected, with problems' }
      : { tone: 'good', words: 'connected' };
  if (!running) return { tone: 'bad', words: 'stopped' };
  return reconnectAttempts > 0
    ? {
        tone: 'bad',
        words: `not connected, ${reconnectAttempts === 1 ? '1 attempt' : `${reconnectAttempts} attempts`}`,
      }
    : { tone: 'warn', words: 'connecting' };
}

const SOURCES: Readonly<Record<string, string>> = {
  config: 'in the configuration',
  file: 'in a file',
  env: 'in the environment',
  none: 'missing',
};

/**
 * `bot token in the environment, app token missing`; for a configured account only what it has, because the rest is
 * optional.
 */
export const credentialWords = ({
  configured,
  credentialSources = {},
}: Pick<ChannelAccount, 'configured' | 'credentialSources'>): string =>
  Object.entries(credentialSources)
    .filter(([, source]) => !configured || source !== 'none')
    .map(([key, source]) => `${dashed(key).replaceAll('-', ' ')} ${SOURCES[source] ?? source}`)
    .join(', ');

const POLICIES: Readonly<Record<string, string>> = {
  pairing: 'pairing required',
  allowlist: 'allowlist only',
  open: 'everybody',
  disabled: 'nobody',
};

export const gateWords = ({ dmPolicy, groupPolicy }: Pick<ChannelAccount, 'dmPolicy' | 'groupPolicy'>): string =>
  [
    dmPolicy && `direct: ${POLICIES[dmPolicy] ?? dmPolicy}`,
    groupPolicy && `groups: ${POLICIES[groupPolicy] ?? groupPolicy}`,
  ]
    .filter(Boolean)
    .join(' · ');

/** The account's name or handle on the platform. */
export const selfWords = (self: ChannelAccount['self']): string =>
  self ? [self.name, self.handle && `@${self.handle.replace(/^@/, '')}`].filter(Boolean).join(' · ') || self.id : '';

const STATES: Readonly<Record<SeenMessage['state'], Standing>> = {
  accepted: { tone: 'warn', words: 'in progress' },
  answered: { tone: 'good', words: 'answered' },
  declined: { tone: 'quiet', words: 'ignored' },
  failed: { tone: 'bad', words: 'failed' },
};
export const outcomeOf = ({ state }: SeenMessage): Standing => STATES[state];

/** The reason, and the setting that causes it. */
export function whyOf({ reason, state, steps = [] }: SeenMessage): string {
  const stopped = steps.find(({ ok }) => !ok);
  const why = reason ?? stopped?.detail;
  if (state === 'answered' || !why) return '';
  return stopped?.setting && !why.includes(stopped.setting) ? `${why} (${stopped.setting})` : why;
}

/** The command that sets up a channel. It prompts for secrets, so that none is in the history of the shell. */
export const addLine = ({ id }: Pick<ChannelOffer, 'id'>): string => ownCommand(`channels add --channel ${id}`);

const dashed = (key: string): string => key.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
