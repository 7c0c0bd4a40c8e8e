/** What `/etc` holds in the box: a few files of the machine that programs need, and the rest written for it. */
import { join } from 'node:path';
import { readTextIfExists, writeFileAtomic } from '../../../platform/files.ts';
import { INSIDE_HOME } from '../backend.ts';

/** Never all of it: hashes of passwords, keys of services and their settings live there too. */
const SHARED = [
  'ld.so.cache', 'ld.so.conf', 'ld.so.conf.d', 'alternatives', 'localtime', 'timezone', 'os-release', 'debian_version', 'protocols', 'services',
  'mime.types', 'magic', 'inputrc', 'terminfo', 'locale.alias', 'fonts',
  'ssl/certs', 'ssl/openssl.cnf', 'ca-certificates', 'ca-certificates.conf', 'pki/ca-trust', 'pki/tls/certs', 'pki/tls/cert.pem',
  'pki/tls/openssl.cnf', 'crypto-policies',
];
const FOR_NETWORK = ['resolv.conf', 'gai.conf', 'host.conf'];

const WRITTEN: Readonly<Record<string, string>> = {
  passwd: `root:x:0:0:root:/:/bin/sh\nsandbox:x:1000:1000:sandbox:${INSIDE_HOME}:/bin/sh\nnobody:x:65534:65534:nobody:/:/bin/false\n`,
  group: 'root:x:0:\nsandbox:x:1000:\nnogroup:x:65534:\n',
  hosts: '127.0.0.1 localhost sandbox\n::1 localhost\n',
  'nsswitch.conf': 'passwd: files\ngroup: files\nhosts: files dns\nservices: files\nprotocols: files\n',
};

/** Arguments for bubblewrap. */
export function etcArguments(folder: string, network: boolean): readonly string[] {
  const shared = [...SHARED, ...(network ? FOR_NETWORK : [])].flatMap((name) => ['--ro-bind-try', `/etc/${name}`, `/etc/${name}`]);
  return [...shared, ...Object.keys(WRITTEN).flatMap((name) => ['--ro-bind', join(folder, name), `/etc/${name}`])];
}

/** Throws `AppError('storage')`. */
export async function writeEtc(folder: string): Promise<void> {
  await Promise.all(Object.entries(WRITTEN).map(async ([name, content]) => {
    const path = join(folder, name);
    if ((await readTextIfExists(path)) !== content) await writeFileAtomic(path, content, { sync: false });
  }));
}
