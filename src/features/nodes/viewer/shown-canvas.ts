/** `canvas.*`: a page of the canvas host, or a web page, in a frame without an origin. */
import { NodeError } from './node-error.ts';
import { textOf } from './params.ts';
import type { Work } from './work.ts';

/** The page that is shown in the frame. */
export interface ShownCanvas {
  /** Absolute address; undefined: nothing is shown. */
  readonly url: string | undefined;
  hide(): void;
  readonly commands: Readonly<Record<string, Work>>;
}

const HOST_PATH = /^\/__(?:clawdbot|moltbot|openclaw)__\/[\w./~%-]*$/;

export function createShownCanvas(changed: () => void): ShownCanvas {
  const now: { url?: string; last?: string } = {};
  const show = (url: string): Promise<unknown> => {
    now.url = now.last = url;
    changed();
    return Promise.resolve({ ok: true });
  };
  const hide = (): void => {
    delete now.url;
    changed();
  };
  return {
    get url() {
      return now.url;
    },
    hide,
    commands: {
      'canvas.present': async (params) => {
        const url = textOf(params['url'], 4096);
        if (!url && now.last === undefined) throw new NodeError('INVALID_REQUEST', 'url: nothing was shown here yet');
        return show(url ? addressOf(url) : now.last!);
      },
      'canvas.navigate': async (params) => show(addressOf(textOf(params['url'], 4096))),
      'canvas.hide': async () => {
        hide();
        return { ok: true };
      },
    },
  };
}

/** Only paths of the gateway's canvas host are allowed: no other page of the gateway may be framed. */
function addressOf(url: string): string {
  if (HOST_PATH.test(url) && !/(?:^|\/)(?:\.|%2e){1,2}(?:\/|$)/i.test(url))
    return new URL(`..${url}`, location.href).href;
  const page = URL.canParse(url) ? new URL(url) : undefined;
  if (page?.protocol === 'https:' && page.host !== location.host && !page.username && !page.password) return page.href;
  throw new NodeError('INVALID_REQUEST', 'url: use an https page, or a path of the canvas host');
}
