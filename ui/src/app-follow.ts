/** Keeps the app state in step with the gateway: after connecting, after lost events, and with each event. */
import type { App } from './app.ts';
import { mainKey } from './app-state.ts';
import { agentName } from './gateway/agents.ts';
import { readHealth } from './gateway/health.ts';
import { isDisconnected } from './gateway/requests.ts';
import { withSample } from './gateway/trend.ts';
import type { AgentEvent, ChatEvent, EventFrame, Hello, SessionsChangedEvent, TextDelta } from './gateway/wire.ts';

type Followed = Omit<App, 'refreshHealth'>;

export async function refreshHealth({ request, health, trend }: Pick<App, 'request' | 'health' | 'trend'>) {
  try {
    const [status, report] = await Promise.all([request('status'), request('health')]);
    health.set(readHealth(report, status));
    trend.update((samples) => withSample(samples, health.get(), Date.now()));
  } catch (cause) {
    if (!isDisconnected(cause)) throw cause;
  }
}

/** Fetches all data whose change events may have been missed. */
export function resume(app: Followed): void {
  app.chat.resume();
  void app.sessions.refresh({ anew: true });
  void refreshHealth(app);
  void fetchApprovals(app);
  void fetchAgents(app);
}

/** The connection stands; it may be a new one. */
export function greeted(app: Followed, greeting: Hello): void {
  const { hello, health, chat, sessions } = app;
  hello.set(greeting);
  health.set({ ...readHealth(greeting.snapshot.health), ...health.get() });
  if (!chat.store.get().current) chat.adopt(mainKey(app));
  if (app.offers('sessions.subscribe'))
    void app.request('sessions.subscribe').catch((cause: unknown) => console.info('No session events.', cause));
  sessions.addDraft(chat.store.get().current);
  sessions.markSeen(chat.store.get().current);
  resume(app);
}

export function receive(app: Followed, event: EventFrame): void {
  const { chat, health, sessions, approvalService } = app;
  if (event.event === 'chat') chat.onChat(event.payload as ChatEvent);
  else if (event.event === 'chat.delta') chat.onDelta(event.payload as TextDelta);
  else if (event.event === 'agent') chat.onAgent(event.payload as AgentEvent);
  else if (event.event === 'health') health.set({ ...health.get(), ...readHealth(event.payload) });
  else if (event.event === 'agents.changed') void fetchAgents(app);
  else if (event.event === 'sessions.changed') {
    const { sessionKey, reason } = event.payload as SessionsChangedEvent;
    if (reason === 'delete') sessions.forget(sessionKey);
    sessions.refreshSoon();
  } else if (event.event.startsWith('exec.approval.')) void approvalService().then((service) => service.onEvent(event));
}

/** Agents are named only if there are several. */
async function fetchAgents({ offers, request, agents, sessions }: Followed): Promise<void> {
  if (!offers('agents.list')) return;
  try {
    const { agents: all } = await request('agents.list');
    agents.set(all);
    sessions.nameAgents(all.length > 1 ? Object.fromEntries(all.map((agent) => [agent.id, agentName(agent)])) : {});
  } catch (cause) {
    if (!isDisconnected(cause)) throw cause;
  }
}

async function fetchApprovals({ offers, request, approvals, approvalService }: Followed): Promise<void> {
  if (!offers('exec.approval.list')) return;
  try {
    const list = await request('exec.approval.list');
    if (list.length + approvals.get().length > 0) (await approvalService()).reset(list);
  } catch (cause) {
    // A client without the scope for approvals is not notified of them.
    console.info('No approvals.', cause);
  }
}
