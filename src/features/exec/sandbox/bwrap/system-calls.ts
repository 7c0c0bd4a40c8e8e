/** The seccomp filter of a sandbox: it blocks set-id files, devices, file capabilities, and access to keys. Pure. */

/** Numbers of the machine's own calls; a call it does not have is absent. */
interface Calls {
  /** As the kernel names the machine (`AUDIT_ARCH_…`). */
  readonly machine: number;
  /** The place of the argument that holds the permission bits. */
  readonly mode: readonly (readonly [call: number, argument: number])[];
  /** The same where the bits count only when a file is made: the place of the flags. */
  readonly creates: readonly (readonly [call: number, flags: number, argument: number])[];
  readonly nodes: readonly (readonly [call: number, argument: number])[];
  /** Makes name spaces: the place of the flags. */
  readonly spaces: readonly (readonly [call: number, flags: number])[];
  readonly attributes: readonly number[];
  /** Not there at all: programs go on with an older call, whose arguments can be read here. */
  readonly absent: readonly number[];
  readonly refused: readonly number[];
}

/** `openat2` and `clone3` have their arguments in memory, `io_uring` takes calls past every filter. */
const NEW_CALLS = { clone3: 435, openat2: 437, io_uring: [425, 426, 427], fchmodat2: 452, setxattrat: 463 } as const;
const ABSENT = [NEW_CALLS.clone3, NEW_CALLS.openat2, ...NEW_CALLS.io_uring];

const CALLS: Partial<Record<string, Calls>> = {
  x64: {
    machine: 0xc000003e,
    // chmod, fchmod, fchmodat, fchmodat2, creat
    mode: [
      [90, 1],
      [91, 1],
      [268, 2],
      [NEW_CALLS.fchmodat2, 2],
      [85, 1],
    ],
    // open, openat
    creates: [
      [2, 1, 2],
      [257, 2, 3],
    ],
    // mknod, mknodat
    nodes: [
      [133, 1],
      [259, 2],
    ],
    // clone, unshare
    spaces: [
      [56, 0],
      [272, 0],
    ],
    attributes: [188, 189, 190, NEW_CALLS.setxattrat],
    absent: ABSENT,
    // open_by_handle_at; add_key, request_key, keyctl: the keys of who started the gateway come along
    refused: [304, 248, 249, 250],
  },
  arm64: {
    machine: 0xc00000b7,
    mode: [
      [52, 1],
      [53, 2],
      [NEW_CALLS.fchmodat2, 2],
    ],
    creates: [[56, 2, 3]],
    nodes: [[33, 2]],
    spaces: [
      [220, 0],
      [97, 0],
    ],
    attributes: [5, 6, 7, NEW_CALLS.setxattrat],
    absent: ABSENT,
    refused: [265, 217, 218, 219],
  },
};

const [SET_ID, MAKES, DEVICE, NEW_USERS] = [0o6000, 0o100 | 0o20000000, 0o20000, 0x10000000];
const [EPERM, ENOSYS, ENOTSUP] = [1, 38, 95];
/** The bit of the x32 calls, which have numbers of their own and the same machine. */
const X32 = 0x40000000;

type Step = readonly [code: number, jumpTrue: number, jumpFalse: number, value: number];
const load = (offset: number): Step => [0x20, 0, 0, offset];
/** Goes on behind the next step when it is not so. */
const ifEqual = (value: number): Step => [0x15, 0, 1, value];
const answer = (value: number): Step => [0x06, 0, 0, value];
const refuse = (error: number): Step => answer(0x00050000 | error);
const ALLOW = answer(0x7fff0000);
const KILL = answer(0x80000000);
const NUMBER = load(0);
/** The lower half of an argument: what the kernel reads of bits and flags. */
const argument = (place: number): Step => load(16 + 8 * place);
const hasBit = (bits: number, past: number): Step => [0x45, 0, past, bits];

/** For `--seccomp`: the program as the kernel reads it; undefined for a machine whose calls are not known here. */
export function systemCallFilter(arch: string): Buffer | undefined {
  const calls = CALLS[arch];
  if (!calls) return undefined;
  const steps: readonly Step[] = [
    load(4),
    [0x15, 1, 0, calls.machine],
    KILL,
    NUMBER,
    [0x35, 0, 1, X32],
    KILL,
    ...calls.mode.flatMap(([call, place]) => block(call, [argument(place), hasBit(SET_ID, 1), refuse(EPERM), ALLOW])),
    ...calls.creates.flatMap(([call, flags, place]) =>
      block(call, [argument(flags), hasBit(MAKES, 3), argument(place), hasBit(SET_ID, 1), refuse(EPERM), ALLOW]),
    ),
    ...calls.nodes.flatMap(([call, place]) =>
      block(call, [argument(place), hasBit(DEVICE | SET_ID, 1), refuse(EPERM), ALLOW]),
    ),
    ...calls.spaces.flatMap(([call, flags]) =>
      block(call, [argument(flags), hasBit(NEW_USERS, 1), refuse(EPERM), ALLOW]),
    ),
    ...calls.attributes.flatMap((call) => [ifEqual(call), refuse(ENOTSUP)]),
    ...calls.absent.flatMap((call) => [ifEqual(call), refuse(ENOSYS)]),
    ...calls.refused.flatMap((call) => [ifEqual(call), refuse(EPERM)]),
    ALLOW,
  ];
  return Buffer.concat(steps.map(written));
}

/** Steps for one call; every way through them ends in an answer, so that the number is still loaded for the next. */
const block = (call: number, steps: readonly Step[]): readonly Step[] => [[0x15, 0, steps.length, call], ...steps];

function written([code, jumpTrue, jumpFalse, value]: Step): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeUInt16LE(code, 0);
  bytes.writeUInt8(jumpTrue, 2);
  bytes.writeUInt8(jumpFalse, 3);
  bytes.writeUInt32LE(value >>> 0, 4);
  return bytes;
}
