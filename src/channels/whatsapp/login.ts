/** Links this account to a phone, and unlinks it. */
import { join } from 'node:path';
import {
  AppError,
  present,
  type ChannelAccount,
  type LoginRequest,
  type LoginShow,
  type LoginState,
} from '../../sdk/index.ts';
import { openBaileys } from './baileys-socket.ts';
import { linkDevice } from './link-device.ts';
import type { WhatsappConfig } from './config.ts';
import { isPhone, parseTarget, personOf } from './ids.ts';
import { loadLibrary } from './library.ts';
import { folderOf, forgetDevice, linkedAs, newDevice, openDevice, replaceDevice } from './linked-device.ts';
import { openSentMessages } from './sent-messages.ts';
import { openSpool } from './spool.ts';

type Account = Pick<ChannelAccount<WhatsappConfig>, 'accountId' | 'config' | 'stateDir' | 'log'>;

const UNLINK_MS = 15_000;
/** How long a code that is typed on the phone is taken. */
const CODE_MS = 3 * 60_000;
const FIRST_PICTURE_MS = 60_000;
const NEXT_PICTURE_MS = 20_000;

export async function loginState({ config, stateDir }: Account): Promise<LoginState> {
  const me = await linkedAs(folderOf(config, stateDir));
  return me ? { linked: true, as: personOf(me.id) ?? me.id } : { linked: false };
}

/** The old login stays until the phone has linked the new one. */
export async function logIn(
  account: Account & { readonly signal: AbortSignal },
  { method, phone }: LoginRequest,
  show: LoginShow,
): Promise<LoginState> {
  const { config, log, signal } = account;
  const library = await loadLibrary(config.library);
  const folder = folderOf(config, account.stateDir);
  const pending = join(folder, 'pending');
  await forgetDevice(pending);
  const device = newDevice(pending, library, log);
  const shown = { pictures: 0 };
  const self = await linkDevice(
    { config, device, log, signal },
    {
      ...present({ phone: method === 'code' ? digitsIn(phone) : undefined }),
      show(prompt) {
        const now = Date.now();
        if ('code' in prompt) show({ kind: 'code', text: grouped(prompt.code), expiresAt: now + CODE_MS });
        else
          show({
            kind: 'qr',
            text: prompt.qr,
            expiresAt: now + (shown.pictures++ === 0 ? FIRST_PICTURE_MS : NEXT_PICTURE_MS),
          });
      },
    },
    library,
  );
  await replaceDevice(folder, pending);
  log.info('whatsapp.linked', { accountId: account.accountId });
  return { linked: true, as: self.id };
}

function digitsIn(phone: string | undefined): string {
  const chat = phone === undefined ? undefined : parseTarget(phone)?.chat;
  if (chat === undefined || !isPhone(chat.id))
    throw new AppError(
      'invalid',
      'A login by code needs the number of the phone with its country code: +491511234567.',
    );
  return chat.id.slice(1);
}

/** As the phone shows the field: two groups of four. */
const grouped = (code: string): string => (code.length === 8 ? `${code.slice(0, 4)}-${code.slice(4)}` : code);

/** Also removes the device on the phone, where WhatsApp can be reached; the files go either way. */
export async function logOut(account: Account): Promise<void> {
  const { config, log } = account;
  const folder = folderOf(config, account.stateDir);
  try {
    await unlink(account, folder);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    log.warn('whatsapp.not-unlinked', { code: error.code, reason: error.message });
  }
  await forgetDevice(folder);
}

async function unlink({ config, log }: Account, folder: string): Promise<void> {
  const library = await loadLibrary(config.library);
  const device = await openDevice(folder, library, log);
  const spool = await openSpool(join(folder, 'inbox'), log);
  await using sent = await openSentMessages(folder, library, log);
  const ignore = (): void => undefined;
  const events = {
    message: ignore, // it stays in the spool
    history: ignore,
    vote: ignore,
    groupChanged: ignore,
    identity: ignore,
    alive: ignore,
  };
  const signal = AbortSignal.timeout(UNLINK_MS);
  try {
    await using socket = await openBaileys({ config, device, log, signal, events }, { library, spool, sent });
    await socket.unlink();
  } finally {
    await device.idle(); // what is written later would bring the login back
  }
}
