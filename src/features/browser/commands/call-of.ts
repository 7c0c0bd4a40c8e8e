/** Converts a command line into a call of the control service. Pure. */
import type { Call } from '../../../cli/command.ts';
import { AppError } from '../../../core/errors.ts';
import { present } from '../../../core/present.ts';

type Values = Readonly<Record<string, unknown>>;

export interface ControlCall {
  readonly method: 'GET' | 'POST' | 'DELETE';
  readonly path: string;
  readonly params: Values;
}

type Line = Pick<Call, 'args' | 'flags'>;
type Make = (line: Line) => ControlCall;

const get = (path: string, params: Values = {}): ControlCall => ({
  method: 'GET',
  path,
  params: present({ ...params }) as Values,
});
const post = (path: string, params: Values = {}): ControlCall => ({
  method: 'POST',
  path,
  params: present({ ...params }) as Values,
});
const act = (kind: string, params: Values = {}): ControlCall => post('/act', { kind, ...params });
const on = (line: Line, name: string): true | undefined => line.flags.has(name) || undefined;
const timeout = ({ flags }: Line): Values => ({ timeoutMs: flags.number('timeout-ms') });
const words = (written: string | undefined): readonly string[] =>
  (written ?? '')
    .split(',')
    .map((one) => one.trim())
    .filter(Boolean);
const segment = (written: string | undefined): string => encodeURIComponent(written ?? '');

export const CALLS: Readonly<Record<string, Make>> = {
  status: () => get('/'),
  start: () => post('/start'),
  stop: () => post('/stop'),
  profiles: () => get('/profiles'),
  'create-profile': ({ args, flags }) =>
    post('/profiles/create', { name: args[0], color: flags.text('color'), cdpUrl: flags.text('cdp-url') }),
  'delete-profile': ({ args }) => ({ method: 'DELETE', path: `/profiles/${segment(args[0])}`, params: {} }),
  'reset-profile': (line) => post('/reset-profile', { trash: on(line, 'trash') }),
  tabs: () => get('/tabs'),
  open: (line) => post('/tabs/open', { url: line.args[0], ...timeout(line) }),
  focus: ({ args }) => post('/tabs/focus', { targetId: args[0] }),
  close: ({ args }) =>
    args[0] === undefined ? act('close') : { method: 'DELETE', path: `/tabs/${segment(args[0])}`, params: {} },
  navigate: (line) => post('/navigate', { url: line.args[0], ...timeout(line) }),
  snapshot: (line) =>
    get('/snapshot', {
      format: line.flags.text('format'),
      mode: line.flags.has('efficient') ? 'efficient' : undefined,
      interactive: on(line, 'interactive'),
      compact: on(line, 'compact'),
      depth: line.flags.number('depth'),
      selector: line.flags.text('selector'),
      frame: line.flags.text('frame'),
      labels: on(line, 'labels'),
      limit: line.flags.number('limit'),
      maxChars: line.flags.number('max-chars'),
    }),
  screenshot: (line) =>
    post('/screenshot', {
      fullPage: on(line, 'full-page'),
      ref: line.flags.text('ref'),
      element: line.flags.text('element'),
      type: line.flags.text('type'),
    }),
  pdf: () => post('/pdf'),
  click: (line) => {
    const modifiers = words(line.flags.text('modifiers'));
    return act('click', {
      ref: line.args[0],
      doubleClick: on(line, 'double'),
      button: line.flags.text('button'),
      modifiers: modifiers.length > 0 ? modifiers : undefined,
    });
  },
  type: (line) =>
    act('type', { ref: line.args[0], text: line.args[1], submit: on(line, 'submit'), slowly: on(line, 'slowly') }),
  press: ({ args }) => act('press', { key: args[0] }),
  hover: ({ args }) => act('hover', { ref: args[0] }),
  scrollintoview: ({ args }) => act('scrollIntoView', { ref: args[0] }),
  drag: ({ args }) => act('drag', { startRef: args[0], endRef: args[1] }),
  select: ({ args }) => act('select', { ref: args[0], values: words(args[1]) }),
  fill: ({ args }) => act('fill', { fields: fromJson(args[0]) }),
  resize: ({ args }) => act('resize', { width: Number(args[0]), height: Number(args[1]) }),
  wait: (line) =>
    act('wait', {
      text: line.flags.text('text'),
      textGone: line.flags.text('text-gone'),
      selector: line.flags.text('selector'),
      url: line.flags.text('to-url'),
      loadState: line.flags.text('state'),
      fn: line.flags.text('fn'),
      timeMs: line.flags.number('time'),
      ...timeout(line),
    }),
  evaluate: ({ args, flags }) => act('evaluate', { fn: args[0], ref: flags.text('ref') }),
  batch: ({ args }) => act('batch', { actions: fromJson(args[0]) }),
  upload: ({ flags }) =>
    post('/hooks/file-chooser', {
      ref: flags.text('ref'),
      inputRef: flags.text('input-ref'),
      element: flags.text('element'),
    }),
  dialog: (line) => post('/hooks/dialog', { accept: line.flags.has('accept'), promptText: line.flags.text('prompt') }),
  waitfordownload: (line) => post('/wait/download', timeout(line)),
  download: (line) => post('/download', { ref: line.args[0], ...timeout(line) }),
  responsebody: (line) =>
    post('/response/body', { url: line.args[0], maxChars: line.flags.number('max-chars'), ...timeout(line) }),
  highlight: ({ args }) => post('/highlight', { ref: args[0] }),
  console: ({ flags }) => get('/console', { level: flags.text('level') }),
  errors: (line) => get('/errors', { clear: on(line, 'clear') }),
  requests: (line) => get('/requests', { filter: line.flags.text('filter'), clear: on(line, 'clear') }),
  cookies: () => get('/cookies'),
  'cookies set': ({ args, flags }) =>
    post('/cookies/set', { cookie: present({ name: args[0], value: args[1], url: flags.text('for-url') }) }),
  'cookies clear': () => post('/cookies/clear'),
  storage: ({ args }) => get(`/storage/${segment(args[0])}`, { key: args[1] }),
  'storage set': ({ args }) => post(`/storage/${segment(args[0])}/set`, { key: args[1], value: args[2] }),
  'storage clear': ({ args }) => post(`/storage/${segment(args[0])}/clear`),
  'set offline': (line) => {
    if (line.flags.has('on') === line.flags.has('off')) throw new AppError('invalid', 'Give one of --on and --off.');
    return post('/set/offline', { offline: line.flags.has('on') });
  },
  'set headers': ({ flags }) => post('/set/headers', { headers: fromJson(flags.text('headers')) }),
  'set credentials': (line) =>
    post('/set/credentials', {
      username: line.flags.text('username'),
      password: line.flags.text('password'),
      clear: on(line, 'clear'),
    }),
  'set geolocation': (line) =>
    post('/set/geolocation', {
      latitude: line.flags.number('latitude'),
      longitude: line.flags.number('longitude'),
      accuracy: line.flags.number('accuracy'),
      clear: on(line, 'clear'),
    }),
  'set media': ({ flags }) => post('/set/media', { colorScheme: flags.text('scheme') }),
  'set timezone': ({ flags }) => post('/set/timezone', { timezoneId: flags.text('zone') }),
  'set locale': ({ flags }) => post('/set/locale', { locale: flags.text('locale') }),
  'set device': ({ flags }) => post('/set/device', { name: flags.text('device') }),
  'trace start': () => post('/trace/start'),
  'trace stop': () => post('/trace/stop'),
};

function fromJson(written: string | undefined): unknown {
  try {
    return JSON.parse(written ?? '');
  } catch (error) {
    throw new AppError('invalid', 'Give JSON, e.g. \'[{"ref":"e1","value":"x"}]\'.', { cause: error });
  }
}
