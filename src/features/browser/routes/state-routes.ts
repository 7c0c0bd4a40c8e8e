/** Routes on page state: cookies, storage, emulation, traces. */
import { AppError } from '../../../core/errors.ts';
import { flag, text } from '../web-page/act-request.ts';
import { pageError } from '../web-page/errors.ts';
import { clearStorage, readStorage, setCookie, SETTINGS, writeStorage } from '../web-page/page-state.ts';
import { stagedPath } from '../web-page/staged.ts';
import type { Route } from './route.ts';

export const stateRoutes: readonly Route[] = [
  {
    method: 'GET',
    path: '/cookies',
    async run(context) {
      const tab = await context.tab();
      return { ok: true, targetId: tab.targetId, cookies: await tab.page.context().cookies() };
    },
  },
  { method: 'POST', path: '/cookies/set', run: async (context) => setCookie(await context.tab(), context.input) },
  {
    method: 'POST',
    path: '/cookies/clear',
    async run(context) {
      await (await context.tab()).page.context().clearCookies();
      return { ok: true };
    },
  },
  {
    method: 'GET',
    path: '/storage/:kind',
    run: async (context) => readStorage(await context.tab(), context.params['kind']!, text(context.input, 'key')),
  },
  {
    method: 'POST',
    path: '/storage/:kind/set',
    run: async (context) => writeStorage(await context.tab(), context.params['kind']!, context.input),
  },
  {
    method: 'POST',
    path: '/storage/:kind/clear',
    run: async (context) => clearStorage(await context.tab(), context.params['kind']!),
  },
  {
    method: 'POST',
    path: '/set/:what',
    async run(context) {
      const what = context.params['what']!;
      const setting = Object.hasOwn(SETTINGS, what) ? SETTINGS[what] : undefined;
      if (!setting)
        throw new AppError(
          'not_found',
          `There is no /set/${what.slice(0, 40)}; there are ${Object.keys(SETTINGS).join(', ')}.`,
        );
      const tab = await context.tab();
      try {
        await setting(tab, context.input);
      } catch (error) {
        throw pageError(error, what);
      }
      return { ok: true, targetId: tab.targetId };
    },
  },
  {
    method: 'POST',
    path: '/trace/start',
    async run(context) {
      const { input: params } = context;
      const tab = await context.tab();
      try {
        await tab.page.context().tracing.start({
          screenshots: flag(params, 'screenshots') ?? true,
          snapshots: flag(params, 'snapshots') ?? true,
          sources: flag(params, 'sources') ?? false,
        });
      } catch (error) {
        if (error instanceof Error && /already/i.test(error.message))
          throw new AppError('conflict', 'A trace is being recorded already. Stop it first.', { cause: error });
        throw pageError(error, 'The trace');
      }
      return { ok: true, targetId: tab.targetId };
    },
  },
  {
    method: 'POST',
    path: '/trace/stop',
    async run(context) {
      const tab = await context.tab();
      const path = await stagedPath(context.caller.files, 'trace.zip');
      try {
        await tab.page.context().tracing.stop({ path });
      } catch (error) {
        if (error instanceof Error && /must start/i.test(error.message))
          throw new AppError('conflict', 'No trace is being recorded. Start one first.', { cause: error });
        throw pageError(error, 'The trace');
      }
      return { ok: true, targetId: tab.targetId, path };
    },
  },
];
