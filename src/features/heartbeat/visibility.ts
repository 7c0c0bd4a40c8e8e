/** What is shown of a heartbeat in one chat, from the settings of its account, its channel and the defaults. */
import { visibilitySchema } from '../../config/heartbeat-visibility.ts';

/** All three off: the model is not asked at all. */
export interface Visibility {
  readonly showOk: boolean;
  readonly showAlerts: boolean;
  readonly useIndicator: boolean;
}

type Section = Readonly<Record<string, unknown>>;

const BUILT_IN: Visibility = { showOk: false, showAlerts: true, useIndicator: true };

/** Key by key: the account's before the channel's before `channels.defaults` before the built-in. */
export function heartbeatVisibility(
  channels: Readonly<Record<string, Section | undefined>>,
  { channel, accountId }: { readonly channel: string; readonly accountId: string },
): Visibility {
  const section = channels[channel];
  const accounts = Object.entries((section?.['accounts'] ?? {}) as Readonly<Record<string, Section>>);
  const account = accounts.find(([id]) => id.trim().toLowerCase() === accountId)?.[1];
  const [first, second, third] = [account, section, channels['defaults']].map((one) => written(one?.['heartbeat']));
  return { ...BUILT_IN, ...third, ...second, ...first };
}

/** Sections of channels are checked by their plugins; here only what makes sense counts. */
function written(value: unknown): Partial<Visibility> {
  const read = visibilitySchema.safeParse(value);
  return read.success
    ? (Object.fromEntries(Object.entries(read.data).filter(([, field]) => field !== undefined)) as Partial<Visibility>)
    : {};
}
