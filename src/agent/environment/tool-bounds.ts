/**
 * The access of the tools of one turn: folders, commands, pictures, the network. Direct tool calls have the same
 * bounds.
 */
import { join } from 'node:path';
import type { ToolsConfig } from '../config.ts';
import type { AccessConfig } from '../../config/access-config.ts';
import { present } from '../../core/present.ts';
import type { ToolContextFactory } from '../turn/run-turn.ts';
import type { Shell } from '../../core/shell.ts';
import type { FetchFile, Tool } from '../../core/tool.ts';
import type { ToolEnvironment, Workplace, ToolRequester } from '../../host/tool-environment.ts';
import type { createPictures } from './pictures.ts';
import { othersFiles, receivedFolders, readOnlyFiles, type ReceivedFiles } from './own-files.ts';

export interface ToolBoundsDeps {
  readonly shellOf: ToolEnvironment['shellOf'];
  readonly pictures: ReturnType<typeof createPictures>;
  readonly fetchFile: FetchFile;
  readonly media: ReceivedFiles;
  readonly home: string;
  readonly stateDir: string;
  readonly docsPath: string;
  /** The folders of all agents, absolute. */
  agentWorkspaces(): readonly string[];
  /** What lies elsewhere than it usually does: the configuration, the jobs; absolute. */
  ownFiles(): readonly string[];
  config(): { readonly tools: ToolsConfig; readonly access: AccessConfig };
}

export interface ToolBounds {
  /** `seesPictures`: every model that may answer takes pictures. */
  of(whose: ToolRequester & { readonly tools: readonly Tool[]; readonly seesPictures?: boolean }): ToolContextFactory;
}

/** Of the state directory: who may reach the gateway, with which keys, and what it remembers of people. */
const SECRETS = [
  'agents',
  'channels',
  'config',
  'credentials',
  'gateway.held',
  'gateway.lock',
  'gateway.token',
  'identity',
  'journal.sqlite',
  'journal.sqlite-wal',
  'journal.sqlite-shm',
  'logs',
  'restart-sentinel.json',
  'tmp',
];

/** What no tool reads or writes, wherever it may go; absolute. */
export const secretPaths = (stateDir: string, ownFiles: readonly string[]): readonly string[] => [
  ...SECRETS.map((name) => join(stateDir, name)),
  ...ownFiles,
];

/**
 * What other sandboxes hold, where the workspace of this one lies around the state directory; one with a folder of its
 * own has it among them.
 */
function otherBoxes({ sandbox, workspace, agentWorkspace }: Workplace, stateDir: string): readonly string[] {
  return sandbox && workspace === agentWorkspace ? [join(stateDir, 'sandboxes')] : [];
}

const shellIn = (shell: Shell | undefined): { readonly shell?: Shell } => (shell ? { shell } : {});

export function createToolBounds(deps: ToolBoundsDeps): ToolBounds {
  const skills = join(deps.stateDir, 'skills');
  return {
    of({ tools, seesPictures, ...whose }) {
      const { turn, place } = whose;
      // A box shows what is in it and nothing else; skills and documentation hold no secrets.
      const {
        authority,
        route: { sessionKey },
      } = turn;
      const { open } = deps.config().access;
      const received = receivedFolders({ authority, sessionKey }, deps.media, open);
      const readableRoots = [skills, deps.docsPath, ...received];
      const deniedPaths = [...secretPaths(deps.stateDir, deps.ownFiles()), ...otherBoxes(place, deps.stateDir)];
      const readOnly = readOnlyFiles(authority, { workspaces: deps.agentWorkspaces(), skills }, open);
      const closed = received.includes(deps.media.folder)
        ? undefined
        : {
            folder: deps.media.folder,
            but: received,
            access: othersFiles(authority, open),
            why: 'was received in another conversation; only files of this conversation can be opened here.',
          };
      const confined = place.sandbox !== undefined || deps.config().tools.fs.workspaceOnly;
      const bounds = {
        ...whose,
        readableRoots,
        writesEverywhere: !confined,
        deniedPaths,
        readOnlyPaths: readOnly?.paths ?? [],
        mayBackground: tools.some((tool) => tool.tendsProcesses),
      };
      return {
        of: (callId) => ({
          workspace: place.workspace,
          readableRoots,
          deniedPaths,
          mediaFolder: deps.media.folderOf(sessionKey),
          ...present({ readOnly, closed, seesPictures }),
          confined,
          sandboxed: place.sandbox !== undefined,
          ...(place.sandbox ? { workspaceShownAs: place.shownAs } : { home: deps.home }),
          ...shellIn(deps.shellOf(bounds, callId)),
          describePicture: deps.pictures.describer(turn.route, turn.id),
          fetchFile: deps.fetchFile,
        }),
      };
    },
  };
}
