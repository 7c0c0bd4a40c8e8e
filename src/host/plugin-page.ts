/** A Control UI page of a plugin, whose files the gateway serves. */
/** One page: its address, its title, its icon and the folder with its files. */
export interface FeaturePage {
  /** Its address beside the other pages. */
  readonly id: string;
  readonly title: string;
  /** An SVG path on a 20 × 20 grid. */
  readonly icon?: string;
  /** Absolute; `index.js` in it defines the element `claw-<id>`. */
  readonly folder: string;
}
