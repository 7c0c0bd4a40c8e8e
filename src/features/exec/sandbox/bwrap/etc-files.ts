/** The content of `/etc` in the sandbox: a few files of the machine that programs need, and generated ones. */
import { join } from 'node:path';
import type { BoxUser } from '../../platform/box-user.ts';
import { readTextIfExists, statIfExists, writeFileAtomic } from '../../../../platform/files.ts';
import { INSIDE_HOME } from '../backend.ts';

/** Never all of it: hashes of passwords, keys of services and their settings live there too. */
const SHARED = [
  'ld.so.cache',
  'ld.so.conf',
  'ld.so.conf.d',
  'alternatives',
  'localtime',
  'timezone',
  'os-release',
  'debian_version',
  'protocols',
  'services',
  'mime.types',
  'magic',
  'inputrc',
  'terminfo',
  'locale.alias',
  'fonts',
  'ssl/certs',
  'ssl/openssl.cnf',
  'ca-certificates',
  'ca-certificates.conf',
  'pki/ca-trust',
  'pki/tls/certs',
  'pki/tls/cert.pem',
  'pki/tls/openssl.cnf',
  'crypto-policies',
];
/** Said beforehand who may enter them: what bubblewrap makes on the way is its own user's alone. */
const FOLDERS = ['/etc', '/etc/ssl', '/etc/pki', '/etc/pki/tls'];
const FOR_NETWORK = ['resolv.conf', 'gai.conf', 'host.conf'];

const ORDINARY: BoxUser = { uid: 1000, gid: 1000 };
const written = ({ uid, gid } = ORDINARY): Readonly<Record<string, string>> => ({
  passwd: `root:x:0:0:root:/:/bin/sh\nsandbox:x:${uid}:${gid}:sandbox:${INSIDE_HOME}:/bin/sh\nnobody:x:65534:65534:nobody:/:/bin/false\n`,
  group: `root:x:0:\nsandbox:x:${gid}:\nnogroup:x:65534:\n`,
  hosts: '127.0.0.1 localhost sandbox\n::1 localhost\n',
  'nsswitch.conf': 'passwd: files\ngroup: files\nhosts: files dns\nservices: files\nprotocols: files\n',
});
/** There is nothing to hide in them, and who reads them may not be who wrote them. */
const MODE = 0o644;

export const openFolder = (path: string): readonly string[] => ['--perms', '0755', '--dir', path];

/** Arguments for bubblewrap. */
export function etcArguments(folder: string, network: boolean): readonly string[] {
  const shared = [...SHARED, ...(network ? FOR_NETWORK : [])].flatMap((name) => [
    '--ro-bind-try',
    `/etc/${name}`,
    `/etc/${name}`,
  ]);
  return [
    ...FOLDERS.flatMap(openFolder),
    ...shared,
    ...Object.keys(written()).flatMap((name) => ['--ro-bind', join(folder, name), `/etc/${name}`]),
  ];
}

/** `user`: whom the box runs as; absent: its own number 1000. Throws `AppError('storage')`. */
export async function writeEtc(folder: string, user: BoxUser | undefined): Promise<void> {
  await Promise.all(
    Object.entries(written(user)).map(async ([name, content]) => {
      const path = join(folder, name);
      const [text, facts] = await Promise.all([readTextIfExists(path), statIfExists(path)]);
      if (text !== content || (facts!.mode & MODE) !== MODE)
        await writeFileAtomic(path, content, { mode: MODE, sync: false });
    }),
  );
}
