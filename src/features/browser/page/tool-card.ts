/** The collapsed card of a `browser` tool call: the action, its element, and the picture. */
import { html, nothing } from 'lit';
import type { ToolPart } from '../../../../ui/src/chat/items.ts';
import { openPicture } from '../../../../ui/src/elements/lightbox.ts';
import { fields, text } from '../../../../ui/src/tools/tool-facts.ts';
import './tool-card.css';

export const tool = 'browser';

/** Undefined: the default card is used. */
export function headline({ args, details }: ToolPart): string | undefined {
  const params = fields(args);
  const request = fields(params['request']);
  const action = text(params['action']);
  if (action !== 'act' && request['kind'] === undefined) {
    const where = text(params['targetUrl']) ?? text(params['url']);
    return action && [action, where].filter(Boolean).join(' ');
  }
  const kind = text(request['kind']) ?? text(params['kind']) ?? action;
  const on = text(fields(details)['on']) ?? text(request['ref']) ?? text(params['ref']);
  return kind && [kind, on].filter(Boolean).join(' ');
}

export function below({ images, args }: ToolPart): unknown {
  const [image] = images;
  if (!image) return nothing;
  const label = `Picture of the page after ${headline({ args } as ToolPart) ?? 'this action'}`;
  return html`<button class="tool-thumb" aria-label="Enlarge the picture" @click=${() => openPicture(image.src, label)}
    ><img src=${image.src} alt=${label} /></button>`;
}
