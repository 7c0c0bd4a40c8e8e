/** The icons: drawn for this page on a 20 × 20 grid with one stroke. */
import { html, svg, type TemplateResult } from 'lit';

const PATHS = {
  chat: 'M4 5.5A1.5 1.5 0 0 1 5.5 4h9A1.5 1.5 0 0 1 16 5.5v6a1.5 1.5 0 0 1-1.5 1.5H9l-3.5 3v-3A1.5 1.5 0 0 1 4 11.5z',
  setup: 'M10 3.5l1.7 4.3 4.3 1.7-4.3 1.700L10 15.500l-1.700-4.300L4 9.500l4.300-1.700z',
  models: 'M10 3.500l6 3.200v6.600l-6 3.200-6-3.200V6.700zM4 6.700l6 3.300 6-3.300M10 10v6.500',
  sessions: 'M3.500 5.500h9v7h-9zM7 15.500h9.500v-7.500M6 8.200h4M6 10.200h3',
  debug: 'M6.5 8.5h7v4a3.5 3.5 0 0 1-7 0zM7.5 8.5a2.5 2.5 0 0 1 5 0M3.5 11h3M13.5 11h3M4.5 6.5l2 2M15.5 6.5l-2 2',
  overview: 'M3.5 10.5h3l2-5 3 9 2-4h3',
  channels: 'M8 4 6.5 16M13.5 4 12 16M4.5 8h12M3.5 12.5h12',
  cron: 'M4 5.5h12v10H4zM4 8.8h12M7.2 3.8v3M12.8 3.8v3',
  processes: 'M4 4.5h12v11H4zM6.8 8l2.2 2-2.2 2M10.5 12.3h3',
  config: 'M4 6h6m4 0h2M4 14h2m4 0h6M12 4v4M8 12v4',
  logs: 'M5 5h10M5 8.3h10M5 11.7h7M5 15h4',
  devices: 'M3.5 5.5h9v7h-9zM6 15.5h4M15 8h1.5v7.5H13V14',
  plus: 'M10 4.5v11M4.5 10h11',
  search: 'M9 14a5 5 0 1 0 0-10 5 5 0 0 0 0 10zm3.6-1.4L16 16',
  menu: 'M3.5 6h13M3.5 10h13M3.5 14h13',
  more: 'M5 10h.01M10 10h.01M15 10h.01',
  send: 'M10 15.5v-11M5.5 9 10 4.5 14.5 9',
  stop: 'M6.5 6.5h7v7h-7z',
  image: 'M4 4.5h12v11H4zM4.5 13l3.5-3.5 3 3 2-2 3 3M12.5 7.5h.01',
  attach: 'M14.8 9.3l-5 5a3.1 3.1 0 0 1-4.4-4.4l5.4-5.4a2.1 2.1 0 0 1 3 3l-5.4 5.3a1 1 0 0 1-1.5-1.4l4.7-4.7',
  mic: 'M10 12a2.2 2.2 0 0 0 2.2-2.2V6a2.2 2.2 0 0 0-4.4 0v3.8A2.2 2.2 0 0 0 10 12zM5.5 9.8a4.5 4.5 0 0 0 9 0M10 14.3v2.2',
  sound: 'M4 8.5v3M7 6v8M10 4v12M13 7v6M16 8.5v3',
  film: 'M3.5 5.5h9v9h-9zM12.5 9l4-2.5v7l-4-2.5',
  file: 'M5.5 3.5h6l3 3v10h-9zM11.5 3.5v3h3M8 10.5h4M8 13.2h4',
  table: 'M4 4.5h12v11H4zM4 8.2h12M4 11.8h12M8.5 8.2v7.3',
  archive: 'M4 4.5h12v3H4zM5 7.5v8h10v-8M8.5 10.5h3',
  link: 'M8.5 11.5l3-3M9 6.5l1.3-1.3a3 3 0 0 1 4.3 4.3L13.3 10.8M11 13.5l-1.3 1.3a3 3 0 0 1-4.3-4.3L6.7 9.2',
  skip: 'M5 10h10',
  copy: 'M7.5 7.5h8v8h-8zM12.5 7.5v-3h-8v8h3',
  check: 'M4.5 10.5 8 14l7.5-8',
  close: 'M5.5 5.5l9 9m0-9-9 9',
  clock: 'M10 16.5a6.5 6.5 0 1 0 0-13 6.5 6.5 0 0 0 0 13zM10 6.5V10l2.5 1.5',
  chevron: 'M7.5 5.5 12 10l-4.5 4.5',
  down: 'M10 4.5v11M5.5 11l4.5 4.5 4.5-4.5',
  tool: 'M12.5 4.2a3.5 3.5 0 0 0-3.4 4.7L4.3 13.7a1.4 1.4 0 0 0 2 2l4.8-4.8a3.5 3.5 0 0 0 4.6-4.3l-2.2 2.1-1.9-.4-.400-1.9z',
  thought: 'M10 3.8a4.4 4.4 0 0 0-2.5 8c.4.3.6.7.6 1.2h3.8c0-.5.2-.9.6-1.2a4.4 4.4 0 0 0-2.5-8zM8.3 15.5h3.4',
  retry: 'M15.5 10a5.5 5.5 0 1 1-1.6-3.9M14.5 3.5v3h-3',
  edit: 'M4.5 15.5v-2.7l8-8 2.7 2.7-8 8z',
  warn: 'M10 4l6.5 11.5h-13zM10 8.5v3M10 13.5h.01',
  system: 'M3.5 5h13v8h-13zM7.5 16h5',
  sun: 'M10 13a3 3 0 1 0 0-6 3 3 0 0 0 0 6zM10 3v1.5M10 15.5V17M3 10h1.5M15.5 10H17M5 5l1 1M14 14l1 1M15 5l-1 1M6 14l-1 1',
  moon: 'M15.5 11.8A6 6 0 0 1 8.2 4.5a6 6 0 1 0 7.3 7.3z',
  branch: 'M6 4.5v11M6 12.5c0-4 7.500-2 7.5-6M4.5 4.5h3M12 6.5h3M4.5 15.5h3',
  pin: 'M7 4h6M8 4v4.5L5.5 11.5h9L12 8.5V4M10 11.5v5',
  bell: 'M5.500 13.500V9a4.500 4.500 0 0 1 9 0v4.500l1.200 1.500H4.300zM8.300 15.500a1.700 1.700 0 0 0 3.400 0',
  steer: 'M4 10h9M9.5 6l4 4-4 4M16 5v10',
} as const;

export type IconName = keyof typeof PATHS;

export const icon = (name: IconName): TemplateResult => drawn(PATHS[name]);

/** The icon of a page: its own path, otherwise the icon of its name, otherwise a tool. */
export const pageIcon = (id: string, path?: string): TemplateResult =>
  drawn(path ?? (Object.hasOwn(PATHS, id) ? PATHS[id as IconName] : PATHS.tool));

const drawn = (path: string): TemplateResult =>
  html`<svg class="icon" viewBox="0 0 20 20" width="20" height="20" fill="none" stroke="currentColor" stroke-width="1.6"
    stroke-linecap="round" stroke-linejoin="round" aria-hidden="true">${svg`<path d=${path} />`}</svg>`;
