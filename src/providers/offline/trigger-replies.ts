/**
 * What the concierge does when no person wrote: a job is due, it is to look around, something happened, another session
 * speaks. Pure.
 */
import { briefly, inert, quote } from './quoting.ts';
import type { View } from './view.ts';

/** `say`: that and nothing else. `ask`: as if the person had said it, where a phrase fits; else `otherwise`. */
export type TriggerReply = { readonly say: string } | { readonly ask: string; readonly otherwise: string };

type Seen = Pick<View, 'raw' | 'unanswered'>;

/** Undefined: a person wrote. */
export const triggerReplyOf = (seen: Seen): TriggerReply | undefined =>
  jobDue(seen.raw) ?? anotherSession(seen.raw) ?? hookCalled(seen.raw) ?? happened(seen) ?? heartbeatReply(seen);

const CLOCK_LINE = /(?<!\n)\n+Current time: [^\n]{1,120}(?<!\s)\s*$/;

/** `[cron:<id> <name>] <message>` and the time. */
function jobDue(raw: string): TriggerReply | undefined {
  const [, message = ''] = /^\[cron:\S+ [^\]\n]*\] ([\s\S]*)$/.exec(raw) ?? [];
  const text = message.replace(CLOCK_LINE, '').trim();
  if (message === '') return undefined;
  const reminder = /^Reminder:\s*(\S[\s\S]*)$/.exec(text)?.[1];
  if (reminder !== undefined) return { say: `⏰ ${inert(reminder)}` };
  const words = /^say(?:\s*:)?\s+(\S[\s\S]*)$/i.exec(text)?.[1];
  return words === undefined ? { ask: text, otherwise: `⏰ ${briefly(text, 1000)}` } : { say: inert(unmarked(words)) };
}

const unmarked = (text: string): string => text.replace(/^(["'])([\s\S]*)\1$/, '$2');

/** It answers once and leaves it at that: two programs that are polite to each other never end. */
function anotherSession(raw: string): TriggerReply | undefined {
  if (raw.startsWith('Agent-to-agent announce step.')) return { say: 'ANNOUNCE_SKIP' };
  if (/^Reply from the session \S/.test(raw)) return { say: 'REPLY_SKIP' };
  if (!/^Message from another session, \S/.test(raw)) return undefined;
  const said = marked(raw);
  return {
    say:
      `Thank you, your message has arrived${said ? `: "${briefly(said)}"` : ''}. I am the offline concierge ` +
      'and can only take note of it; a person will see it here.',
  };
}

/** `[hook <name>] …`: the owner's own words may ask for something, what comes from outside may not. */
function hookCalled(raw: string): TriggerReply | undefined {
  const [, name = '', message = ''] = /^\[hook ([^\]\n]{1,200})\] ([\s\S]*)$/.exec(raw) ?? [];
  if (message === '') return undefined;
  const outside = marked(message);
  return outside === undefined
    ? { ask: message.trim(), otherwise: `📨 ${briefly(name)}: ${briefly(message, 1000)}` }
    : { say: `📨 ${briefly(name)}: ${briefly(outside, 1000)}` };
}

/** What stands between the marks of text from outside, as far as the first of them goes. */
function marked(text: string): string | undefined {
  const [, inside] =
    /<<<EXTERNAL_UNTRUSTED_CONTENT id="([0-9a-f]{16})">>>\n([\s\S]*?)\n<<<END_EXTERNAL_UNTRUSTED_CONTENT id="\1">>>/
      .exec(text)
      ?.slice(1) ?? [];
  return inside?.slice(inside.indexOf('---\n') + 4).trim();
}

const EVENT = /^System event: ([\s\S]*)$/;
/** How an event goes on below what happened: what to do with it. */
const TASK =
  /\n\n(?:Nobody wrote this\.|What it found stands|It left no answer\.|Stats: |Tell the person |Current time: )[\s\S]*$/;

/** What was only noted before it is told along with it. */
function happened({ raw, unanswered }: Seen): TriggerReply | undefined {
  const [, event] = EVENT.exec(raw) ?? [];
  if (event === undefined) return undefined;
  const found = marked(event);
  const said = [...notedIn(unanswered).slice(1 - MAX_EVENTS), event].map(relayed).join('\n');
  return { say: found === undefined || !event.startsWith('the sub-agent ') ? said : `${said}\n\n${quote(found)}` };
}

/** In one sentence. */
function relayed(event: string): string {
  const text = event.replace(TASK, '').replace(CLOCK_LINE, '').trim();
  const reminder = /^Reminder:\s*(\S[\s\S]*)$/.exec(text)?.[1];
  return reminder === undefined ? `📣 ${briefly(text, 500)}` : `⏰ ${inert(reminder)}`;
}

const MAX_EVENTS = 5;
const notedIn = (unanswered: readonly string[]): readonly string[] =>
  unanswered.flatMap((text) => EVENT.exec(text)?.[1] ?? []);

/**
 * Its prompt is whatever the owner made it, and ends with the time. A person who asks about the word does not end so.
 */
function heartbeatReply({ raw, unanswered }: Seen): TriggerReply | undefined {
  const prompt = raw.replace(CLOCK_LINE, '');
  if (prompt === raw || (!raw.includes('HEARTBEAT_OK') && !/\([A-Za-z]+(?:[/_+-]+[A-Za-z0-9]+)*\)\s*$/.test(raw)))
    return undefined;
  const events = notedIn(unanswered);
  return { say: events.length === 0 ? 'HEARTBEAT_OK' : events.slice(-MAX_EVENTS).map(relayed).join('\n') };
}
