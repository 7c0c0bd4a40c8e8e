/** Renders PDF pages as pictures with `pdftoppm` (poppler), in a separate process with time and size limits. */
import type { Log } from '../../core/log.ts';
import { childEnv } from '../../platform/child-env.ts';
import { exec, findProgram } from '../../platform/exec.ts';
import type { PageImage, PageSize } from '../document.ts';

export interface RenderRequest {
  readonly pageSizes: readonly PageSize[];
  readonly maxPixels: number;
  readonly timeoutMs: number;
  readonly vars: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
  readonly log: Log;
}

/** More pictures than this would cost more than they tell. */
const MAX_IMAGES = 8;
/** Sharp enough to read print. */
const GOOD_DPI = 150;
/** A page for which this is too sharp is none that anybody reads. */
const MIN_DPI = 1;
const POINTS_PER_INCH = 72;
const MAX_IMAGE_BYTES = 20 * 1024 * 1024;

/** As many pages as came out; none when the program is missing. */
export async function renderPages(bytes: Uint8Array, request: RenderRequest): Promise<readonly PageImage[]> {
  const { pageSizes, vars, log } = request;
  const program = await findProgram('pdftoppm', vars['PATH']);
  if (!program) {
    log.warn('documents.no-renderer', {
      why: 'pdftoppm was not found; install poppler-utils to show pages without text',
    });
    return [];
  }
  const deadline = performance.now() + request.timeoutMs;
  const images: PageImage[] = [];
  for (const [index, size] of pageSizes.slice(0, MAX_IMAGES).entries()) {
    const dpi = dpiOf(size, request.maxPixels);
    if (dpi === undefined) {
      log.warn('documents.page-not-rendered', { page: index + 1, kind: 'too_large' });
      continue;
    }
    const image = await renderPage(bytes, {
      ...request,
      program,
      page: index + 1,
      dpi,
      timeoutMs: deadline - performance.now(),
    });
    if (!image) break;
    images.push(image);
  }
  return images;
}

/** As sharp as the pixels allow; undefined when even the coarsest picture of the page would have more. */
function dpiOf({ width, height }: PageSize, maxPixels: number): number | undefined {
  const dpi = Math.floor(Math.min(GOOD_DPI, POINTS_PER_INCH * Math.sqrt(maxPixels / Math.max(1, width * height))));
  return dpi >= MIN_DPI ? dpi : undefined;
}

async function renderPage(
  bytes: Uint8Array,
  { program, page, dpi, timeoutMs, vars, signal, log }: RenderRequest & { program: string; page: number; dpi: number },
): Promise<PageImage | undefined> {
  if (timeoutMs <= 0) return undefined;
  // What was measured is what is drawn: without it the page may be larger than what of it is to be seen.
  const args = ['-png', '-cropbox', '-r', String(dpi), '-f', String(page), '-l', String(page), '-'];
  const result = await exec({
    command: program,
    args,
    env: childEnv(vars),
    input: bytes,
    timeoutMs,
    maxOutputBytes: MAX_IMAGE_BYTES,
    signal,
  });
  if (result.kind === 'exited' && result.code === 0 && result.stdout.length > 0)
    return { data: result.stdout, mime: 'image/png' };
  log.warn('documents.page-not-rendered', { page, kind: result.kind, stderr: result.stderr.slice(0, 200) });
  return undefined;
}
