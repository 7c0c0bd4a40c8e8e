/** The base of all elements: rendered into the page itself so that one stylesheet rules, and able to watch stores. */
import { LitElement } from 'lit';
import type { Store } from '../gateway/store.ts';

export class LightElement extends LitElement {
  #watched: Store<unknown>[] = [];
  #ends: (() => void)[] = [];

  protected override createRenderRoot(): this {
    return this;
  }

  /** Renders again whenever one of these changes, for as long as the element is in the page. */
  protected watch(...stores: Store<never>[] | Store<any>[]): void {
    this.#watched.push(...(stores as Store<unknown>[]));
    if (this.isConnected) this.#subscribe(stores as Store<unknown>[]);
  }

  #subscribe(stores: readonly Store<unknown>[]): void {
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
