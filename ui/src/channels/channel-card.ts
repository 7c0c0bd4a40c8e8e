/** One account of a channel: its status, its problems with what to do, and its actions. */
import { html, nothing, type TemplateResult } from 'lit';
import { icon } from '../elements/icons.ts';
import { ago, exactTime } from '../elements/times.ts';
import type { ChannelAccount, ChannelProblem } from '../gateway/wire.ts';
import { credentialWords, gateWords, selfWords, standing } from './channel-words.ts';

export interface Card {
  readonly channel: string;
  readonly label: string;
  readonly account: ChannelAccount;
  /** The channel has several accounts. */
  readonly several: boolean;
  readonly probing: boolean;
  readonly restarting: boolean;
  probe(): void;
  /** Absent if the gateway does not offer it, or this device lacks the scope. */
  restart?: (() => void) | undefined;
  /** Absent if the channel has no login, or this device lacks the scope. */
  logIn?: (() => void) | undefined;
  logOut?: (() => void) | undefined;
}

export function channelCard(card: Card): TemplateResult {
  const { account, label, several } = card;
  const state = standing(account);
  const title = account.name ?? (several || account.accountId !== 'default' ? account.accountId : '');
  return html`<article class="channel ${state.tone}" aria-label="${label}${title ? ` ${title}` : ''}">
    <header class="channel-head"><i class="dot ${state.tone}"></i><h2>${label}${
      title
        ? html` <span
      class="quiet">${title}</span>`
        : nothing
    }</h2><span
      class="channel-state ${state.tone}">${state.words}</span></header>
    ${account.self ? html`<p class="channel-self">${selfWords(account.self)}</p>` : nothing}
    <dl class="channel-facts">
      ${fact('Last received', when(account.lastInboundAt))}
      ${fact('Last sent', when(account.lastOutboundAt))}
      ${fact('Connected', account.connected ? when(account.lastConnectedAt) : nothing)}
      ${fact('Receives by', account.mode ?? nothing)}
      ${fact('Who may write', gateWords(account) || nothing)}
      ${fact('Secrets', credentialWords(account) || nothing)}
    </dl>
    ${problems(account)}
    <footer class="channel-actions">
      <button class="button small" ?disabled=${card.probing || !account.running} @click=${() =>
        card.probe()}>${card.probing ? 'Testing…' : 'Test connection'}</button>
      ${
        card.restart
          ? html`<button class="button small" ?disabled=${card.restarting} @click=${() =>
              card.restart?.()}>${icon('retry')}${card.restarting ? 'Connecting…' : 'Reconnect'}</button>`
          : nothing
      }
      ${
        card.logIn && !account.connected
          ? html`<button class="button small primary" @click=${() => card.logIn?.()}>Log in</button>`
          : nothing
      }
      ${
        card.logOut && account.connected
          ? html`<button class="button small" @click=${() => card.logOut?.()}>Log out</button>`
          : nothing
      }
      ${probeLine(account)}
    </footer>
  </article>`;
}

const fact = (name: string, value: unknown): unknown =>
  value === nothing ? nothing : html`<div><dt>${name}</dt><dd>${value}</dd></div>`;

const when = (at: number | undefined): unknown =>
  at === undefined
    ? html`<span class="quiet">none since the gateway started</span>`
    : html`<time title=${exactTime(at)}>${ago(at, Date.now())}</time>`;

/** Shows the last error once, even if it is also a problem. */
function problems({ problems: known, lastError, connected, enabled, configured }: ChannelAccount): unknown {
  const said = known.some(
    ({ message }) => lastError === undefined || message.includes(lastError) || lastError.includes(message),
  );
  const all: readonly ChannelProblem[] =
    !connected && enabled && configured && lastError && !said
      ? [{ kind: 'runtime', message: lastError }, ...known]
      : known;
  return all.length === 0
    ? nothing
    : html`<ul class="channel-problems">${all.map(
        ({ kind, message, fix }) =>
          html`<li class=${kind === 'security' ? 'warn' : 'bad'}>${icon('warn')}<span>${message}${
            fix ? html`<small>${fix}</small>` : nothing
          }</span></li>`,
      )}</ul>`;
}

/** A successful probe from before the connection was lost is not shown. */
function probeLine({ probe, lastProbeAt, connected }: ChannelAccount): unknown {
  if (!probe || (probe.ok && !connected)) return nothing;
  const at = lastProbeAt === undefined ? '' : ago(lastProbeAt, Date.now());
  return html`<p class="channel-probe ${probe.ok ? 'good' : 'bad'}" role="status">${
    probe.ok ? 'Working' : 'Not working'
  }${probe.detail ? `: ${probe.detail}` : ''}${
    probe.ok && probe.ms !== undefined ? ` (${Math.round(probe.ms)} ms)` : ''
  } <span class="quiet">${at}</span></p>`;
}
