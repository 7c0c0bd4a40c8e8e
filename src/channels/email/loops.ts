/** Mail that no person wrote, or that goes to many: it is never answered, or two programs write for ever. Pure. */
import { domainOf } from './addresses.ts';
import type { MailHeaders } from './headers.ts';

const MACHINES = /^(?:mailer-daemon|postmaster|no-?reply|do-?not-?reply|bounces?|abuse)(?:[+=-].*)?$/;

/** Why a mail is not for the agent; undefined: a person wrote it. */
export function whyAutomatic(from: string, headers: MailHeaders): string | undefined {
  const value = (name: string): string => headers.all(name).join(' ').trim().toLowerCase();
  const submitted = value('auto-submitted');
  if (submitted !== '' && submitted.split(/[;\s]/, 1)[0] !== 'no') return `Auto-Submitted: ${submitted.slice(0, 40)}`;
  const precedence = /\b(?:bulk|list|junk|auto_reply)\b/.exec(value('precedence'))?.[0];
  if (precedence !== undefined) return `Precedence: ${precedence}`;
  const list = ['list-id', 'list-post', 'list-unsubscribe', 'feedback-id'].find((name) => headers.has(name));
  if (list !== undefined) return `it has ${list}`;
  if (['x-autoreply', 'x-autorespond', 'x-auto-response'].some((name) => headers.has(name))) return 'an autoresponder';
  if (/^<\s*>$/.test(value('return-path'))) return 'it has no return path';
  const type = value('content-type');
  if (type.startsWith('multipart/report')) return 'a report of a mail server';
  if (MACHINES.test(from.slice(0, from.length - domainOf(from).length - 1))) return 'its address is that of a program';
  return undefined;
}
