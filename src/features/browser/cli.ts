/** The command table of `clawdbot browser …`: one command per route of the control service. */
import type { Command, Option } from '../../cli/command.ts';
import { client, flag, json, number, text } from '../../cli/options.ts';
import { present } from '../../core/present.ts';

const common = {
  profile: text('<name>', 'Browser profile. Default: browser.defaultProfile.'),
  ...json,
  ...client,
};
const onTab = { 'target-id': text('<id>', 'Tab id or its beginning. Default: the last used tab.'), ...common };
const time = { 'timeout-ms': number('<ms>', 'Timeout in milliseconds.') };
const refArg = { name: 'ref', help: 'Ref from a snapshot, for example e12.' };

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
  row('status', 'Show whether the browser of a profile is running, and its state.', {
    tab: false,
    aliases: ['browser'],
  }),
  {
    name: 'browser install',
    summary: 'Install a browser on this machine (Debian, as root); elsewhere print which package to install.',
    options: { window: flag('Install a browser with a window, even if there is no display now.') },
    load: async () => (await import('./commands/install.ts')).install,
  },
  row('start', 'Start the browser.', { tab: false }),
  row('stop', 'Stop the browser.', { tab: false }),
  row('profiles', 'List the profiles.', { tab: false }),
  row('create-profile', 'Create a profile.', {
    tab: false,
    args: [{ name: 'name', help: 'Lower-case letters, digits and dashes.' }],
    options: {
      color: text('<#RRGGBB>', 'Color of the profile. Default: the first unused one.'),
      'cdp-url': text('<url>', 'DevTools address of a browser that is already running.'),
    },
  }),
  row('delete-profile', 'Delete a profile; its user data is moved to the trash.', {
    tab: false,
    args: [{ name: 'name', help: 'Name of the profile.' }],
  }),
  row('reset-profile', 'End a browser process that still uses the port of a profile.', {
    tab: false,
    options: { trash: flag('Also move its user data to the trash.') },
  }),
  row('tabs', 'List the tabs.', { tab: false }),
  row('open', 'Open a page in a new tab.', {
    tab: false,
    args: [{ name: 'url', help: 'Address of the page.' }],
    options: time,
  }),
  row('focus', 'Bring a tab to the front.', {
    tab: false,
    args: [{ name: 'id', help: 'Tab id or its beginning.' }],
  }),
  row('close', 'Close a tab.', {
    tab: false,
    args: [{ name: 'id', optional: true, help: 'Tab id. Default: the last used tab.' }],
  }),
  row('navigate', 'Open another page in a tab.', {
    args: [{ name: 'url', help: 'Address of the page.' }],
    options: time,
  }),
  row('snapshot', 'Print the content of a page as text.', {
    options: {
      format: text('<format>', 'Format: ai or aria. Default: ai.'),
      efficient: flag('Print a short snapshot.'),
      interactive: flag('Print only interactive elements.'),
      compact: flag('Leave out structure without content.'),
      depth: number('<n>', 'Maximum number of levels.'),
      selector: text('<css>', 'Print only the part that matches this CSS selector.'),
      frame: text('<css>', 'Print only the frame that matches this CSS selector.'),
      labels: flag('Also take a screenshot with the refs drawn on it.'),
      limit: number('<n>', 'Maximum number of nodes, for the format aria.'),
      'max-chars': number('<n>', 'Maximum number of characters; 0 means no limit.'),
    },
  }),
  row('screenshot', 'Take a screenshot of a page.', {
    options: {
      'full-page': flag('Capture the whole page.'),
      ref: text('<ref>', 'Capture one element, by its ref.'),
      element: text('<css>', 'Capture one element, by a CSS selector.'),
      type: text('<type>', 'Image type: png or jpeg. Default: png.'),
    },
  }),
  row('pdf', 'Save a page as PDF.'),
  row('click', 'Click an element.', {
    args: [refArg],
    options: {
      double: flag('Double-click.'),
      button: text('<button>', 'Mouse button: left, right or middle. Default: left.'),
      modifiers: text('<keys>', 'Keys to hold, comma-separated: Alt, Control, Meta, Shift.'),
    },
  }),
  row('type', 'Type into a field.', {
    args: [refArg, { name: 'text', help: 'Text to type.' }],
    options: { submit: flag('Press Enter afterwards.'), slowly: flag('Type key by key.') },
  }),
  row('press', 'Press a key.', { args: [{ name: 'key', help: 'Key, for example Enter, Escape or Control+a.' }] }),
  row('hover', 'Move the mouse over an element.', { args: [refArg] }),
  row('scrollintoview', 'Scroll an element into view.', { args: [refArg] }),
  row('drag', 'Drag an element to another.', {
    args: [
      { name: 'from', help: 'Ref of the element to drag.' },
      { name: 'to', help: 'Ref of the target.' },
    ],
  }),
  row('select', 'Choose options of a list.', {
    args: [refArg, { name: 'values', rest: true, help: 'Values of the options, comma-separated.' }],
  }),
  row('fill', 'Fill a form.', {
    args: [{ name: 'fields', help: 'Fields as JSON, for example [{"ref":"e1","value":"x"}].' }],
  }),
  row('resize', 'Resize the window of a page.', {
    args: [
      { name: 'width', help: 'Width in pixels.' },
      { name: 'height', help: 'Height in pixels.' },
    ],
  }),
  row('wait', 'Wait for a condition of a page; several can be combined.', {
    options: {
      text: text('<text>', 'Wait until this text appears.'),
      'text-gone': text('<text>', 'Wait until this text disappears.'),
      selector: text('<css>', 'Wait until an element matches this CSS selector.'),
      'to-url': text('<url>', 'Wait for this address; * matches anything.'),
      state: text('<state>', 'Wait for a load state: load, domcontentloaded or networkidle.'),
      fn: text('<code>', 'Wait until this JavaScript expression is true.'),
      time: number('<ms>', 'Wait this many milliseconds.'),
      ...time,
    },
  }),
  row('evaluate', 'Run JavaScript in a page.', {
    args: [{ name: 'fn', help: 'JavaScript expression or function.' }],
    options: { ref: text('<ref>', 'Element to pass to the function.') },
  }),
  row('batch', 'Perform several actions in order.', {
    args: [{ name: 'actions', help: 'Actions as JSON, for example [{"kind":"click","ref":"e1"}].' }],
  }),
  row('upload', 'Upload files to a page.', {
    args: [{ name: 'files', rest: true, help: 'Paths of the files, comma-separated.' }],
    options: {
      ref: text('<ref>', 'Element to click to open the file chooser.'),
      'input-ref': text('<ref>', 'File input, by its ref.'),
      element: text('<css>', 'File input, by a CSS selector.'),
    },
  }),
  row('dialog', 'Answer the next dialog of a page.', {
    options: {
      accept: flag('Accept the dialog.'),
      dismiss: flag('Dismiss the dialog (default).'),
      prompt: text('<text>', 'Text to enter into a prompt.'),
    },
  }),
  row('waitfordownload', 'Wait for the next download.', { options: time }),
  row('download', 'Click an element and save the download it starts.', { args: [refArg], options: time }),
  row('responsebody', 'Wait for a response that a page receives, and print its text.', {
    args: [{ name: 'pattern', help: 'Address of the response; * matches anything.' }],
    options: { 'max-chars': number('<n>', 'Maximum number of characters.'), ...time },
  }),
  row('highlight', 'Highlight an element.', { args: [refArg] }),
  row('console', 'Print the console messages of a page.', {
    options: { level: text('<level>', 'Minimum level: error, warning, info or debug.') },
  }),
  row('errors', 'Print the JavaScript errors of a page.', { options: { clear: flag('Then clear the list.') } }),
  row('requests', 'Print the requests of a page.', {
    options: {
      filter: text('<text>', 'Only requests whose address contains this text.'),
      clear: flag('Then clear the list.'),
    },
  }),
  row('cookies', 'List the cookies.'),
  row('cookies set', 'Set a cookie.', {
    args: [
      { name: 'name', help: 'Name of the cookie.' },
      { name: 'value', help: 'Value of the cookie.' },
    ],
    options: { 'for-url': text('<url>', 'Address that the cookie is for. Default: the current page.') },
  }),
  row('cookies clear', 'Delete all cookies.'),
  row('storage', 'Print the web storage of a page.', {
    args: [
      { name: 'kind', help: 'Storage: local or session.' },
      { name: 'key', optional: true, help: 'Print only this key.' },
    ],
  }),
  row('storage set', 'Store a value in the web storage of a page.', {
    args: [
      { name: 'kind', help: 'Storage: local or session.' },
      { name: 'key', help: 'Key.' },
      { name: 'value', help: 'Value.' },
    ],
  }),
  row('storage clear', 'Clear the web storage of a page.', {
    args: [{ name: 'kind', help: 'Storage: local or session.' }],
  }),
  setting('offline', 'Disable or enable the network of a page.', {
    on: flag('Disable the network.'),
    off: flag('Enable the network again.'),
  }),
  setting('headers', 'Send headers with every request.', {
    headers: text('<json>', 'Headers as JSON: {"name":"value"}.'),
  }),
  setting('credentials', 'Set the credentials for HTTP authentication.', {
    username: text('<name>', 'User name.'),
    password: text('<text>', 'Password.'),
    clear: flag('Remove the credentials.'),
  }),
  setting('geolocation', 'Set the location that pages see.', {
    latitude: number('<n>', 'Latitude in degrees.'),
    longitude: number('<n>', 'Longitude in degrees.'),
    accuracy: number('<m>', 'Accuracy in meters.'),
    clear: flag('Remove the location.'),
  }),
  setting('media', 'Set the color scheme that pages see.', {
    scheme: text('<scheme>', 'Color scheme: dark, light, no-preference or none.'),
  }),
  setting('timezone', 'Set the time zone.', { zone: text('<zone>', 'Time zone, for example Europe/Berlin.') }),
  setting('locale', 'Set the language that pages see.', { locale: text('<locale>', 'Language, for example de-DE.') }),
  setting('device', 'Emulate a device.', { device: text('<name>', 'Name of the device, for example "iPhone 15".') }),
  row('trace start', 'Start recording a trace.'),
  row('trace stop', 'Stop the trace and save it.'),
];
