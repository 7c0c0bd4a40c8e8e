/** The product's name, and constants that appear in several places. */

/** The product's name in lower case, as it stands in identifiers. */
export const PRODUCT = 'clawdbot';
/** Every name the product goes by on the wire, ours first. */
export const PRODUCT_NAMES = [PRODUCT, 'moltbot', 'openclaw'] as const;
/** The name as people read it. */
export const PRODUCT_LABEL = 'Clawdbot';
/** Where the gateway listens when nothing says otherwise. */
export const DEFAULT_PORT = 18789;
/** The agent there is when none is configured. */
export const DEFAULT_AGENT_ID = 'main';
/** The account whose settings stand directly in the channel's section. */
export const DEFAULT_ACCOUNT_ID = 'default';
/** The channel of the product's own chat: the Control UI and the terminal. What is said there stays in its session. */
export const OWN_CHANNEL = 'webchat';
/** The last part of the key of an agent's main session. */
export const DEFAULT_MAIN_KEY = 'main';
/** The model's answer when it wants nothing said. */
export const SILENT_REPLY = 'NO_REPLY';
