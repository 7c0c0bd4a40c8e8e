/** From what a model asked of the tool to one call of the control service. Pure. */
import { AppError } from '../../../core/errors.ts';
import { present } from '../../../core/present.ts';
import { invalid, KINDS, required, text, type Given } from '../web-page/act-request.ts';
import type { BrowserCall } from '../routes/route.ts';
import { ACTIONS } from '../tools/browser/actions.ts';

export type Action = (typeof ACTIONS)[number];

/** Words models use for them. */
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
  // Models write the kind of an act for its action.
  if (KINDS.some((kind) => kind.toLowerCase() === name)) return 'act';
  throw invalid(`Unknown action "${written.slice(0, 40)}". Use one of ${ACTIONS.join(', ')}.`);
}

type Make = (given: Given) => BrowserCall;

const post = (path: string, body: Given = {}): BrowserCall => ({ method: 'POST', path, body });
const get = (path: string, query: Given = {}): BrowserCall => ({ method: 'GET', path, query });

const targetUrl = (given: Given): string => {
  const url = text(given, 'targetUrl') ?? text(given, 'url');
  if (url === undefined) throw invalid('targetUrl required: the address to open, with https:// before it.');
  return url;
};

const MAKE: Readonly<Record<Action, Make>> = {
  status: () => get('/'),
  start: () => post('/start'),
  stop: () => post('/stop'),
  profiles: () => get('/profiles'),
  'create-profile': (given) =>
    post(
      '/profiles/create',
      present({
        name: nameOf(given),
        color: text(given, 'color'),
        cdpUrl: text(given, 'cdpUrl'),
        driver: text(given, 'driver'),
      }),
    ),
  'delete-profile': (given) => ({ method: 'DELETE', path: `/profiles/${encodeURIComponent(nameOf(given) ?? '')}` }),
  'reset-profile': () => post('/reset-profile'),
  tabs: () => get('/tabs'),
  open: (given) => post('/tabs/open', present({ url: targetUrl(given), timeoutMs: given['timeoutMs'] })),
  focus: (given) => post('/tabs/focus', { targetId: required(given, 'targetId') }),
  close: (given) => {
    const targetId = text(given, 'targetId');
    return targetId === undefined
      ? post('/act', { kind: 'close' })
      : { method: 'DELETE', path: `/tabs/${encodeURIComponent(targetId)}` };
  },
  snapshot: (given) =>
    get('/snapshot', {
      ...pick(given, [
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
      format: text(given, 'snapshotFormat') ?? text(given, 'format') ?? 'ai',
    }),
  screenshot: (given) => post('/screenshot', pick(given, ['fullPage', 'ref', 'element', 'type', 'timeoutMs'])),
  navigate: (given) => post('/navigate', present({ url: targetUrl(given), timeoutMs: given['timeoutMs'] })),
  console: (given) => get('/console', pick(given, ['level'])),
  pdf: () => post('/pdf'),
  upload: (given) => post('/hooks/file-chooser', pick(given, ['ref', 'inputRef', 'element', 'timeoutMs'])),
  dialog: (given) => post('/hooks/dialog', { accept: false, ...pick(given, ['accept', 'promptText', 'timeoutMs']) }),
  act: (given) => post('/act', actRequest(given)),
};

/** The profile and the tab go along with every call. */
export function toolCall(action: Action, given: Given): BrowserCall {
  const call = MAKE[action](given);
  const common = pick(given, action === 'create-profile' || action === 'delete-profile' ? [] : ['profile']);
  const target = ['status', 'start', 'stop', 'profiles', 'tabs', 'open'].includes(action)
    ? {}
    : pick(given, ['targetId']);
  const extra = { ...common, ...target };
  return call.method === 'POST'
    ? { ...call, body: { ...extra, ...call.body } }
    : { ...call, query: { ...extra, ...call.query } };
}

const nameOf = (given: Given): string | undefined => text(given, 'name') ?? text(given, 'profile');

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

/** Nested in `request`, as JSON text of it, or flat beside the action: models write all three. */
function actRequest(given: Given): Given {
  const written = given['request'];
  const nested = typeof written === 'string' ? parsed(written) : written;
  if (typeof nested === 'object' && nested !== null && !Array.isArray(nested)) return nested as Given;
  const flat = pick(given, FLAT);
  if (text(flat, 'kind') !== undefined) return flat;
  const action = text(given, 'action')?.trim();
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

const pick = (given: Given, names: readonly string[]): Given =>
  Object.fromEntries(names.flatMap((name) => (given[name] === undefined ? [] : [[name, given[name]]])));
