/** Routes on pages: snapshots, pictures, actions, files, dialogs, and recorded output. */
import { AppError } from '../../../core/errors.ts';
import { present } from '../../../core/present.ts';
import { consoleAt } from '../driver/tab-record.ts';
import { act } from '../web-page/act.ts';
import {
  ACTION_TIME,
  flag,
  number,
  required,
  text,
  timeoutOf,
  WAIT_TIME,
  type Params,
} from '../web-page/act-request.ts';
import { nextDownload } from '../web-page/downloads.ts';
import { PAGE, pageError } from '../web-page/errors.ts';
import { locate } from '../web-page/refs.ts';
import { responseBody } from '../web-page/response-body.ts';
import { pictureOf, takeScreenshot } from '../web-page/screenshot.ts';
import { takeSnapshot, type SnapshotRequest } from '../web-page/snapshot.ts';
import { stageFile } from '../web-page/staged.ts';
import { upload } from '../web-page/upload.ts';
import { soon, type Route, type RouteContext } from './route.ts';

const DEFAULT_CHARS = 80_000;
const EFFICIENT_CHARS = 10_000;
const EFFICIENT_DEPTH = 6;
const ARM_TIME = { normal: 120_000, min: 500, max: 600_000 } as const;

export const pageRoutes: readonly Route[] = [
  {
    method: 'GET',
    path: '/snapshot',
    async run(context) {
      const tab = await context.tab();
      const { body, labelled } = await readPage(() => takeSnapshot(tab, snapshotRequest(context)), PAGE);
      if (!labelled) return body;
      const picture = await pictureOf(labelled.picture, { folder: context.caller.files, name: 'labels' });
      return { ...body, imagePath: picture.path, imageType: picture.mimeType };
    },
  },
  {
    method: 'POST',
    path: '/screenshot',
    readsOnly: () => true,
    async run(context) {
      const { input: params, signal, caller } = context;
      const tab = await context.tab();
      const type = text(params, 'type') ?? 'png';
      if (type !== 'png' && type !== 'jpeg') throw new AppError('invalid', 'type must be png or jpeg.');
      const request = {
        fullPage: flag(params, 'fullPage'),
        ref: text(params, 'ref'),
        element: text(params, 'element'),
        type,
      } as const;
      const picture = await takeScreenshot(
        tab,
        { ...request, timeoutMs: timeoutOf(params, WAIT_TIME), signal },
        caller.files,
      );
      return { ok: true, path: picture.path, mimeType: picture.mimeType, targetId: tab.targetId, url: tab.page.url() };
    },
  },
  {
    method: 'POST',
    path: '/pdf',
    boundMs: soon,
    readsOnly: () => true,
    async run(context) {
      const tab = await context.tab();
      const { data } = await readPage(() => tab.cdp.send('Page.printToPDF', { printBackground: true }), PAGE);
      const path = await stageFile(context.caller.files, 'page.pdf', Buffer.from(data, 'base64'));
      return { ok: true, path, targetId: tab.targetId, url: tab.page.url() };
    },
  },
  {
    method: 'POST',
    path: '/act',
    readsOnly: ({ kind }) => kind === 'wait',
    async run({ core, input: params, signal, ...context }) {
      const { evaluateEnabled } = core.deps.config();
      return act(await context.tab(), params, { signal, evaluateEnabled });
    },
  },
  {
    method: 'POST',
    path: '/hooks/file-chooser',
    async run(context) {
      const { input: params, signal, files } = context;
      const tab = await context.tab();
      const [ref, inputRef, element] = [text(params, 'ref'), text(params, 'inputRef'), text(params, 'element')];
      await upload(tab, {
        files,
        ref,
        inputRef,
        element,
        armMs: timeoutOf(params, ARM_TIME),
        timeoutMs: ACTION_TIME.normal,
        signal,
      });
      return { ok: true, targetId: tab.targetId, files: files.map(({ name }) => name) };
    },
  },
  {
    method: 'POST',
    path: '/hooks/dialog',
    async run(context) {
      const { input: params } = context;
      const accept = flag(params, 'accept');
      if (accept === undefined) throw new AppError('invalid', 'accept required: true or false.');
      const tab = await context.tab();
      const promptText = params['promptText'];
      tab.hooks.armDialog(
        { accept, promptText: typeof promptText === 'string' ? promptText : undefined },
        timeoutOf(params, ARM_TIME),
      );
      return { ok: true, targetId: tab.targetId };
    },
  },
  {
    method: 'POST',
    path: '/wait/download',
    readsOnly: () => true,
    async run(context) {
      const tab = await context.tab();
      const timeoutMs = timeoutOf(context.input, ARM_TIME);
      const saved = await nextDownload(tab, { timeoutMs, signal: context.signal });
      return { ok: true, targetId: tab.targetId, download: saved, ...saved };
    },
  },
  {
    method: 'POST',
    path: '/download',
    async run(context) {
      const { input: params, signal } = context;
      const tab = await context.tab();
      const locator = await locate(required(params, 'ref'), {
        page: tab.page,
        refs: tab.refs,
        documentId: tab.documentId,
      });
      const timeoutMs = timeoutOf(params, WAIT_TIME);
      const [saved] = await readPage(
        () => Promise.all([nextDownload(tab, { timeoutMs, signal }), locator.click({ timeout: timeoutMs, signal })]),
        required(params, 'ref'),
      );
      return { ok: true, targetId: tab.targetId, download: saved, ...saved };
    },
  },
  {
    method: 'POST',
    path: '/response/body',
    readsOnly: () => true,
    async run(context) {
      const tab = await context.tab();
      return { ok: true, targetId: tab.targetId, response: await responseBody(tab, context.input, context.signal) };
    },
  },
  {
    method: 'POST',
    path: '/highlight',
    boundMs: soon,
    async run(context) {
      const tab = await context.tab();
      const locator = await locate(required(context.input, 'ref'), {
        page: tab.page,
        refs: tab.refs,
        documentId: tab.documentId,
      });
      await locator.highlight();
      return { ok: true, targetId: tab.targetId };
    },
  },
  {
    method: 'GET',
    path: '/console',
    async run(context) {
      const { targetId, record } = await context.tab();
      return {
        ok: true,
        targetId,
        messages: consoleAt(record.console.all(), text(context.input, 'level')),
        ...dropped(record.console),
      };
    },
  },
  {
    method: 'GET',
    path: '/errors',
    async run(context) {
      const { targetId, record } = await context.tab();
      const errors = record.errors.all();
      if (flag(context.input, 'clear')) record.errors.clear();
      return { ok: true, targetId, errors, ...dropped(record.errors) };
    },
  },
  {
    method: 'GET',
    path: '/requests',
    async run(context) {
      const { targetId, record } = await context.tab();
      const filter = text(context.input, 'filter');
      const requests = record.requests.all().filter(({ url }) => filter === undefined || url.includes(filter));
      if (flag(context.input, 'clear')) record.requests.clear();
      return { ok: true, targetId, requests, ...dropped(record.requests) };
    },
  },
];

const dropped = ({ dropped: count }: { readonly dropped: number }) => (count > 0 ? { dropped: count } : {});

async function readPage<T>(read: () => Promise<T>, subject: string): Promise<T> {
  try {
    return await read();
  } catch (error) {
    throw pageError(error, subject);
  }
}

/** Rejects contradictory parameters. */
export function snapshotRequest({
  core,
  input: params,
  signal,
}: Pick<RouteContext, 'core' | 'input' | 'signal'>): SnapshotRequest {
  const format = text(params, 'format') ?? text(params, 'snapshotFormat') ?? 'ai';
  if (format !== 'ai' && format !== 'aria') throw new AppError('invalid', 'format must be ai or aria.');
  const written = text(params, 'mode');
  if (written !== undefined && written !== 'efficient') throw new AppError('invalid', 'mode must be efficient.');
  const labelled = params['labels'] !== undefined && flag(params, 'labels') === true;
  if (format === 'aria' && (labelled || written === 'efficient'))
    throw new AppError('invalid', 'labels and mode efficient are for format ai; aria is the bare tree.');
  const efficient = format === 'ai' && (written ?? core.deps.config().snapshotDefaults.mode) === 'efficient';
  const refs = text(params, 'refs');
  if (refs !== undefined && refs !== 'role' && refs !== 'aria')
    throw new AppError('invalid', 'refs must be role or aria.');
  const [selector, frame] = [text(params, 'selector'), text(params, 'frame')];
  if (refs === 'aria' && (selector !== undefined || frame !== undefined))
    throw new AppError('invalid', 'refs aria is for the whole page: leave out selector and frame.');
  return {
    format,
    limit: number(params, 'limit'),
    maxChars: charsOf(params, efficient),
    timeoutMs: timeoutOf(params, WAIT_TIME),
    signal,
    ...present({
      interactive: flag(params, 'interactive') ?? (efficient || undefined),
      compact: flag(params, 'compact') ?? (efficient || undefined),
      depth: depthOf(params, efficient),
      selector,
      frame,
      labels: labelled || undefined,
      refs: refs as 'role' | undefined,
    }),
  };
}

function charsOf(params: Params, efficient: boolean): number {
  const written = number(params, 'maxChars');
  if (written === undefined) return efficient ? EFFICIENT_CHARS : DEFAULT_CHARS;
  return Math.max(0, Math.trunc(written));
}

function depthOf(params: Params, efficient: boolean): number | undefined {
  const written = number(params, 'depth');
  if (written === undefined) return efficient ? EFFICIENT_DEPTH : undefined;
  return Math.max(0, Math.trunc(written));
}
