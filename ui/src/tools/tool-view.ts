/** The content of a tool card: a terminal for commands, a diff for changes, text and pictures otherwise. */
import { head } from '../../../src/core/cut.ts';
import { html, nothing, type TemplateResult } from 'lit';
import type { App } from '../app.ts';
import type { ChatPage } from '../chat/chat-page.ts';
import type { ToolPart } from '../chat/items.ts';
import './job-bar.ts';
import { diffSize } from './diff-lines.ts';
import { diffView } from './diff-view.ts';
import './terminal.ts';
import { diffsOf, fields, headlineOf, outcomeOf, outcomeWords, text, waitsFor } from './tool-facts.ts';
import './tools.css';
import { visible } from './visible-view.ts';

const LONGEST = 20_000;
/** The headline is one line; the whole command is in the body. */
const HEADLINE_CHARS = 400;

export interface ToolView {
  readonly headline: unknown;
  readonly outcome: string | undefined;
  readonly body: TemplateResult;
  /** Also visible while the card is collapsed. */
  readonly below: unknown;
}

/** Cards that features add for their tools: `page/tool-card.ts` in the folder of each. */
interface FeatureCard {
  readonly tool: string;
  headline(part: ToolPart): string | undefined;
  below(part: ToolPart): unknown;
}

const FOUND = import.meta.glob<FeatureCard>('../../../src/features/*/page/tool-card.ts', { eager: true });
const cardOf = ({ name }: ToolPart): FeatureCard | undefined => Object.values(FOUND).find(({ tool }) => tool === name);

/** `card` is used to find the surrounding page, for the actions on a command. */
export function toolView(part: ToolPart, card: Element): ToolView {
  const outcome = outcomeOf(part.details);
  const diffs = part.state === 'running' ? [] : diffsOf(part.details);
  const own = cardOf(part);
  return {
    headline: html`${visible(firstLine(own?.headline(part) ?? headlineOf(part)))}${
      diffs.length > 0
        ? html` <span
      class="diff-size">${diffSize(diffs)}</span>`
        : nothing
    }`,
    outcome: waitsFor(part) ? 'asks' : outcomeWords(outcome),
    body: html`<div class="tool-body">
      ${
        isCommand(part)
          ? commandBody(part)
          : diffs.length > 0
            ? html`${diffView(diffs)}${part.state === 'error' ? words(part) : nothing}`
            : plainBody(part)
      }
      ${part.images.map((image) => html`<img class="tool-image" src=${image.src} alt="Image from ${part.name}" />`)}
    </div>`,
    below: isCommand(part)
      ? html`<claw-job .call=${part} .app=${appAround(card)}></claw-job>`
      : (own?.below(part) ?? nothing),
  };
}

/** `exec` is the older name of the tool. */
const isCommand = ({ name }: ToolPart): boolean => name === 'bash' || name === 'exec';
const firstLine = (line: string): string => head(line.trimStart().split('\n')[0]!, HEADLINE_CHARS);

function commandBody(part: ToolPart): TemplateResult {
  const input = fields(part.args);
  const more = Object.entries(input).filter(([name, value]) => name !== 'command' && value !== undefined);
  return html`<claw-terminal .command=${text(input['command']) ?? ''} .text=${waitsFor(part) ? '' : part.output}
    .waiting=${waitsFor(part) !== undefined} .live=${part.state === 'running'}></claw-terminal>
    ${
      more.length > 0
        ? html`<p class="tool-more">${more.map(
            ([name, value]) =>
              html`<span><b>${name}</b> ${visible(typeof value === 'string' ? value : JSON.stringify(value))}</span>`,
          )}</p>`
        : nothing
    }`;
}

/** The surrounding page has the connection; a card without one only shows what it has. */
const appAround = (card: Element): App | undefined => (card.closest('claw-chat') as ChatPage | null)?.app;

const plainBody = (part: ToolPart): TemplateResult =>
  html`${
    part.args === undefined
      ? nothing
      : html`<h4>Arguments</h4><pre
    tabindex="0">${visible(pretty(part.args))}</pre>`
  }${words(part)}`;

const words = (part: ToolPart): TemplateResult => html`<h4>${part.state === 'running' ? 'Output so far' : 'Output'}</h4>
  <pre tabindex="0">${visible(clipped(part.output)) || (part.state === 'running' ? 'nothing yet' : 'none')}</pre>`;

const pretty = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value, null, 2));
const clipped = (output: string): string =>
  output.length > LONGEST ? `${head(output, LONGEST)}\n… ${output.length - LONGEST} more characters` : output;
