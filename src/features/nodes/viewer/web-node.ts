/** The node of this page: its connection, permissions, current use, and the actions of the person. */
import { capabilitiesOf, unavailableNow, type Capability } from './capabilities.ts';
import type { Identity } from './identity.ts';
import type { NodeStorage, SharedText } from './node-storage.ts';
import { Link, LinkError, type LinkState, type Offer } from './link.ts';
import { NodeError } from './node-error.ts';
import { deviceFamily, isHidden, usualName } from './browser-facts.ts';
import { createScreenShare } from './screen.ts';
import { createServe, inBackground, type Serve, type Use } from './serve.ts';
import { createShownCanvas } from './shown-canvas.ts';
import { createSwitches, type Switches } from './switches.ts';

/** Whether a person at the gateway approved the commands of this node. */
export type Approval = 'unknown' | 'waiting' | 'approved' | 'rejected' | 'removed';

export interface WebNodeDeps {
  readonly keeping: NodeStorage;
  readonly identity: Identity;
  /** The secret of the invitation in the opened address. */
  readonly invitation: string | undefined;
  /** Renders the page again. */
  changed(): void;
}

interface Remembered {
  readonly name: string;
  readonly deviceToken: string | undefined;
  readonly shared: readonly SharedText[];
}

/** Reads the stored state, and connects. */
export async function startNode(deps: WebNodeDeps): Promise<WebNode> {
  const { keeping } = deps;
  const node = new WebNode(deps, {
    name: (await keeping.read('name')) ?? usualName(),
    deviceToken: await keeping.read('deviceToken'),
    shared: (await keeping.read('shared')) ?? [],
  });
  await node.begin();
  return node;
}

export class WebNode {
  readonly capabilities: readonly Capability[];
  /** The beginning of the id, which the gateway shows with the request. */
  readonly code: string;
  name: string;
  state: LinkState = { kind: 'connecting' };
  approval: Approval = 'unknown';
  uses: readonly Use[] = [];
  shared: readonly SharedText[];
  notice: string | undefined;
  readonly #deps: WebNodeDeps;
  readonly #screen = createScreenShare();
  readonly #canvas;
  readonly #link: Link;
  readonly #serve: Serve;
  #switches: Switches | undefined;
  #deviceToken: string | undefined;
  #invitation: string | undefined;

  constructor(deps: WebNodeDeps, { name, deviceToken, shared }: Remembered) {
    this.#deps = deps;
    this.name = name;
    this.shared = shared;
    this.code = deps.identity.id.slice(0, 12);
    this.#deviceToken = deviceToken;
    this.#invitation = deps.invitation;
    this.#canvas = createShownCanvas(deps.changed);
    this.capabilities = capabilitiesOf(this.#screen, this.#canvas, () => this.#switches?.switchOff('screen'));
    this.#link = new Link({
      url: new URL('../', location.href).href.replace(/^http/, 'ws'),
      identity: deps.identity,
      offer: () => this.#offer(),
      credentials: () =>
        this.#deviceToken === undefined ? { bootstrapToken: this.#invitation } : { deviceToken: this.#deviceToken },
      gotToken: (token) => this.#gotToken(token),
      onState: (state) => this.#entered(state),
      onEvent: (event, payload) => this.#onEvent(event, payload),
    });
    this.#serve = createServe({
      link: this.#link,
      find: (command) =>
        this.capabilities.find(({ commands }) => Object.hasOwn(commands, command))?.commands[command] ?? undefined,
      refusal: (command) => this.#unavailable()[command],
      isOn: (id) => this.isOn(id),
      isHidden,
      onUses: (uses) => this.#show({ uses }),
    });
  }

  async begin(): Promise<void> {
    this.#switches = await createSwitches(this.#deps.keeping, this.capabilities, () => {
      this.#deps.changed();
      void this.#report();
    });
    this.#link.start();
  }

  isOn(id: Capability['id']): boolean {
    return this.#switches?.on.has(id) === true;
  }

  isBlocked(id: Capability['id']): boolean {
    return this.#switches?.blocked.has(id) === true;
  }

  /** Address of what the agent shows on this page. */
  get canvas(): string | undefined {
    return this.#canvas.url;
  }

  // Actions of the person.

  async toggle(capability: Capability): Promise<void> {
    const { id, code, title } = capability;
    this.#show({ notice: undefined });
    if (!this.isOn(id)) return this.#show({ notice: await this.#switches?.switchOn(capability) });
    if (id === 'screen') this.#screen.end();
    if (id === 'canvas') this.#canvas.hide();
    const why = new NodeError(`${code}_DISABLED`, `${title.toLowerCase()} was switched off on the page of the node`);
    this.#serve.stop(why, ({ what }) => what === id);
    this.#switches?.switchOff(id);
  }

  stop(use: Use): void {
    this.#serve.stop(new NodeError('STOPPED', 'the person at the device stopped it'), ({ id }) => id === use.id);
  }

  closeCanvas(): void {
    this.#canvas.hide();
  }

  async rename(written: string): Promise<void> {
    const name = written.trim().slice(0, 100);
    if (name === '' || name === this.name) return;
    await this.#deps.keeping.write('name', name);
    this.#show({ name });
    this.#link.stop();
    this.#link.start();
  }

  async sendShared({ id, text }: SharedText): Promise<void> {
    const payload = { message: text, key: `share-${id}`, thinking: 'low', deliver: false };
    try {
      const answer = await this.#event('agent.request', payload);
      if (!answer.handled) return this.#show({ notice: `Not sent: ${answer.reason ?? 'the gateway refused it'}.` });
      await this.dropShared(id);
      this.#show({ notice: 'Sent to the agent.' });
    } catch (cause) {
      if (!(cause instanceof LinkError)) throw cause;
      this.#show({ notice: `Not sent: ${cause.message}` });
    }
  }

  async dropShared(id: string): Promise<void> {
    const shared = this.shared.filter((one) => one.id !== id);
    await this.#deps.keeping.write('shared', shared);
    this.#show({ shared });
  }

  reconnect(): void {
    this.#link.start();
  }

  /** Also deletes the key: this browser then needs a new invitation and a new approval. */
  async forget(): Promise<void> {
    this.#link.stop();
    this.#screen.end();
    await this.#deps.keeping.clear();
    location.reload();
  }

  // Events of the page.

  hidden(): void {
    this.#serve.stop(inBackground(), ({ what }) => what !== 'screen');
    void this.#report();
  }

  shown(): void {
    this.#link.wake();
    void this.#report();
    void this.#deps.keeping.read('shared').then((shared = []) => this.#show({ shared }));
  }

  left(): void {
    this.#link.stop();
  }

  // Events of the gateway.

  #offer(): Offer {
    const usable = this.capabilities.filter(({ missing }) => missing() === undefined);
    return {
      name: this.name,
      deviceFamily: deviceFamily(),
      caps: ['requester', ...usable.map(({ id }) => id)],
      commands: usable.flatMap(({ commands }) => Object.keys(commands)),
      permissions: this.#permissions(),
    };
  }

  #permissions(): Readonly<Record<string, boolean>> {
    return Object.fromEntries(this.capabilities.map(({ id }) => [id, this.isOn(id)]));
  }

  #unavailable(): Readonly<Record<string, string>> {
    return unavailableNow(this.capabilities, {
      isOn: (id) => this.isOn(id),
      isBlocked: (id) => this.isBlocked(id),
    });
  }

  #gotToken(token: string | undefined): void {
    this.#deviceToken = token;
    if (token !== undefined) this.#invitation = undefined;
    void this.#deps.keeping.write('deviceToken', token);
  }

  #entered(state: LinkState): void {
    if (state.kind !== 'connected')
      this.#serve.stop(new NodeError('NODE_DISCONNECTED', 'the connection to the gateway was lost'));
    this.#show({ state });
    if (state.kind === 'connected') void this.#report();
  }

  #onEvent(event: string, payload: unknown): void {
    if (event === 'node.invoke.request') this.#serve.take(payload);
    if (event === 'node.invoke.cancel') this.#serve.cancel((payload as { readonly id: string }).id);
    if (event === 'node.pair.resolved')
      this.#show({ approval: (payload as { readonly decision: 'approved' | 'rejected' | 'removed' }).decision });
  }

  /** Reports the current state to the gateway; the answer says whether the node is approved. */
  async #report(): Promise<void> {
    if (!this.#link.connected) return;
    const payload = { unavailable: this.#unavailable(), permissions: this.#permissions(), background: isHidden() };
    try {
      const { reason } = await this.#event('node.report', payload);
      const waits = reason === 'waiting for approval';
      if (!waits || this.approval !== 'rejected') this.#show({ approval: waits ? 'waiting' : 'approved' });
    } catch (cause) {
      if (!(cause instanceof LinkError)) throw cause; // the report is repeated after the reconnect
    }
  }

  #event(event: string, payload: object): Promise<{ readonly handled: boolean; readonly reason?: string }> {
    return this.#link.call('node.event', { event, payload });
  }

  #show(patch: Partial<Pick<WebNode, 'name' | 'state' | 'approval' | 'uses' | 'shared' | 'notice'>>): void {
    Object.assign(this, patch);
    this.#deps.changed();
  }
}
