/** Converts the input of the tool into one call of the control service. Pure. */
import { AppError } from '../../../core/errors.ts';
import { present } from '../../../core/present.ts';
import { invalid, KINDS, required, text, type Params } from '../web-page/act-request.ts';
import type { BrowserCall } from '../routes/route.ts';
import { ACTIONS } from '../tools/browser/actions.ts';

export type Action = (typeof ACTIONS)[number];

/** Names that models use for these actions. */
const OTHER_NAMES: Readonly<Record<string, Action>> = {
  goto: 'navigate',
  list: 'tabs',
  'list-tabs': 'tabs',
  'new-tab': 'open',
  'list-profiles': 'profiles',
};

export function readAction(written: string): Action {
  const name = written.trim().toLowerCase().replaceAll('_', '-');
  const found = ACTIONS.find((action) => action === name) ?? OTHER_NAMES[name];
  if (found) return found;
  // Models use the kind of an action in place of the action `act`.
  if (KINDS.some((kind) => kind.toLowerCase() === name)) return 'act';
  throw invalid(`Unknown action "${written.slice(0, 40)}". Use one of ${ACTIONS.join(', ')}.`);
}

type Make = (params: Params) => BrowserCall;

const post = (path: string, body: Params = {}): BrowserCall => ({ method: 'POST', path, body });
const get = (path: string, query: Params = {}): BrowserCall => ({ method: 'GET', path, query });

const targetUrl = (params: Params): string => {
  const url = text(params, 'targetUrl') ?? text(params, 'url');
  if (url === undefined) throw invalid('targetUrl required: the address to open, with https:// before it.');
  return url;
};

const MAKE: Readonly<Record<Action, Make>> = {
  status: () => get('/'),
  start: () => post('/start'),
  stop: () => post('/stop'),
  profiles: () => get('/profiles'),
  'create-profile': (params) =>
    post(
      '/profiles/create',
      present({
        name: nameOf(params),
        color: text(params, 'color'),
        cdpUrl: text(params, 'cdpUrl'),
        driver: text(params, 'driver'),
      }),
    ),
  'delete-profile': (params) => ({ method: 'DELETE', path: `/profiles/${encodeURIComponent(nameOf(params) ?? '')}` }),
  'reset-profile': () => post('/reset-profile'),
  tabs: () => get('/tabs'),
  open: (params) => post('/tabs/open', present({ url: targetUrl(params), timeoutMs: params['timeoutMs'] })),
  focus: (params) => post('/tabs/focus', { targetId: required(params, 'targetId') }),
  close: (params) => {
    const targetId = text(params, 'targetId');
    return targetId === undefined
      ? post('/act', { kind: 'close' })
      : { method: 'DELETE', path: `/tabs/${encodeURIComponent(targetId)}` };
  },
  snapshot: (params) =>
    get('/snapshot', {
      ...pick(params, [
        'mode',
        'refs',
        'interactive',
        'compact',
        'depth',
        'selector',
        'frame',
        'labels',
        'limit',
        'maxChars',
        'timeoutMs',
      ]),
      format: text(params, 'snapshotFormat') ?? text(params, 'format') ?? 'ai',
    }),
  screenshot: (params) => post('/screenshot', pick(params, ['fullPage', 'ref', 'element', 'type', 'timeoutMs'])),
  navigate: (params) => post('/navigate', present({ url: targetUrl(params), timeoutMs: params['timeoutMs'] })),
  console: (params) => get('/console', pick(params, ['level'])),
  pdf: () => post('/pdf'),
  upload: (params) => post('/hooks/file-chooser', pick(params, ['ref', 'inputRef', 'element', 'timeoutMs'])),
  dialog: (params) => post('/hooks/dialog', { accept: false, ...pick(params, ['accept', 'promptText', 'timeoutMs']) }),
  act: (params) => post('/act', actRequest(params)),
};

/** Profile and tab are part of every call. */
export function toolCall(action: Action, params: Params): BrowserCall {
  const call = MAKE[action](params);
  const common = pick(params, action === 'create-profile' || action === 'delete-profile' ? [] : ['profile']);
  const target = ['status', 'start', 'stop', 'profiles', 'tabs', 'open'].includes(action)
    ? {}
    : pick(params, ['targetId']);
  const extra = { ...common, ...target };
  return call.method === 'POST'
    ? { ...call, body: { ...extra, ...call.body } }
    : { ...call, query: { ...extra, ...call.query } };
}

const nameOf = (params: Params): string | undefined => text(params, 'name') ?? text(params, 'profile');

const FLAT = [
  'kind',
  'ref',
  'x',
  'y',
  'doubleClick',
  'button',
  'modifiers',
  'text',
  'submit',
  'slowly',
  'key',
  'delayMs',
  'startRef',
  'endRef',
  'values',
  'fields',
  'value',
  'width',
  'height',
  'timeMs',
  'textGone',
  'selector',
  'url',
  'loadState',
  'fn',
  'actions',
  'timeoutMs',
];

/**
 * Models nest the request in `request`, as an object or as JSON text, or put its fields beside the action: all three
 * are accepted.
 */
function actRequest(params: Params): Params {
  const written = params['request'];
  const nested = typeof written === 'string' ? parsed(written) : written;
  if (typeof nested === 'object' && nested !== null && !Array.isArray(nested)) return nested as Params;
  const flat = pick(params, FLAT);
  if (text(flat, 'kind') !== undefined) return flat;
  const action = text(params, 'action')?.trim();
  if (action !== undefined && KINDS.some((kind) => kind.toLowerCase() === action.toLowerCase()))
    return { ...flat, kind: action };
  throw invalid('request required: what to do, e.g. {"kind":"click","ref":"e12"}.');
}

function parsed(written: string): unknown {
  try {
    return JSON.parse(written);
  } catch (error) {
    throw new AppError('invalid', 'request is no JSON: give an object, e.g. {"kind":"click","ref":"e12"}.', {
      cause: error,
    });
  }
}

const pick = (params: Params, names: readonly string[]): Params =>
  Object.fromEntries(names.flatMap((name) => (params[name] === undefined ? [] : [[name, params[name]]])));
