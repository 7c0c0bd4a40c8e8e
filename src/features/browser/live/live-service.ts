/** Serves the Browser page of the Control UI: browsers and tabs, pictures, control, downloads. */
import { AppError } from '../../../core/errors.ts';
import { present } from '../../../core/present.ts';
import type { ClientLink } from '../../../host/clients.ts';
import { readPart } from '../platform/read-part.ts';
import type { BrowserAnswers } from '../answers.ts';
import type { BrowserCore } from '../browser-core.ts';
import { tabById } from '../driver/choose-tab.ts';
import type { Tab } from '../driver/tab.ts';
import type { Profile } from '../profiles/resolve-profiles.ts';
import { titleOf } from '../routes/tab-routes.ts';
import type { PersonInput } from './person-input.ts';
import type { Viewers } from './viewers.ts';

export interface TabNamed {
  readonly profile?: string | undefined;
  readonly targetId: string;
}

export interface LiveService {
  overview(link: ClientLink | undefined): Promise<BrowserAnswers['browser.overview']>;
  watch(link: ClientLink, tab: TabNamed): Promise<BrowserAnswers['browser.watch']>;
  unwatch(link: ClientLink, targetId: string | undefined): BrowserAnswers['browser.unwatch'];
  control(link: ClientLink, tab: TabNamed & { readonly take: boolean }): Promise<BrowserAnswers['browser.control']>;
  input(
    link: ClientLink,
    tab: TabNamed & { readonly inputs: readonly PersonInput[] },
  ): Promise<BrowserAnswers['browser.input']>;
  file(of: { readonly id: string; readonly offset: number }): Promise<BrowserAnswers['browser.file']>;
  left(link: ClientLink): void;
}

export interface LiveServiceDeps {
  readonly core: BrowserCore;
  readonly viewers: Viewers;
}

/** Bytes of a file in one answer. */
const PART = 512 * 1024;

export function createLiveService({ core, viewers }: LiveServiceDeps): LiveService {
  const tabNamed = async ({ profile, targetId }: TabNamed): Promise<Tab> => {
    const now = core.browserOf(core.profile(profile)).now;
    if (!now) throw new AppError('conflict', 'The browser is not running.');
    return tabById(await now.tabs.all(), targetId);
  };
  return {
    async overview(link) {
      const { enabled } = core.deps.config();
      const profiles = await Promise.all(core.profiles().map((one) => profileFacts(one, link, { core, viewers })));
      const downloads = core.downloads.all().map(({ path, ...one }) => ({ ...one, ...present({ path }) }));
      return { enabled, profiles, downloads };
    },
    watch: async (link, named) => viewers.watch(link, await tabNamed(named)),
    unwatch(link, targetId) {
      viewers.unwatch(link, targetId);
      return { ok: true };
    },
    async control(link, named) {
      const tab = await tabNamed(named);
      if (named.take) viewers.take(link, tab);
      else viewers.release(link, tab);
      return { targetId: tab.targetId, control: viewers.controlOf(link, tab) };
    },
    async input(link, named) {
      await viewers.input(link, await tabNamed(named), named.inputs);
      return { ok: true };
    },
    async file({ id, offset }) {
      const found = core.downloads.find(id);
      if (found?.path === undefined || found.bytes === undefined)
        throw new AppError('not_found', 'There is no such download, or it is not finished.');
      const part = await readPart(found.path, { offset, bytes: PART });
      if (!part) throw new AppError('not_found', `The file "${found.name}" is not there any more.`);
      const next = offset + part.length;
      return {
        name: found.name,
        size: found.bytes,
        content: Buffer.from(part).toString('base64'),
        ...present({ nextOffset: part.length > 0 && next < found.bytes ? next : undefined }),
      };
    },
    left: (link) => viewers.left(link),
  };
}

async function profileFacts(
  profile: Profile,
  link: ClientLink | undefined,
  { core, viewers }: LiveServiceDeps,
): Promise<BrowserAnswers['browser.overview']['profiles'][number]> {
  const now = core.browserOf(profile).now;
  // The initial empty tab of a browser has no owner.
  const tabs = ((await now?.tabs.all()) ?? []).filter(({ owner, page }) => owner || page.url() !== 'about:blank');
  const { name, color, isDefault, isRemote, attachOnly } = profile;
  return {
    name,
    color,
    isDefault,
    isRemote,
    attachOnly,
    running: now !== undefined,
    ...present({ version: now?.connected.version }),
    tabs: await Promise.all(tabs.filter(({ page }) => !page.isClosed()).map((tab) => tabFacts(tab, link, viewers))),
  };
}

async function tabFacts(tab: Tab, link: ClientLink | undefined, viewers: Viewers) {
  const { targetId, page, owner, lastUsedAt, hooks } = tab;
  return {
    targetId,
    title: await titleOf(page),
    url: page.url(),
    lastUsedAt,
    control: viewers.controlOf(link, tab),
    crashed: tab.crashed,
    ...present({ sessionKey: owner?.sessionKey, dialog: hooks.dialog }),
  };
}
