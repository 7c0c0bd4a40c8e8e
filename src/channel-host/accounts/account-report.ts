/** Builds the status of channels and accounts from configuration, facts and problems, for status and health. */
import { offeredActions } from '../../core/channel-actions.ts';
import { settingsOf } from '../../config/channel-config.ts';
import { lintNames } from '../../config/lint-names.ts';
import type { ChannelPlugin, ChannelProblem } from '../../core/channel.ts';
import { asAppError } from '../../core/errors.ts';
import { present } from '../../core/present.ts';
import type { AccountStatus, ChannelMeta } from '../../host/channel-services.ts';
import { accountsOf, type AccountPlan, type Channels, type ChannelSources } from '../../plugins/channel-accounts.ts';
import { checkAccount } from '../../plugins/channel-check.ts';
import { sourcesOf } from '../../plugins/channel-credentials.ts';
import type { AccountState } from './account-state.ts';

export interface EvaluatedPlan {
  readonly plan: AccountPlan;
  readonly problems: readonly ChannelProblem[];
  /** Its settings make sense. */
  readonly valid: boolean;
}

/** Looks at the settings of one account, before anything connects. */
export function evaluate(plan: AccountPlan, channels: Channels): EvaluatedPlan {
  const { errors } = checkAccount(plan, channels);
  const wrong = errors.map(
    ({ path, problem, fix }): ChannelProblem => present({ kind: 'config', message: `${path} ${problem}.`, fix }),
  );
  return {
    plan,
    valid: errors.length === 0,
    problems: [...wrong, ...plan.missing, ...reviewOf(plan), ...namesIn(plan)],
  };
}

const namesIn = ({ plugin, raw, settingsPath }: AccountPlan): readonly ChannelProblem[] =>
  lintNames(raw, plugin, settingsPath).map(({ path, problem, fix }) => ({
    kind: 'security',
    message: `${path} ${problem}.`,
    fix,
  }));

/** A plugin's own look must not cost the others their start. */
function reviewOf({ plugin, raw }: AccountPlan): readonly ChannelProblem[] {
  const parsed = plugin.config.safeParse(raw);
  try {
    return parsed.success ? (plugin.review?.(parsed.data) ?? []) : [];
  } catch (error) {
    return [
      { kind: 'runtime', message: `${plugin.label} could not review its settings: ${asAppError(error).message}` },
    ];
  }
}

export const mayRun = ({ plan, valid }: EvaluatedPlan): boolean => plan.enabled && plan.configured && valid;

export function accountStatus(
  evaluated: EvaluatedPlan,
  state: AccountState | undefined,
  channels: Channels,
): AccountStatus {
  const { plan, problems, valid } = evaluated;
  const { name, dmPolicy, groupPolicy } = settingsOf(channels, plan.plugin.id, plan.accountId);
  const seen = state?.view() ?? { running: false, problems: [] };
  const idle = seen.running ? {} : { lastError: idleReason(plan, valid) };
  return {
    accountId: plan.accountId,
    enabled: plan.enabled,
    configured: plan.configured,
    dmPolicy,
    groupPolicy,
    ...present({ name }),
    credentialSources: sourcesOf(plan.place),
    ...seen,
    ...idle,
    problems: [...problems, ...seen.problems],
  };
}

function idleReason({ enabled, configured }: AccountPlan, valid: boolean): string {
  if (!enabled) return 'disabled';
  if (!configured) return 'not configured';
  return valid ? 'stopped' : 'its settings are invalid';
}

export function channelMeta(plugin: ChannelPlugin, sources: ChannelSources): ChannelMeta {
  const {
    id,
    label,
    blurb,
    aliases = [],
    capabilities,
    targetHint,
    credentials = [],
    setup = [],
    senderIdLabel,
    login,
  } = plugin;
  const gates = settingsOf(sources.channels, id, 'default').actions;
  return {
    id,
    label,
    aliases,
    chats: capabilities.chats,
    ...present({
      blurb,
      targetHint,
      senderIdLabel,
      login: login && { methods: login.methods, steps: login.steps },
    }),
    configured: accountsOf(plugin, sources).some((plan) => plan.enabled && plan.configured),
    actions: offeredActions(plugin, gates).map(({ name, summary, enabled }) => ({ name, summary, enabled })),
    credentials: credentials.map(({ key, label: what, fileKey, env, needed }) => ({
      key,
      label: what,
      needed: needed?.({}) ?? true,
      ...present({ fileKey, env }),
    })),
    setup: setup.map(({ key, label: what, list }) => ({ key, label: what, list: list ?? false })),
  };
}
