/**
 * Notifications for answers and for commands that need approval, while the page is not visible. The page creates them
 * itself as long as it runs; no push service is used.
 */
import { cut } from '../../../src/core/cut.ts';
import type { App } from '../app.ts';
import { titleOf } from '../gateway/sessions.ts';
import type { ApprovalRequested, ChatEvent } from '../gateway/wire.ts';

/** `names`: without the text of answers and commands, for screens that other people can see. */
export type AlertChoice = 'off' | 'names' | 'words';

const CHOICE = 'clawdbot.alerts';
const MAX_CHARS = 180;
/** One line of printable ASCII, so that nothing is hidden, reordered or ambiguous. */
const WHOLE = /^[\x20-\x7e]{1,180}$/;

const held: { registration?: ServiceWorkerRegistration } = {};

export const canAlert = (): boolean => 'Notification' in globalThis && held.registration !== undefined;

export function alertChoice(): AlertChoice {
  if (!canAlert() || Notification.permission !== 'granted') return 'off';
  const chosen = localStorage.getItem(CHOICE);
  return chosen === 'words' || chosen === 'names' ? chosen : 'off';
}

/** Requests the permission the first time; returns the setting that applies. */
export async function chooseAlerts(choice: AlertChoice): Promise<AlertChoice> {
  localStorage.setItem(CHOICE, choice);
  if (choice !== 'off' && Notification.permission === 'default') await Notification.requestPermission();
  return alertChoice();
}

export function startAlerts(app: App, registration: ServiceWorkerRegistration): void {
  held.registration = registration;
  app.on(({ event, payload }) => {
    if (event === 'chat') answered(app, payload as ChatEvent);
    else if (event === 'exec.approval.requested') onRequested(payload as ApprovalRequested);
    else if (event === 'exec.approval.resolved') void gone(`approval:${(payload as { readonly id: string }).id}`);
  });
  document.addEventListener('visibilitychange', () => {
    if (!document.hidden) void gone(`chat:${app.chat.store.get().current}`);
  });
}

function answered(app: App, { state, sessionKey, ...rest }: ChatEvent): void {
  if (state !== 'final' || !document.hidden) return;
  const { message } = rest as { readonly message?: { readonly content?: unknown } };
  const words = textIn(message?.content);
  if (!words) return;
  show({
    title: titleOf(app.sessions.rowOf(sessionKey)),
    body: words,
    plain: 'A new answer.',
    tag: `chat:${sessionKey}`,
    data: { session: sessionKey },
    actions: [{ action: 'open', title: 'Open' }],
  });
}

function onRequested({ id, request }: ApprovalRequested): void {
  if (!document.hidden) return;
  show({
    title: 'A command needs your approval',
    body: request.command,
    plain: 'Open Clawdbot to see it.',
    tag: `approval:${id}`,
    data: { approval: id, session: request.sessionKey },
    actions: answersTo(request.command, alertChoice()),
  });
}

/** A command can be allowed from a notification only if all of it is visible there. Pure. */
export const answersTo = (command: string, choice: AlertChoice): Alert['actions'] => [
  choice === 'words' && WHOLE.test(command)
    ? { action: 'allow-once', title: 'Allow once' }
    : { action: 'review', title: 'Review' },
  { action: 'deny', title: 'Deny' },
];

interface Alert {
  readonly title: string;
  readonly body: string;
  readonly plain: string;
  readonly tag: string;
  readonly data: object;
  readonly actions: readonly { readonly action: string; readonly title: string }[];
}

function show({ title, body, plain, ...alert }: Alert): void {
  const choice = alertChoice();
  if (choice === 'off' || !held.registration) return;
  const options = {
    ...alert,
    body: choice === 'words' ? shortened(body) : plain,
    icon: './icon-192.png',
    badge: './icon-192.png',
    lang: 'en',
  };
  void held.registration
    .showNotification(choice === 'words' ? title : 'Clawdbot', options as NotificationOptions)
    .catch((cause: unknown) => console.info('No notification.', cause));
}

async function gone(tag: string): Promise<void> {
  for (const shown of (await held.registration?.getNotifications({ tag })) ?? []) shown.close();
}

const shortened = (text: string): string => cut(text, MAX_CHARS).toWellFormed();

const textIn = (content: unknown): string =>
  Array.isArray(content)
    ? content
        .map((block: { readonly type?: unknown; readonly text?: unknown }) =>
          block?.type === 'text' && typeof block.text === 'string' ? block.text : '',
        )
        .join('')
        .trim()
    : '';
