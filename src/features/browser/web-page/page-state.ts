/** State of a profile or page besides its documents: cookies, storage, emulation. */
import { AppError } from '../../../core/errors.ts';
import { isZone } from '../../../platform/time-zone.ts';
import type { Tab } from '../driver/tab.ts';
import { flag, invalid, number, required, text, type Params } from './act-request.ts';
import { inPage } from './in-page.ts';
import { present } from '../../../core/present.ts';

type Answer = Readonly<Record<string, unknown>>;
const done = { ok: true } as const;

export async function setCookie({ page }: Tab, params: Params): Promise<Answer> {
  const cookie = params['cookie'];
  if (typeof cookie !== 'object' || cookie === null)
    throw invalid('cookie required: {name, value, url} or with domain and path.');
  const one = cookie as Params;
  const place = text(one, 'url');
  const [domain, path] = [text(one, 'domain'), text(one, 'path')];
  if (place === undefined && (domain === undefined || path === undefined))
    throw invalid('cookie needs url, or domain and path.');
  const sameSite = text(one, 'sameSite');
  if (sameSite !== undefined && !['Lax', 'None', 'Strict'].includes(sameSite))
    throw invalid('sameSite must be Lax, None or Strict.');
  await page.context().addCookies([
    {
      name: required(one, 'name'),
      value: String(one['value'] ?? ''),
      ...(place === undefined ? { domain: domain!, path: path! } : { url: place }),
      ...present({
        expires: number(one, 'expires'),
        httpOnly: flag(one, 'httpOnly'),
        secure: flag(one, 'secure'),
        sameSite: sameSite as 'Lax' | undefined,
      }),
    },
  ]);
  return done;
}

export function storageOf(kind: string): 'localStorage' | 'sessionStorage' {
  if (kind === 'local') return 'localStorage';
  if (kind === 'session') return 'sessionStorage';
  throw invalid('The kind of storage is local or session.');
}

export async function readStorage({ page }: Tab, kind: string, key: string | undefined): Promise<Answer> {
  const values = await page.evaluate(
    inPage<string | null, Record<string, string>>(
      `(key) => Object.fromEntries(Object.entries(window.${storageOf(kind)}).filter(([name]) => key === null ` +
        `|| name === key))`,
    ),
    key ?? null,
  );
  return { ...done, values };
}

export async function writeStorage({ page }: Tab, kind: string, params: Params): Promise<Answer> {
  const entry = { key: required(params, 'key'), value: String(params['value'] ?? '') };
  await page.evaluate(
    inPage<typeof entry, void>(`({ key, value }) => window.${storageOf(kind)}.setItem(key, value)`),
    entry,
  );
  return done;
}

export async function clearStorage({ page }: Tab, kind: string): Promise<Answer> {
  await page.evaluate(inPage<undefined, void>(`() => window.${storageOf(kind)}.clear()`), undefined);
  return done;
}

/** By the last part of the path `/set/…`. */
export const SETTINGS: Readonly<Record<string, (tab: Tab, params: Params) => Promise<void>>> = {
  async offline({ page }, params) {
    const offline = flag(params, 'offline');
    if (offline === undefined) throw invalid('offline required: true or false.');
    await page.context().setOffline(offline);
  },
  async headers({ page }, params) {
    const headers = params['headers'];
    if (typeof headers !== 'object' || headers === null) throw invalid('headers required: names and values.');
    await page
      .context()
      .setExtraHTTPHeaders(Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)])));
  },
  async credentials({ page }, params) {
    if (flag(params, 'clear')) return page.context().setHTTPCredentials(null);
    await page
      .context()
      .setHTTPCredentials({ username: required(params, 'username'), password: String(params['password'] ?? '') });
  },
  async geolocation({ page }, params) {
    const context = page.context();
    if (flag(params, 'clear')) {
      await context.setGeolocation(null);
      return context.clearPermissions();
    }
    const [latitude, longitude, accuracy] = [
      number(params, 'latitude'),
      number(params, 'longitude'),
      number(params, 'accuracy'),
    ];
    if (latitude === undefined || longitude === undefined) throw invalid('latitude and longitude required');
    const origin = text(params, 'origin') ?? new URL(page.url()).origin;
    await context.grantPermissions(['geolocation'], origin === 'null' ? {} : { origin });
    await context.setGeolocation({ latitude, longitude, ...present({ accuracy }) });
  },
  async media({ page }, params) {
    const scheme = text(params, 'colorScheme');
    if (!['dark', 'light', 'no-preference', 'none'].includes(scheme ?? ''))
      throw invalid('colorScheme must be dark, light, no-preference or none.');
    await page.emulateMedia({ colorScheme: scheme === 'none' ? null : (scheme as 'dark') });
  },
  async timezone({ cdp }, params) {
    const timezoneId = required(params, 'timezoneId');
    if (!isZone(timezoneId)) throw unknownTo('timezoneId');
    await cdp.send('Emulation.setTimezoneOverride', { timezoneId });
  },
  async locale({ cdp }, params) {
    const locale = required(params, 'locale');
    if (!/^[a-z]{2,3}(?:-[a-z0-9]{2,8})*$/i.test(locale)) throw unknownTo('locale');
    await cdp.send('Emulation.setLocaleOverride', { locale });
  },
  async device({ page, cdp }, params) {
    const name = required(params, 'name');
    const { devices } = await import('playwright-core');
    const device = devices[name];
    if (!device)
      throw new AppError('not_found', `There is no device "${name.slice(0, 80)}", e.g. "iPhone 15" or "Pixel 7".`);
    await page.setViewportSize(device.viewport);
    await cdp.send('Emulation.setUserAgentOverride', { userAgent: device.userAgent });
    await cdp.send('Emulation.setTouchEmulationEnabled', { enabled: device.hasTouch });
  },
};

/** Browsers silently accept unknown names. */
const unknownTo = (what: string): AppError => new AppError('invalid', `The browser does not take this ${what}.`);
