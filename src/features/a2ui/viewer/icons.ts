/** The icons of the standard catalog, as SVG paths on a 24 × 24 grid. */
import { html, type TemplateResult } from 'lit';

const BELL = 'M6 17h12l-1.5-2.5V10a4.5 4.5 0 0 0-9 0v4.5zM10 20h4';
const EYE =
  'M2.5 12S6 5.5 12 5.5 21.5 12 21.5 12 18 18.5 12 18.5 2.5 12 2.5 12zM12 9.2a2.8 2.8 0 1 0 0 5.6 2.8 2.8 0 0 0 0-5.6';
const HEART = 'M12 20S4 15 4 9.3A4.3 4.3 0 0 1 12 7a4.3 4.3 0 0 1 8 2.3C20 15 12 20 12 20z';
const STAR = 'M12 3.5l2.6 5.4 5.9.8-4.3 4.1 1 5.9-5.2-2.8-5.2 2.8 1-5.9-4.3-4.1 5.9-.8z';
const STRIKE = 'M4 4l16 16';
const CALENDAR = 'M4.5 6h15v14h-15zM4.5 10h15M8.5 3.5V8M15.5 3.5V8';
const LOCK = 'M5.5 11h13v9.5h-13zM12 14.5v2.5';
const CIRCLE = 'M12 3.5a8.5 8.5 0 1 0 0 17 8.5 8.5 0 0 0 0-17';

const PATHS: Readonly<Record<string, string>> = {
  accountCircle: `${CIRCLE}M12 7.5a2.7 2.7 0 1 0 0 5.4 2.7 2.7 0 0 0 0-5.4M6.8 18.2a6 6 0 0 1 10.4 0`,
  add: 'M12 5v14M5 12h14',
  arrowBack: 'M19 12H5M11 6l-6 6 6 6',
  arrowForward: 'M5 12h14M13 6l6 6-6 6',
  attachFile: 'M8 12.5l6.5-6.5a3 3 0 0 1 4.3 4.3L11 18.2a5 5 0 0 1-7-7l7-7',
  calendarToday: CALENDAR,
  call: 'M6 4h3.5l1.5 4.5-2 1.6a11 11 0 0 0 5 5l1.6-2 4.4 1.4V18a2 2 0 0 1-2 2A15 15 0 0 1 4 6a2 2 0 0 1 2-2z',
  camera: 'M4 8h3.5L9 5.5h6L16.5 8H20v11H4zM12 10a3.3 3.3 0 1 0 0 6.6 3.3 3.3 0 0 0 0-6.6',
  check: 'M5 12.5l4.5 4.5L19 7.5',
  close: 'M6 6l12 12M18 6L6 18',
  delete: 'M5 7h14M9.5 7V4.5h5V7M7 7l.8 13h8.4L17 7M10.3 10.5v6M13.7 10.5v6',
  download: 'M12 4v11M7.5 11l4.5 4.5 4.5-4.5M5 19.5h14',
  edit: 'M4.5 19.5l1-4L16 5l3 3L8.5 18.5zM14 7l3 3',
  error: `${CIRCLE}M12 7.5v5.5M12 16v.6`,
  event: `${CALENDAR}M13 13.5h3v3h-3z`,
  favorite: HEART,
  favoriteOff: `${HEART}${STRIKE}`,
  folder: 'M3.5 6h6l2 2.5h9V19h-17z',
  help: `${CIRCLE}M9.6 9.5a2.5 2.5 0 1 1 3.6 2.3c-.8.4-1.2.9-1.2 1.9M12 16.5v.6`,
  home: 'M4 11.5L12 4.5l8 7M6 10v9.5h12V10M10 19.5v-5h4v5',
  info: `${CIRCLE}M12 11v5.5M12 7.6v.6`,
  locationOn:
    'M12 21s-6.5-6-6.5-11a6.5 6.5 0 0 1 13 0c0 5-6.5 11-6.5 11zM12 7.7a2.3 2.3 0 1 0 0 4.6 2.3 2.3 0 0 0 0-4.6',
  lock: `${LOCK}M8.5 11V8a3.5 3.5 0 0 1 7 0v3`,
  lockOpen: `${LOCK}M8.5 11V8a3.5 3.5 0 0 1 6.8-1.2`,
  mail: 'M3.5 6h17v12.5h-17zM3.5 7l8.5 6.5L20.5 7',
  menu: 'M4 7h16M4 12h16M4 17h16',
  moreHoriz: 'M5.5 12h.1M12 12h.1M18.5 12h.1',
  moreVert: 'M12 5.5v.1M12 12v.1M12 18.5v.1',
  notifications: BELL,
  notificationsOff: `${BELL}${STRIKE}`,
  payment: 'M3 6h18v12.5H3zM3 10h18M6 15h4',
  person: 'M12 4.5a3.7 3.7 0 1 0 0 7.4 3.7 3.7 0 0 0 0-7.4M4.5 20a7.5 7.5 0 0 1 15 0',
  phone: 'M7.5 3h9v18h-9zM11 18h2',
  photo: 'M4 5h16v14H4zM4 16.5l4.5-4.5 4 4 2.5-2.5 5 4.5M15.5 8.5v.1',
  print: 'M7 9V4h10v5M4.5 9h15v8H17M7 17H4.5M7 14h10v6H7z',
  refresh: 'M19 8a7.5 7.5 0 1 0 .5 5M19.5 4v4.5H15',
  search: 'M10.5 4.5a6 6 0 1 0 0 12 6 6 0 0 0 0-12M15 15l5 5',
  send: 'M4 12L20 4.5l-4.5 15-4-6zM11.5 13.5L20 4.5',
  settings:
    'M12 9a3 3 0 1 0 0 6 3 3 0 0 0 0-6M12 3v2.5M12 18.5V21M3 12h2.5M18.5 12H21M5.6 5.6l1.8 1.8' +
    'M16.6 16.6l1.8 1.8M18.4 5.6l-1.8 1.8M7.4 16.6l-1.8 1.8',
  share:
    'M17.5 4a2.3 2.3 0 1 0 0 4.6 2.3 2.3 0 0 0 0-4.6M6.5 9.7a2.3 2.3 0 1 0 0 4.6 2.3 2.3 0 0 0 0-4.6' +
    'M17.5 15.4a2.3 2.3 0 1 0 0 4.6 2.3 2.3 0 0 0 0-4.6M8.6 11l6.8-3.6M8.6 13l6.8 3.6',
  shoppingCart: 'M3 4.5h2.5l2.5 11h10l2-8H6.5M9.5 19.5v.1M16.5 19.5v.1',
  star: STAR,
  starHalf: `${STAR}M12 3.5v13.4`,
  starOff: `${STAR}${STRIKE}`,
  upload: 'M12 15.5V4.5M7.5 9L12 4.5 16.5 9M5 19.5h14',
  visibility: EYE,
  visibilityOff: `${EYE}${STRIKE}`,
  warning: 'M12 4l9 16H3zM12 10v5M12 17.3v.5',
};

/** Undefined: there is no icon of this name. */
export function iconOf(name: string): TemplateResult | undefined {
  const path = Object.hasOwn(PATHS, name) ? PATHS[name]! : undefined;
  return path === undefined
    ? undefined
    : html`<svg viewBox="0 0 24 24" width="24" height="24" fill="none" stroke="currentColor" stroke-width="1.7"
        stroke-linecap="round" stroke-linejoin="round" aria-hidden="true"><path d=${path} /></svg>`;
}
