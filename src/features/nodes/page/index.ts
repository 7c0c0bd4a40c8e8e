/** `<claw-nodes>`: paired devices with their camera, screen, location and programs. */
import { html, nothing } from 'lit';
import type { App } from '../../../../ui/src/app.ts';
import { ask, confirmed } from '../../../../ui/src/elements/dialogs.ts';
import { LightElement } from '../../../../ui/src/elements/light-element.ts';
import { ownCommand } from '../../../../ui/src/elements/own-command.ts';
import { toast } from '../../../../ui/src/elements/toast.ts';
import { isDisconnected, messageOf } from '../../../../ui/src/gateway/requests.ts';
import type { NodeView, WireNodeRequest } from '../answers.ts';
import { nodeCard, requestRow, type NodeActs } from './node-card.ts';
import './nodes.css';

/** A node says much at once when it comes. */
const SOON_MS = 200;

export class NodesPage extends LightElement {
  static override properties = {
    nodes: { state: true },
    pending: { state: true },
    pictures: { state: true },
    busy: { state: true },
    problem: { state: true },
  };
  declare app: App;
  declare nodes: readonly NodeView[] | undefined;
  declare pending: readonly WireNodeRequest[];
  /** Of this visit, by node. */
  declare pictures: Readonly<Record<string, string>>;
  /** Ids of nodes to which something is being done. */
  declare busy: ReadonlySet<string>;
  declare problem: string;
  #leave: (() => void) | undefined;
  #soon: ReturnType<typeof setTimeout> | undefined;

  constructor() {
    super();
    this.pending = [];
    this.pictures = {};
    this.busy = new Set();
    this.problem = '';
  }

  override connectedCallback(): void {
    super.connectedCallback();
    const arrived = this.app.whenConnected(() => void this.#load());
    const watched = this.app.on(({ event }) => {
      if (!event.startsWith('node.')) return;
      clearTimeout(this.#soon);
      this.#soon = setTimeout(() => void this.#load(), SOON_MS);
    });
    this.#leave = () => {
      arrived();
      watched();
      clearTimeout(this.#soon);
    };
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#leave?.();
  }

  override render(): unknown {
    const { nodes, pending, problem } = this;
    return html`<div class="column wide pad">
      ${problem ? html`<p class="strip bad" role="alert">${problem}</p>` : nothing}
      ${
        this.app.offers('device.pair.invite')
          ? html`<p class="row-actions"><button class="button" @click=${() => void this.#invite()}>Connect a phone or
              browser</button></p>`
          : nothing
      }
      ${
        pending.length > 0
          ? html`<section class="card"><h2>Waiting for approval</h2><ul class="rows">${pending.map((request) =>
              requestRow(request, (decision) => void this.#decide(request, decision)),
            )}</ul></section>`
          : nothing
      }
      ${nodes === undefined ? html`<p class="quiet">Loading…</p>` : nodes.length === 0 ? this.#none() : nodes.map((node) => nodeCard(node, this.#actsOf(node)))}
    </div>`;
  }

  /** The code is drawn by a part of its own, which comes with the first press. */
  async #invite(): Promise<void> {
    const { showInvite } = await import('./invite.ts');
    await showInvite(this.app);
  }

  #none(): unknown {
    return html`<section class="card"><h2>No nodes</h2>
      <p>A node is another machine that lends the agent its camera, screen, location, notifications, programs,
      or a window for its canvas (<code>--canvas</code>).
      A phone or browser becomes one with the button above. On another computer, run:</p>
      <pre class="mono node-start" tabindex="0">${ownCommand('node install --camera --screen --canvas')}
${ownCommand('node run --url <address of this gateway>')}</pre></section>`;
  }

  #actsOf(node: NodeView): NodeActs {
    return {
      picture: this.pictures[node.nodeId],
      busy: this.busy.has(node.nodeId),
      snap: (one) => void this.#snap(one),
      notify: (one) => void this.#notify(one),
      rename: (one) => void this.#rename(one),
      remove: (one) => void this.#remove(one),
    };
  }

  async #snap(node: NodeView): Promise<void> {
    await this.#with(node, async () => {
      const payload = (await this.#invoke(node, 'camera.snap', { format: 'jpg', maxWidth: 840 })) as {
        readonly format?: string;
        readonly base64?: string;
      };
      const kind = payload.format === 'png' ? 'png' : 'jpeg';
      this.pictures = { ...this.pictures, [node.nodeId]: `data:image/${kind};base64,${payload.base64 ?? ''}` };
    });
  }

  async #notify(node: NodeView): Promise<void> {
    const body = await ask({
      title: `Notify ${node.displayName ?? 'this node'}`,
      body: 'The text is shown on its screen.',
      action: 'Notify',
      value: 'Hello from Clawdbot',
    });
    if (!body?.trim()) return;
    await this.#with(node, async () => {
      await this.#invoke(node, 'system.notify', { body });
      toast('Shown');
    });
  }

  async #rename(node: NodeView): Promise<void> {
    const displayName = await ask({
      title: 'Rename this node',
      body: 'People and the agent call it by this name.',
      action: 'Rename',
      value: node.displayName ?? '',
    });
    if (!displayName?.trim()) return;
    await this.#with(node, () => this.app.request('node.rename', { nodeId: node.nodeId, displayName }));
  }

  async #remove(node: NodeView): Promise<void> {
    const sure = await confirmed({
      title: `Remove ${node.displayName ?? 'this node'}?`,
      body: 'It is disconnected at once. To come back it needs both approvals again: the device, and its commands.',
      action: 'Remove',
      danger: true,
    });
    if (sure) await this.#with(node, () => this.app.request('node.pair.remove', { nodeId: node.nodeId }));
  }

  async #decide({ requestId, nodeId }: WireNodeRequest, decision: 'approve' | 'reject'): Promise<void> {
    await this.#with({ nodeId }, async () => {
      await this.app.request(`node.pair.${decision}`, { requestId });
      toast(decision === 'approve' ? 'Approved' : 'Rejected');
    });
  }

  async #invoke({ nodeId }: NodeView, command: string, params: object): Promise<unknown> {
    const idempotencyKey = crypto.randomUUID();
    return (await this.app.request('node.invoke', { nodeId, command, params, idempotencyKey })).payload;
  }

  async #with({ nodeId }: Pick<NodeView, 'nodeId'>, act: () => Promise<unknown>): Promise<void> {
    this.busy = new Set([...this.busy, nodeId]);
    try {
      await act();
    } catch (cause) {
      toast(messageOf(cause), 'bad');
    }
    this.busy = new Set([...this.busy].filter((id) => id !== nodeId));
    await this.#load();
  }

  async #load(): Promise<void> {
    try {
      const [{ nodes }, { pending }] = await Promise.all([
        this.app.request('node.list'),
        this.app.offers('node.pair.list') ? this.app.request('node.pair.list') : { pending: [] },
      ]);
      this.nodes = nodes;
      this.pending = pending;
      this.problem = '';
    } catch (cause) {
      if (!isDisconnected(cause)) this.problem = messageOf(cause);
    }
  }
}

customElements.define('claw-nodes', NodesPage);
