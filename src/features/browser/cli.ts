/** The command table of `clawdbot browser …`: one command per route of the control service. */
import type { Command, Option } from '../../cli/command.ts';
import { client, flag, json, number, text } from '../../cli/options.ts';
import { present } from '../../core/present.ts';

const common = {
  profile: text('<name>', 'Browser profile. Default: browser.defaultProfile.'),
  ...json,
  ...client,
};
const onTab = { 'target-id': text('<id>', 'Tab id or the beginning of it. Default: the tab used last.'), ...common };
const time = { 'timeout-ms': number('<ms>', 'Milliseconds it may take.') };
const refArg = { name: 'ref', help: 'Ref of a snapshot, e.g. e12.' };

const row = (
  name: string,
  summary: string,
  {
    args,
    options = {},
    tab = true,
    aliases,
  }: Partial<Pick<Command, 'args' | 'options' | 'aliases'>> & { readonly tab?: boolean } = {},
): Command => ({
  name: `browser ${name}`,
  summary,
  ...present({ aliases, args }),
  options: { ...options, ...(tab ? onTab : common) },
  load: async () => (await import('./commands/run-command.ts')).browserCommand(name),
});

const setting = (name: string, summary: string, options: Readonly<Record<string, Option>>): Command =>
  row(`set ${name}`, summary, { options });

export const heading = 'Commands and tools of agents';

export const commands: readonly Command[] = [
  row('status', 'Show the browser of a profile.', { tab: false, aliases: ['browser'] }),
  {
    name: 'browser install',
    summary: 'Install a browser on this machine (Debian, as root); elsewhere say which package to install.',
    options: { window: flag('One with a window, also where there is no display now.') },
    load: async () => (await import('./commands/install.ts')).install,
  },
  row('start', 'Start the browser.', { tab: false }),
  row('stop', 'Stop the browser.', { tab: false }),
  row('profiles', 'List the profiles.', { tab: false }),
  row('create-profile', 'Create a profile.', {
    tab: false,
    args: [{ name: 'name', help: 'Lower-case letters, digits and dashes.' }],
    options: {
      color: text('<#RRGGBB>', 'Its colour.'),
      'cdp-url': text('<url>', 'A browser that runs already, by its DevTools address.'),
    },
  }),
  row('delete-profile', 'Delete a profile; its user data is moved to the trash.', {
    tab: false,
    args: [{ name: 'name', help: 'The profile.' }],
  }),
  row('reset-profile', 'End a browser that is left on the port of a profile.', {
    tab: false,
    options: { trash: flag('Move its user data to the trash, too.') },
  }),
  row('tabs', 'List the tabs.', { tab: false }),
  row('open', 'Open a page in a new tab.', {
    tab: false,
    args: [{ name: 'url', help: 'Its address.' }],
    options: time,
  }),
  row('focus', 'Bring a tab to the front.', {
    tab: false,
    args: [{ name: 'id', help: 'Tab id or the beginning of it.' }],
  }),
  row('close', 'Close a tab.', {
    tab: false,
    args: [{ name: 'id', optional: true, help: 'Tab id. Default: the tab used last.' }],
  }),
  row('navigate', 'Send a tab to another page.', { args: [{ name: 'url', help: 'Its address.' }], options: time }),
  row('snapshot', 'Print what a page shows.', {
    options: {
      format: text('<format>', 'ai or aria. Default: ai.'),
      efficient: flag('A short one.'),
      interactive: flag('Only what can be acted on.'),
      compact: flag('Without empty structure.'),
      depth: number('<n>', 'Levels.'),
      selector: text('<css>', 'Only the part under this selector.'),
      frame: text('<css>', 'Only the frame under this selector.'),
      labels: flag('With a picture that shows the refs.'),
      limit: number('<n>', 'Nodes, with format aria.'),
      'max-chars': number('<n>', 'Characters; 0: no limit.'),
    },
  }),
  row('screenshot', 'Take a picture of a page.', {
    options: {
      'full-page': flag('Of the whole page.'),
      ref: text('<ref>', 'Of one element, by its ref.'),
      element: text('<css>', 'Of one element, by a selector.'),
      type: text('<type>', 'png or jpeg. Default: png.'),
    },
  }),
  row('pdf', 'Save a page as PDF.'),
  row('click', 'Click an element.', {
    args: [refArg],
    options: {
      double: flag('Twice.'),
      button: text('<button>', 'left, right or middle.'),
      modifiers: text('<keys>', 'Alt, Control, Meta, Shift, with commas.'),
    },
  }),
  row('type', 'Type into a field.', {
    args: [refArg, { name: 'text', help: 'The text.' }],
    options: { submit: flag('Press Enter after it.'), slowly: flag('Key by key.') },
  }),
  row('press', 'Press a key.', { args: [{ name: 'key', help: 'E.g. Enter, Escape, Control+a.' }] }),
  row('hover', 'Move the mouse over an element.', { args: [refArg] }),
  row('scrollintoview', 'Scroll an element into view.', { args: [refArg] }),
  row('drag', 'Drag an element to another.', {
    args: [
      { name: 'from', help: 'Ref.' },
      { name: 'to', help: 'Ref.' },
    ],
  }),
  row('select', 'Choose options of a list.', {
    args: [refArg, { name: 'values', rest: true, help: 'The options, with commas.' }],
  }),
  row('fill', 'Fill a form.', { args: [{ name: 'fields', help: 'JSON: [{"ref":"e1","value":"x"}].' }] }),
  row('resize', 'Resize the window of a page.', {
    args: [
      { name: 'width', help: 'Pixels.' },
      { name: 'height', help: 'Pixels.' },
    ],
  }),
  row('wait', 'Wait for something on a page.', {
    options: {
      text: text('<text>', 'A text that appears.'),
      'text-gone': text('<text>', 'A text that goes.'),
      selector: text('<css>', 'An element that appears.'),
      'to-url': text('<url>', 'An address; * stands for anything.'),
      state: text('<state>', 'load, domcontentloaded or networkidle.'),
      fn: text('<code>', 'A condition in JavaScript.'),
      time: number('<ms>', 'Milliseconds.'),
      ...time,
    },
  }),
  row('evaluate', 'Run JavaScript in a page.', {
    args: [{ name: 'fn', help: 'An expression or a function.' }],
    options: { ref: text('<ref>', 'The element it is called with.') },
  }),
  row('batch', 'Do several acts, one after the other.', {
    args: [{ name: 'actions', help: 'JSON: [{"kind":"click","ref":"e1"}].' }],
  }),
  row('upload', 'Hand files to a page.', {
    args: [{ name: 'files', rest: true, help: 'Paths, with commas.' }],
    options: {
      ref: text('<ref>', 'Clicked to open the chooser.'),
      'input-ref': text('<ref>', 'The input itself.'),
      element: text('<css>', 'The input, by a selector.'),
    },
  }),
  row('dialog', 'Answer the next dialog.', {
    options: {
      accept: flag('Accept it.'),
      dismiss: flag('Dismiss it (default).'),
      prompt: text('<text>', 'What is typed into a prompt.'),
    },
  }),
  row('waitfordownload', 'Wait for the next download.', { options: time }),
  row('download', 'Click an element and save what it downloads.', { args: [refArg], options: time }),
  row('responsebody', 'Wait for an answer a page gets, and print it.', {
    args: [{ name: 'pattern', help: 'Its address; * stands for anything.' }],
    options: { 'max-chars': number('<n>', 'Characters.'), ...time },
  }),
  row('highlight', 'Highlight an element.', { args: [refArg] }),
  row('console', 'Print what a page wrote.', {
    options: { level: text('<level>', 'error, warning, info or debug, and above.') },
  }),
  row('errors', 'Print the errors of a page.', { options: { clear: flag('Forget them.') } }),
  row('requests', 'Print what a page asked for.', {
    options: { filter: text('<text>', 'Only addresses with this text.'), clear: flag('Forget them.') },
  }),
  row('cookies', 'List the cookies.'),
  row('cookies set', 'Set a cookie.', {
    args: [
      { name: 'name', help: 'Its name.' },
      { name: 'value', help: 'Its value.' },
    ],
    options: { 'for-url': text('<url>', 'The page it is for.') },
  }),
  row('cookies clear', 'Delete all cookies.'),
  row('storage', 'Print what a page stores.', {
    args: [
      { name: 'kind', help: 'local or session.' },
      { name: 'key', optional: true, help: 'Only this one.' },
    ],
  }),
  row('storage set', 'Store a value.', {
    args: [
      { name: 'kind', help: 'local or session.' },
      { name: 'key', help: 'Its key.' },
      { name: 'value', help: 'The value.' },
    ],
  }),
  row('storage clear', 'Delete what a page stores.', { args: [{ name: 'kind', help: 'local or session.' }] }),
  setting('offline', 'Cut the network off, or back on.', { on: flag('Offline.'), off: flag('Online.') }),
  setting('headers', 'Send headers with every request.', { headers: text('<json>', 'Names and values.') }),
  setting('credentials', 'Answer HTTP authentication.', {
    username: text('<name>', 'User.'),
    password: text('<text>', 'Password.'),
    clear: flag('Forget it.'),
  }),
  setting('geolocation', 'Set where the page thinks it is.', {
    latitude: number('<n>', 'Degrees.'),
    longitude: number('<n>', 'Degrees.'),
    accuracy: number('<m>', 'Metres.'),
    clear: flag('Forget it.'),
  }),
  setting('media', 'Set the colour scheme.', { scheme: text('<scheme>', 'dark, light, no-preference or none.') }),
  setting('timezone', 'Set the time zone.', { zone: text('<zone>', 'E.g. Europe/Berlin.') }),
  setting('locale', 'Set the language.', { locale: text('<locale>', 'E.g. de-DE.') }),
  setting('device', 'Look like a device.', { device: text('<name>', 'E.g. "iPhone 15".') }),
  row('trace start', 'Begin a trace.'),
  row('trace stop', 'End a trace and save it.'),
];
