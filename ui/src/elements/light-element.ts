/**
 * The base class of all elements: renders without shadow DOM, so that one stylesheet applies, and subscribes to stores.
 */
import { LitElement } from 'lit';
import type { Store } from '../gateway/store.ts';

export class LightElement extends LitElement {
  #watched: Pick<Store<unknown>, 'subscribe'>[] = [];
  #ends: (() => void)[] = [];

  protected override createRenderRoot(): this {
    return this;
  }

  /** Renders again whenever one of these changes, for as long as the element is in the page. */
  protected watch(...stores: readonly Pick<Store<unknown>, 'subscribe'>[]): void {
    this.#watched.push(...stores);
    if (this.isConnected) this.#subscribe(stores);
  }

  /** Functions that are called when the element leaves the page, such as unsubscribing. */
  protected onLeave(...ends: readonly (() => void)[]): void {
    this.#ends.push(...ends);
  }

  #subscribe(stores: readonly Pick<Store<unknown>, 'subscribe'>[]): void {
    for (const store of stores) this.#ends.push(store.subscribe(() => this.requestUpdate()));
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.#subscribe(this.#watched);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    for (const end of this.#ends.splice(0)) end();
  }
}
