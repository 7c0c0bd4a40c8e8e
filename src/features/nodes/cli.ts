/** The command table of nodes. */
import type { Command } from '../../cli/command.ts';
import { client, flag, json, number, text } from '../../cli/options.ts';

const node = { name: 'node', help: 'Name, id or address of the node, or the first six characters of its id.' };
const request = { name: 'request', help: 'Request id, from `nodes pending`.' };
const end = { ...json, ...client };
const run = async () => import('./commands.ts');

export const heading = 'Channels and people';

export const commands: readonly Command[] = [
  {
    name: 'nodes status',
    aliases: ['nodes', 'nodes list'],
    summary: 'List nodes, connected ones first, and pending requests.',
    options: end,
    load: async () => (await run()).nodesStatus,
  },
  {
    name: 'nodes describe',
    summary: 'Show what a node offers, what it does not offer and why, and what is in use.',
    args: [node],
    options: end,
    load: async () => (await run()).nodesDescribe,
  },
  {
    name: 'nodes pending',
    summary: 'List nodes that wait for approval, with the commands they offer.',
    options: end,
    load: async () => (await run()).nodesPending,
  },
  {
    name: 'nodes approve',
    summary: 'Approve a node with the commands it offers.',
    args: [request],
    options: end,
    load: async () => (await run()).nodesApprove,
  },
  {
    name: 'nodes reject',
    summary: 'Reject the request of a node.',
    args: [request],
    options: end,
    load: async () => (await run()).nodesReject,
  },
  {
    name: 'nodes rename',
    summary: 'Rename a paired node.',
    args: [node, { name: 'name', help: 'Its new name.', rest: true }],
    options: end,
    load: async () => (await run()).nodesRename,
  },
  {
    name: 'nodes remove',
    summary: 'Remove a node: it is disconnected, and needs both approvals to come back.',
    args: [node],
    options: end,
    load: async () => (await run()).nodesRemove,
  },
  {
    name: 'nodes invoke',
    summary: 'Invoke a command of a node and print its result; an image or recording is saved as a file.',
    examples: ['nodes invoke desk system.which --params \'{"bins": ["git"]}\'', 'nodes invoke phone location.get'],
    args: [node, { name: 'command', help: 'Command of the node, from `nodes describe`.' }],
    options: {
      params: text('<json>', 'Parameters as a JSON object.'),
      timeout: number('<ms>', 'Timeout in milliseconds. Default: the usual timeout of the command.'),
      out: text('<file>', 'File of a picture or recording. Default: <command>-<time> in the current folder.'),
      ...end,
    },
    load: async () => (await run()).nodesInvoke,
  },
  {
    name: 'nodes notify',
    summary: 'Show a notification on a node.',
    args: [node, { name: 'text', help: 'Text of the notification.', rest: true }],
    options: { title: text('<title>', 'Title of the notification.'), ...end },
    load: async () => (await run()).nodesNotify,
  },
  {
    name: 'nodes snap',
    aliases: ['nodes camera snap'],
    summary: 'Take a picture with the camera of a node, and save it.',
    args: [node],
    options: {
      out: text('<file>', 'File to write. Default: camera-<time>.jpg in the current folder.'),
      facing: text('<side>', 'front or back.'),
      device: text('<id>', 'One camera, from `nodes invoke <node> camera.list`.'),
      ...end,
    },
    load: async () => (await run()).nodesSnap,
  },
  {
    name: 'nodes record',
    aliases: ['nodes screen record'],
    summary: 'Record the screen or the camera of a node, and save it.',
    args: [node],
    options: {
      out: text('<file>', 'File to write. Default: screen-<time>.mp4 in the current folder.'),
      camera: flag('Record the camera instead of the screen.'),
      seconds: number('<n>', 'Duration in seconds, at most 60. Default: 10; camera: 3.'),
      ...end,
    },
    load: async () => (await run()).nodesRecord,
  },
  {
    name: 'nodes location',
    summary: 'Show the location of a node.',
    args: [node],
    options: end,
    load: async () => (await run()).nodesLocation,
  },
];
