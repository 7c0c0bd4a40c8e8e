/** `/elevated off|on|ask|full`: how far commands go; alone in a message for the session, among other words for that message. */
import { ELEVATED_LEVELS, type ElevatedLevel } from '../../config/exec-config.ts';
import type { Command } from './command.ts';

const LEVELS = ELEVATED_LEVELS.join('|');
/** Not inside a word or a path. */
const INLINE = new RegExp(`(?<=^|\\s)/(?:elevated|elev)(?::\\s*|\\s+)(${LEVELS})(?=\\s|[.,!?]?$)`, 'gi');

export const elevatedCommand: Command = {
  name: 'elevated', aliases: ['elev'], usage: '/elevated [off|on|ask|full]', takesText: false, takes: new RegExp(`^(?:${LEVELS})$`, 'i'),
  summary: 'Let commands of this session leave the sandbox (on, ask) or also skip approval (full).',
  run: async (call, host) => ({ reply: `⚙️ ${await host.elevate(call, levelOf(call.args))}` }),
};

const levelOf = (word: string): ElevatedLevel | undefined => ELEVATED_LEVELS.find((level) => level === word.trim().toLowerCase());

/** The words without the directive, and the last level they name. Pure. */
export function takeElevated(text: string): { readonly text: string; readonly level?: ElevatedLevel } {
  const named = [...text.matchAll(INLINE)].at(-1);
  if (!named) return { text };
  const level = levelOf(named[1]!);
  return { text: text.replace(INLINE, '').replace(/[ \t]{2,}/g, ' ').trim(), ...(level ? { level } : {}) };
}
