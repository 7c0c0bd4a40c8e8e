/** The tiles at the top of the overview: the gateway's state in eight figures. */
import { html, nothing } from 'lit';
import type { App } from '../app.ts';
import { duration, megabytes } from '../elements/times.ts';
import { isOffline } from '../gateway/health.ts';
import { sparkline } from './sparkline.ts';

/** From the last status of the gateway, and the history while the page was open. */
export function gatewayTiles(app: App): unknown {
  const health = app.health.get();
  const hello = app.hello.get();
  const trend = app.trend.get();
  const up = health.startedAt === undefined ? hello?.snapshot.uptimeMs : Date.now() - health.startedAt;
  return html`
    ${tile(
      'Gateway',
      app.link.get().phase === 'connected' ? (health.phase ?? 'ready') : 'not connected',
      [hello ? `version ${hello.server.version}` : '', up === undefined ? '' : `up ${duration(up)}`]
        .filter(Boolean)
        .join(' · '),
      app.link.get().phase === 'connected' ? 'good' : 'bad',
    )}
    ${tile(
      'Model',
      health.model ? health.model.model : '–',
      health.model
        ? `${health.model.provider}${health.model.source && health.model.source !== health.model.provider ? ` · ${health.model.source}` : ''}`
        : '',
      isOffline(health) ? 'warn' : 'plain',
    )}
    ${tile(
      'Conversations',
      (health.sessions ?? app.sessions.store.get().rows.length).toLocaleString(),
      health.activeTurns === undefined ? '' : `${health.activeTurns} answering · ${health.queuedMessages ?? 0} queued`,
    )}
    ${tile(
      'Queued deliveries',
      String(health.outboxPending ?? 0),
      health.overdue ? `${health.overdue} overdue` : 'none overdue',
      health.overdue ? 'bad' : 'plain',
    )}
    ${tile(
      'Storage',
      health.storage ? (health.storage.ok ? 'writable' : 'not writable') : '–',
      health.storage?.error ?? hello?.snapshot.stateDir ?? '',
      health.storage?.ok === false ? 'bad' : 'good',
    )}
    ${tile(
      'Configuration',
      health.config ? (health.config.safeMode ? 'safe mode' : health.config.valid ? 'valid' : 'invalid') : '–',
      health.config?.source ? `from ${health.config.source}` : (hello?.snapshot.configPath ?? ''),
      health.config && (!health.config.valid || health.config.safeMode) ? 'bad' : 'good',
    )}
    ${tile(
      'Event loop',
      health.eventLoop?.p99Ms === undefined ? '–' : `${health.eventLoop.p99Ms.toFixed(1)} ms`,
      health.eventLoop?.maxMs === undefined ? '' : `worst ${health.eventLoop.maxMs.toFixed(0)} ms`,
      (health.eventLoop?.p99Ms ?? 0) > 100 ? 'warn' : 'plain',
      sparkline(
        trend.map(({ loopMs }) => loopMs),
        'Event loop delay while this page was open',
      ),
    )}
    ${tile(
      'Memory',
      health.rssBytes === undefined ? '–' : megabytes(health.rssBytes),
      'of the gateway process',
      'plain',
      sparkline(
        trend.map(({ rssBytes }) => rssBytes),
        'Memory while this page was open',
      ),
    )}
  `;
}

const tile = (
  label: string,
  value: string,
  detail: string,
  tone: 'plain' | 'good' | 'warn' | 'bad' = 'plain',
  curve: unknown = nothing,
): unknown =>
  html`<div class="tile ${tone}"><span class="tile-label">${label}</span><span class="tile-value">${value}</span><span
    class="tile-detail">${detail}</span>${curve}</div>`;
