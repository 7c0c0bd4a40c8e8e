/** Serves `web.login.*`: logins confirmed on another device, for channels that offer them. */
import { present } from '../../core/present.ts';
import type { LoginView } from '../../host/channel-services.ts';
import { qrPicture } from '../../platform/qr-code.ts';
import type { LoginResult } from '../../protocol/answers/channels.ts';
import { loginCancelParams, loginStartParams, loginWaitParams } from '../../protocol/system.ts';
import { method, type Methods } from './method.ts';

const START_MS = 30_000;
const WAIT_MS = 120_000;
const MAX_MS = 5 * 60_000;

export const loginMethods: Methods = {
  'web.login.start': method({
    summary:
      'Begins a login that a person confirms on another device, e.g. by scanning a QR code; the account is ' +
      'disconnected meanwhile.',
    needs: 'operator.admin',
    params: loginStartParams,
    run: async ({ timeoutMs = START_MS, channel, accountId, method: how, phone, force }, { services }) =>
      answer(
        await services.channels.login({ channel, accountId, method: how, phone, force }, Math.min(timeoutMs, MAX_MS)),
      ),
  }),

  'web.login.wait': method({
    summary: 'Waits until a login is over, or, with `after`, until there is a new QR code.',
    needs: 'operator.admin',
    params: loginWaitParams,
    run: async ({ timeoutMs = WAIT_MS, after, ...account }, { services }) =>
      answer(await services.channels.loginWait(account, { after, timeoutMs: Math.min(timeoutMs, MAX_MS) })),
  }),

  'web.login.cancel': method({
    summary: 'Cancels a login; the account connects as before.',
    needs: 'operator.admin',
    params: loginCancelParams,
    run: async (account, { services }) => answer(await services.channels.loginCancel(account)),
  }),
};

async function answer({ prompt, nth, steps, ...view }: LoginView): Promise<LoginResult> {
  const shown =
    prompt?.kind === 'qr'
      ? { qr: prompt.text, qrDataUrl: await qrPicture(prompt.text) }
      : present({ code: prompt?.text });
  return { ...view, steps: [...steps], ...shown, ...present({ expiresAt: prompt?.expiresAt, nth }) };
}
