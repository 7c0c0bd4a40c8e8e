/** What the concierge says or does next. Pure: the same view gives the same answer. */
import { excerpt, PRODUCT_LABEL, head } from '../../sdk/index.ts';
import { BRIEFLY, howToAddAModel } from './advice.ts';
import { triggerReplyOf } from './trigger-replies.ts';
import type { Input, Phrase } from './phrase.ts';
import { phrases } from './phrases.ts';
import { inert, quote } from './quoting.ts';
import type { SeenResult, View } from './view.ts';

export interface Response {
  readonly say?: string;
  readonly call?: { readonly id: string; readonly tool: string; readonly input: Readonly<Record<string, unknown>> };
}

export function respond(view: View): Response {
  if (view.wantsSummary) return { say: summary(view) };
  const ended = PROCESS_ENDED.exec(view.ask);
  const triggered = ended ? undefined : triggerReplyOf(view);
  const withQuestion = triggered && 'ask' in triggered ? { ...view, ask: triggered.ask } : view;
  const last = view.results.at(-1);
  if (last) return after(last, withQuestion);
  if (ended)
    return {
      say:
        `\`${ended[2]}\` ${ended[1] === 'completed' ? 'is done' : `failed: ${ended[3]}`}. \`log ${ended[2]}\` ` +
        'shows what it wrote.',
    };
  if (triggered)
    return 'say' in triggered ? triggered : (actOn(withQuestion, { byPerson: false }) ?? { say: triggered.otherwise });
  if (/^(help|\?|hilfe)[.!?]?$/i.test(view.ask)) return { say: help(view) };
  if (GREETING_WANTED.test(view.ask)) return { say: greeting };
  return actOn(view, { byPerson: true }) ?? { say: echo(view) };
}

/** Undefined: no phrase fits. */
function actOn(view: View, { byPerson }: { readonly byPerson: boolean }): Response | undefined {
  for (const phrase of phrases) {
    const match = byPerson || !phrase.byPerson ? phrase.pattern.exec(view.ask) : null;
    if (match) return act(phrase, match, view);
  }
  return undefined;
}

function act(phrase: Phrase, match: RegExpExecArray, view: View): Response {
  if (!view.tools.includes(phrase.tool))
    return { say: `I would call the tool \`${phrase.tool}\` for that, but it is not available in this conversation.` };
  return spokenOrCalled(phrase, phrase.input(match, view), view);
}

const spokenOrCalled = (phrase: Phrase, input: Input | string, { callCount }: View): Response =>
  typeof input === 'string' ? { say: input } : { call: { id: `concierge_${callCount + 1}`, tool: phrase.tool, input } };

/** The second call of a phrase that needs two; else the result in words. */
function after(last: SeenResult, view: View): Response {
  const phrase =
    view.results.length === 1 && !last.failed
      ? phrases.find((one) => one.then && one.tool === last.tool && one.pattern.test(view.ask))
      : undefined;
  const match = phrase?.pattern.exec(view.ask);
  return phrase?.then && match ? spokenOrCalled(phrase, phrase.then(match, last), view) : { say: phrased(last) };
}

function phrased(result: SeenResult): string {
  const phrase = phrases.find(({ tool }) => tool === result.tool);
  if (result.failed) return phrase?.describeFailure?.(result) ?? `That did not work: ${inert(result.text)}`;
  return phrase ? phrase.describe(result) : `The tool \`${result.tool}\` answered:\n\n${quote(result.text)}`;
}

/** How the gateway tells of the end of a command in the background. */
const PROCESS_ENDED = /^System event: Exec (completed|failed) \(([\w-]+), ((?:code|signal|exit code) \w+)\)/;

/** A bare `/new` asks every model to greet; what a person writes about greeting is not meant. */
const GREETING_WANTED = /^A new session has begun\. Greet /;

const WHO = `I am the offline concierge of ${PRODUCT_LABEL}: a small program, not a language model.`;

const greeting = `Hello! ${WHO}\n\n${BRIEFLY}`;

const help = (view: View): string =>
  [
    `${WHO} I need no key and no network. I understand:`,
    [
      ...phrases.filter(({ tool }) => view.tools.includes(tool)).map(({ usage, does }) => `- \`${usage}\` ${does}`),
      '- `help` shows this',
    ].join('\n'),
    'Anything else I answer by showing what a model would have been given.',
    howToAddAModel(),
  ].join('\n\n');

/** What reached the agent: routing, context and notes, for somebody who wants to see them at work. */
function echo({ ask, notes, images, earlier, tools, runtime, systemLength }: View): string {
  const { agent, channel, model, ...others } = runtime;
  const facts = [
    '- your message: ' +
      `${ask ? `"${inert(short(ask))}" (${ask.length} ${ask.length === 1 ? 'character' : 'characters'})` : 'no text'}`,
    '- route: ' +
      `${[agent && `agent \`${agent}\``, channel && `channel \`${channel}\``, model && `model \`${model}\``].filter(Boolean).join(', ') || 'not told'}`,
    `- earlier messages: ${earlier}`,
    '- notes added to your message: ' +
      `${notes.length > 0 ? notes.map(({ heading }) => `\`${inert(heading)}\``).join(', ') : 'none'}`,
    `- images: ${images}`,
    `- tools: ${tools.map((name) => `\`${name}\``).join(', ') || 'none'}`,
    `- system prompt: ${systemLength} characters${
      Object.keys(others).length > 0
        ? ` (${Object.entries(others)
            .map(([name, value]) => `${name} ${value}`)
            .join(', ')})`
        : ''
    }`,
  ];
  const shown = notes
    .filter(({ text }) => text !== '')
    .map(({ heading, text }) => `\`${inert(heading)}\` says:\n\n${quote(shortened(text))}\n\n`)
    .join('');
  return `${WHO} A model in my place would now have been given:\n\n${facts.join('\n')}\n\n${shown}${BRIEFLY}`;
}

/** Compaction asks every model for this; the beginning and the end are the best a program can do. */
function summary({ raw }: View): string {
  const text = inert(
    raw
      .replace(/^<\/?[a-z-]+>$/gm, '')
      .replace(/(?<!\n)\n*Write the summary now\.\s*$/, '')
      .trim(),
  );
  return text.length <= 2000
    ? `Earlier conversation, word for word:\n\n${text}`
    : `Earlier conversation, beginning and end:\n\n${head(text, 1000)}\n\n[…]\n\n${text.slice(-1000)}`;
}

/** Enough of a note to recognise it. */
const shortened = (text: string): string => excerpt(text, 1500);

const short = (text: string): string => excerpt(text.replace(/\s+/g, ' '), 200);
