/**
 * The seccomp filter in the format of Docker. It replaces Docker's default filter, which allows set-id bits: it blocks
 * what that one is documented to block, and what the bubblewrap filter blocks. Other calling conventions than the
 * machine's own end the program. Pure.
 */
import { present } from '../../../../core/present.ts';

interface Condition {
  readonly index: number;
  readonly value: number;
  readonly valueTwo: number;
  readonly op: 'SCMP_CMP_MASKED_EQ';
}
export interface CallRule {
  readonly names: readonly string[];
  readonly action: 'SCMP_ACT_ERRNO';
  readonly errnoRet: number;
  readonly args?: readonly Condition[];
}
export interface CallProfile {
  readonly defaultAction: 'SCMP_ACT_ALLOW';
  readonly syscalls: readonly CallRule[];
}

const [EPERM, ENOSYS, ENOTSUP] = [1, 38, 95];
const SET_ID = [0o4000, 0o2000];
/** `O_CREAT` and `O_TMPFILE`: without them the bits do not count. */
const MAKES = [0o100, 0o20000000];
const [DEVICE, NEW_USERS] = [0o20000, 0x10000000];

/** Calls that nobody in a box needs and that reach beyond it. */
const BEYOND = [
  'acct',
  'add_key',
  'bpf',
  'clock_adjtime',
  'clock_settime',
  'create_module',
  'delete_module',
  'fanotify_init',
  'finit_module',
  'fsconfig',
  'fsmount',
  'fsopen',
  'fspick',
  'get_kernel_syms',
  'get_mempolicy',
  'init_module',
  'ioperm',
  'iopl',
  'kcmp',
  'kexec_file_load',
  'kexec_load',
  'keyctl',
  'lookup_dcookie',
  'mbind',
  'mount',
  'mount_setattr',
  'move_mount',
  'move_pages',
  'nfsservctl',
  'open_by_handle_at',
  'open_tree',
  'perf_event_open',
  'pivot_root',
  'query_module',
  'quotactl',
  'quotactl_fd',
  'reboot',
  'request_key',
  'set_mempolicy',
  'setns',
  'settimeofday',
  'stime',
  'swapoff',
  'swapon',
  '_sysctl',
  'sysfs',
  'syslog',
  'umount',
  'umount2',
  'unshare',
  'uselib',
  'userfaultfd',
  'ustat',
  'vhangup',
  'vm86',
  'vm86old',
];
/** Their arguments lie in memory, or they take calls past every filter; programs go on with an older call. */
const UNREADABLE = ['clone3', 'io_uring_enter', 'io_uring_register', 'io_uring_setup', 'openat2'];
const ATTRIBUTES = ['fsetxattr', 'lsetxattr', 'setxattr', 'setxattrat'];

const has = (index: number, bit: number): Condition => ({ index, value: bit, valueTwo: bit, op: 'SCMP_CMP_MASKED_EQ' });
const refuse = (names: readonly string[], errnoRet: number, ...args: readonly Condition[]): CallRule =>
  present({ names, action: 'SCMP_ACT_ERRNO', errnoRet, args: args.length > 0 ? args : undefined });

/** The arguments of one rule hold together, the rules each for itself. */
export const CALL_PROFILE: CallProfile = {
  defaultAction: 'SCMP_ACT_ALLOW',
  syscalls: [
    refuse(BEYOND, EPERM),
    refuse(UNREADABLE, ENOSYS),
    refuse(ATTRIBUTES, ENOTSUP),
    refuse(['clone'], EPERM, has(0, NEW_USERS)),
    ...SET_ID.flatMap((bit) => [
      refuse(['chmod', 'creat', 'fchmod', 'mknod'], EPERM, has(1, bit)),
      refuse(['fchmodat', 'fchmodat2', 'mknodat'], EPERM, has(2, bit)),
      ...MAKES.flatMap((flag) => [
        refuse(['open'], EPERM, has(1, flag), has(2, bit)),
        refuse(['openat'], EPERM, has(2, flag), has(3, bit)),
      ]),
    ]),
    refuse(['mknod'], EPERM, has(1, DEVICE)),
    refuse(['mknodat'], EPERM, has(2, DEVICE)),
  ],
};
