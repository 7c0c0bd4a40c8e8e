/** Journal tables of canvases: surfaces, the content of each canvas, and the links that open them. */
import { present } from '../../core/present.ts';
import type { JournalTables } from '../../journal/tables.ts';
import type { Row, Sqlite, SqlSession } from '../../platform/sqlite.ts';
import type { Surface, Surfaces } from './surface/surface.ts';
import { EMPTY_VIEW, type CanvasView } from './surface/canvas-feed.ts';

/** A canvas is looked at long after its last change: 90 days where messages have 14. */
const LONGER_MS = 76 * 24 * 3_600_000;

const SCHEMA = `
CREATE TABLE IF NOT EXISTS a2ui_surface (
  session_key TEXT NOT NULL, surface_id TEXT NOT NULL,
  body TEXT NOT NULL,                    -- Surface without its data
  data TEXT NOT NULL,                    -- its data model
  updated_at INTEGER NOT NULL,
  PRIMARY KEY (session_key, surface_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS a2ui_surface_age ON a2ui_surface (updated_at);

CREATE TABLE IF NOT EXISTS a2ui_view (
  session_key TEXT PRIMARY KEY, body TEXT NOT NULL -- CanvasView, and "at": when it changed
) STRICT, WITHOUT ROWID;

CREATE TABLE IF NOT EXISTS a2ui_link (
  token TEXT PRIMARY KEY, session_key TEXT NOT NULL,
  surface_id TEXT NOT NULL,              -- empty: the whole canvas
  created_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX IF NOT EXISTS a2ui_link_of ON a2ui_link (session_key, surface_id);
`;

const PUT = `INSERT INTO a2ui_surface (session_key, surface_id, body, data, updated_at) VALUES (?,?,?,?,?)
  ON CONFLICT DO UPDATE SET body = excluded.body, data = excluded.data, updated_at = excluded.updated_at`;
const PUT_DATA = 'UPDATE a2ui_surface SET data = ?, updated_at = ? WHERE session_key = ? AND surface_id = ?';
const DELETE = 'DELETE FROM a2ui_surface WHERE session_key = ? AND surface_id = ?';
const PUT_VIEW = `INSERT INTO a2ui_view (session_key, body) VALUES (?,?)
  ON CONFLICT DO UPDATE SET body = excluded.body`;
const OLD_SURFACES =
  'SELECT session_key, surface_id FROM a2ui_surface WHERE updated_at < ? ORDER BY updated_at LIMIT ?';
/** What a canvas shows and the links to it go once it has been empty for as long. */
const NO_SURFACE = 'NOT EXISTS (SELECT 1 FROM a2ui_surface AS s WHERE s.session_key = old.session_key)';
const OLD_VIEWS = `SELECT session_key AS view_of FROM a2ui_view AS old
  WHERE coalesce(json_extract(body, '$.at'), 0) < ? AND ${NO_SURFACE} LIMIT ?`;
const OLD_LINKS = `SELECT token FROM a2ui_link AS old WHERE created_at < ? AND ${NO_SURFACE}
  AND NOT EXISTS (SELECT 1 FROM a2ui_view AS v WHERE v.session_key = old.session_key) LIMIT ?`;
const LIST = `SELECT session_key, count(*) AS surfaces, max(updated_at) AS updated_at FROM a2ui_surface
  GROUP BY session_key ORDER BY updated_at DESC LIMIT ?`;

/** What a canvas holds; it can be written as JSON. */
export interface CanvasState {
  readonly surfaces: Surfaces;
  readonly view: CanvasView;
}

/** What a link opens. */
export interface CanvasLink {
  readonly token: string;
  readonly sessionKey: string;
  /** Absent: the whole canvas. */
  readonly surfaceId?: string;
}

/** One canvas among all that hold something. */
export interface CanvasEntry {
  readonly sessionKey: string;
  readonly surfaces: number;
  readonly updatedAt: number;
}

/** Canvases as the journal keeps them. Writes resolve when they outlast the process. */
export interface CanvasRows {
  read(sessionKey: string): CanvasState;
  /** Writes what differs between the two at the time of the commit: `before` is what was written last. */
  save(sessionKey: string, change: () => { readonly before: CanvasState; readonly after: CanvasState }): Promise<void>;
  /** Deletes all there is of this session. */
  forget(sessionKey: string): Promise<void>;
  /** Newest first. */
  list(limit: number): readonly CanvasEntry[];
  findLink(token: string): CanvasLink | undefined;
  /** The link of this canvas or surface; `token` is taken where there is none yet, or `renew` ends the old one. */
  link(wanted: CanvasLink, renew: boolean): Promise<CanvasLink>;
}

/** The canvases in the journal. */
export const CANVAS_TABLES: JournalTables<CanvasRows> = {
  schema: SCHEMA,
  open: createCanvasRows,
  old: (db, before, limit) =>
    [OLD_SURFACES, OLD_VIEWS, OLD_LINKS].flatMap((query) => db.all(query, before - LONGER_MS, limit)).slice(0, limit),
  forget: (db, { token, view_of: viewOf, session_key: key, surface_id: id }) => {
    if (token !== undefined) db.run('DELETE FROM a2ui_link WHERE token = ?', token);
    else if (viewOf !== undefined) db.run('DELETE FROM a2ui_view WHERE session_key = ?', viewOf);
    else db.run(DELETE, key!, id!);
  },
};

const SOFT = { sync: false };

function createCanvasRows(sql: Sqlite, now: () => number): CanvasRows {
  return {
    read: (sessionKey) => readCanvas(sql.read, sessionKey),
    save: (sessionKey, change) => sql.write((db) => writeChange(db, sessionKey, change(), now()), SOFT),
    forget: (sessionKey) =>
      sql.write((db) => {
        for (const table of ['a2ui_surface', 'a2ui_view', 'a2ui_link'])
          db.run(`DELETE FROM ${table} WHERE session_key = ?`, sessionKey);
      }),
    list: (limit) =>
      sql.read.all(LIST, limit).map((row) => ({
        sessionKey: String(row['session_key']),
        surfaces: Number(row['surfaces']),
        updatedAt: Number(row['updated_at']),
      })),
    findLink: (token) => linkOf(sql.read.get('SELECT * FROM a2ui_link WHERE token = ?', token)),
    link: ({ token, sessionKey, surfaceId = '' }, renew) =>
      sql.write((db) => {
        if (renew) db.run('DELETE FROM a2ui_link WHERE session_key = ? AND surface_id = ?', sessionKey, surfaceId);
        db.run('INSERT INTO a2ui_link VALUES (?,?,?,?) ON CONFLICT DO NOTHING', token, sessionKey, surfaceId, now());
        return linkOf(
          db.get('SELECT * FROM a2ui_link WHERE session_key = ? AND surface_id = ?', sessionKey, surfaceId),
        )!;
      }),
  };
}

function linkOf(row: Row | undefined): CanvasLink | undefined {
  if (!row) return undefined;
  const surfaceId = String(row['surface_id']);
  return {
    token: String(row['token']),
    sessionKey: String(row['session_key']),
    ...present({ surfaceId: surfaceId === '' ? undefined : surfaceId }),
  };
}

function readCanvas(db: SqlSession, sessionKey: string): CanvasState {
  const rows = db.all('SELECT * FROM a2ui_surface WHERE session_key = ?', sessionKey);
  const view = db.get('SELECT body FROM a2ui_view WHERE session_key = ?', sessionKey);
  const surfaces = rows.map((row) => {
    const surface = {
      ...(JSON.parse(String(row['body'])) as Surface),
      data: JSON.parse(String(row['data'])) as Surface['data'],
    };
    return [surface.id, surface] as const;
  });
  return {
    surfaces: Object.fromEntries(surfaces),
    view: view ? viewOf(String(view['body'])) : EMPTY_VIEW,
  };
}

function viewOf(body: string): CanvasView {
  const { visible, url } = JSON.parse(body) as CanvasView;
  return { visible, ...present({ url }) };
}

/** Most changes are of data: then the components are not written again. */
function writeChange(
  db: SqlSession,
  sessionKey: string,
  { before, after }: { readonly before: CanvasState; readonly after: CanvasState },
  at: number,
): void {
  for (const id of Object.keys(before.surfaces)) if (!Object.hasOwn(after.surfaces, id)) db.run(DELETE, sessionKey, id);
  for (const [id, surface] of Object.entries(after.surfaces)) {
    const old = Object.hasOwn(before.surfaces, id) ? before.surfaces[id] : undefined;
    if (old === surface) continue;
    const { data, ...body } = surface;
    const sameBody =
      old?.components === surface.components && old.root === surface.root && old.styles === surface.styles;
    if (sameBody) db.run(PUT_DATA, JSON.stringify(data), at, sessionKey, id);
    else db.run(PUT, sessionKey, id, JSON.stringify(body), JSON.stringify(data), at);
  }
  if (before.view !== after.view) db.run(PUT_VIEW, sessionKey, JSON.stringify({ ...after.view, at }));
}
