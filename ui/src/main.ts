/** Starts the Control UI; it connects to another gateway than its own only after confirmation. */
import './styles/index.css';
import { createApp } from './app.ts';
import './app-shell.ts';
import { painted } from './elements/painted.ts';
import { pageIds } from './page-table.ts';
import { gatewayAddress, parseRoute } from './routes.ts';

const AGREED = 'clawdbot.gateway-url';
const { base } = parseRoute(location.pathname, location.search, pageIds);
const { url, foreign } = gatewayAddress(location, base);

async function chooseGateway(): Promise<string> {
  if (!foreign || sessionStorage.getItem(AGREED) === foreign) return foreign ?? url;
  const { confirmGateway } = await import('./elements/confirm-gateway.ts');
  if (!(await confirmGateway(foreign))) {
    history.replaceState(null, '', location.pathname + location.hash);
    return url;
  }
  sessionStorage.setItem(AGREED, foreign);
  return foreign;
}

/** Not awaited by the module: pages and dialogs, fetched later, import the file it is built into. */
async function start(): Promise<void> {
  const app = createApp(await chooseGateway());
  document.querySelector('claw-app')!.start(app);
  app.connection.start();
  await painted();
  // Needed with the first answer: it comes while the connection is made.
  void import('./elements/markdown-view.ts');
  void import('./pwa/start-pwa.ts').then(({ startPwa }) => startPwa(app));
}

void start();
