/** `channels login`: links an account by a QR code or a code on the phone; for other channels says where secrets go. */
import type { ChannelPlugin } from '../../core/channel.ts';
import { present } from '../../core/present.ts';
import { OWN_COMMAND } from '../../platform/own-command.ts';
import { qrLines } from '../../platform/qr-code.ts';
import { placesFor } from '../../plugins/channel-credentials.ts';
import type { LoginResult } from '../../protocol/answers/channels.ts';
import { openRegistry, pickChannel } from '../channel-registry.ts';
import type { Call } from '../command.ts';
import { createSpinner } from '../spinner.ts';
import { whichOf } from './channels.ts';

const START_MS = 60_000;
const WAIT_MS = 60_000;
/** Longer than the gateway waits. */
const SLACK_MS = 15_000;

export async function channelsLogin(call: Call): Promise<number> {
  const { io, flags } = call;
  await using registry = await openRegistry(io.env());
  const plugin = pickChannel(flags.text('channel')!, registry.channels);
  if (plugin.login) return linkAccount(call);
  io.out(secretsOf(plugin, flags.text('account') ?? 'default'));
  return 0;
}

async function linkAccount(call: Call): Promise<number> {
  const { io, flags } = call;
  const client = await call.gateway();
  using spinner = createSpinner(io);
  spinner.say('connecting');
  const phone = flags.text('phone');
  const force = flags.has('force') ? true : undefined;
  const method = phone === undefined ? undefined : 'code';
  const request = { ...whichOf(call), ...present({ phone, method, force }), timeoutMs: START_MS };
  let now = await client.request<LoginResult>('web.login.start', request, { timeoutMs: START_MS + SLACK_MS });
  spinner.rest();
  if (now.state === 'waiting') now.steps.forEach((step, at) => io.out(`${at + 1}. ${step}`));
  let shown = 0;
  while (now.state === 'waiting') {
    if (now.nth !== undefined && now.nth > shown) io.out(await picture(now));
    shown = now.nth ?? shown;
    spinner.say('waiting for the phone');
    const { channel, accountId } = now;
    now = await client.request<LoginResult>(
      'web.login.wait',
      { channel, accountId, after: shown, timeoutMs: WAIT_MS },
      { timeoutMs: WAIT_MS + SLACK_MS },
    );
    spinner.rest();
  }
  if (now.state !== 'linked') {
    io.err(now.message);
    return 1;
  }
  io.out(now.message);
  return 0;
}

async function picture({ qr, code, message }: LoginResult): Promise<string> {
  if (qr !== undefined) return `\n${await qrLines(qr)}\n${message}`;
  return code === undefined ? message : `\n  Code: ${code}\n\n${message}`;
}

function secretsOf(plugin: ChannelPlugin, accountId: string): string {
  const places = (plugin.credentials ?? []).map(
    (credential) =>
      `${credential.label}: ` +
      `${placesFor(credential, { accountId, settingsPath: `channels.${plugin.id}` }).join(', or ')}`,
  );
  return [
    `${plugin.label} has no login command. ${places.length === 0 ? 'It needs no secret.' : 'It uses:'}`,
    ...places.map((line) => `  ${line}`),
    `\`${OWN_COMMAND} channels add --channel ${plugin.id}\` writes it.`,
  ].join('\n');
}
