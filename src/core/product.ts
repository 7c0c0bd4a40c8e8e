/** The product's name and constants that appear in more than one place; the only spot to rename it. */

export const PRODUCT = 'clawdbot';
/** Every name the product goes by on the wire, ours first. */
export const PRODUCT_NAMES = [PRODUCT, 'moltbot', 'openclaw'] as const;
export const PRODUCT_LABEL = 'Clawdbot';
export const DEFAULT_PORT = 18789;
export const DEFAULT_AGENT_ID = 'main';
export const DEFAULT_ACCOUNT_ID = 'default';
export const DEFAULT_MAIN_KEY = 'main';
/** The model's answer when it wants nothing said. */
export const SILENT_REPLY = 'NO_REPLY';
