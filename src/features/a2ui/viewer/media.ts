/** Renders images, audio and video: own files and data immediately, other hosts as settings and the person allow. */
import { html, type TemplateResult } from 'lit';
import { mediaAddress } from '../surface/safe-url.ts';
import type { ShownNode } from '../surface/resolve.ts';
import { wordsOf } from '../surface/text-parts.ts';
import type { Drawing } from './host-page.ts';
import { iconOf } from './icons.ts';

const KINDS = { Image: 'image', Video: 'video', AudioPlayer: 'audio' } as const;
const FITS = ['contain', 'cover', 'fill', 'none', 'scale-down'];
const SIZES = ['icon', 'avatar', 'smallFeature', 'mediumFeature', 'largeFeature', 'header'];

export function drawMedia(node: ShownNode, { page }: Drawing): TemplateResult {
  const kind = KINDS[node.type as keyof typeof KINDS];
  const address = mediaAddress(node.props['url'], kind, page.remoteMedia, page.allowedHosts);
  if (address.kind === 'load') return loaded(node, kind, address.url);
  if (address.kind === 'refused')
    return html`<p class="placeholder" role="note">${iconOf('photo')}<span>No ${kind}: ${address.why}.</span></p>`;
  const { host } = address;
  return html`<button type="button" class="ask" @click=${() => page.allowHost(host)}>
    ${iconOf('download')}<span>Load media from ${host}</span>
  </button>`;
}

function loaded(node: ShownNode, kind: 'image' | 'video' | 'audio', url: string): TemplateResult {
  const described = wordsOf(node.props['description'] ?? node.props['altText']);
  if (kind === 'video') return html`<video controls preload="metadata" src=${url}></video>`;
  if (kind === 'audio')
    return html`<figure>
      ${described ? html`<figcaption>${described}</figcaption>` : ''}
      <audio controls preload="metadata" src=${url}></audio>
    </figure>`;
  const fit = FITS.find((name) => name === node.props['fit']) ?? 'fill';
  const size = SIZES.find((name) => name === node.props['usageHint']) ?? '';
  return html`<img
    class="image ${size}"
    style="object-fit: ${fit}"
    src=${url}
    alt=${described}
    referrerpolicy="no-referrer"
    loading="lazy"
  />`;
}
