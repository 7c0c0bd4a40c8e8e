/** The HTTP paths of canvases: one prefix, and an alias for each product name. */

const PREFIX = /^\/__(?:clawdbot|moltbot|openclaw)__\/a2ui(?:\/(.*))?$/;

/** What of a canvas a path asks for; `token` and `part` may be empty. */
export interface CanvasPath {
  readonly token: string;
  readonly part: string;
}

/** The page of the canvas that this token opens. */
export const canvasPath = (token: string): string => `/__clawdbot__/a2ui/${token}/`;

/** Undefined: the path is none of a canvas. */
export function readCanvasPath(path: string): CanvasPath | undefined {
  const found = PREFIX.exec(path);
  if (!found) return undefined;
  const [token = '', ...part] = (found[1] ?? '').split('/');
  return { token, part: part.join('/') };
}
