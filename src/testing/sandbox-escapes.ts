/** Attempts to escape from a sandbox, each really run, and actions that must still work inside. */

export interface Escape {
  readonly name: string;
  /** Shell text; prints `ESCAPED` when it got out. Variables: see `sandbox-fixture.ts`. */
  readonly tries: string;
  /** Shell text that succeeds although the way out is shut. */
  readonly works: string;
  readonly sandbox?: Record<string, unknown>;
  readonly around?: readonly string[];
  /** The limit that ends it; then `works` is run in a box of its own. */
  readonly limit?: RegExp;
  /** The kernel may be faster than the watcher: then it fails by itself. */
  readonly orFails?: boolean;
}

const PERL = 'perl -MSocket -e';
const small = (limits: Record<string, number>): Record<string, unknown> => ({ limits });

export const ESCAPES: readonly Escape[] = [
  // Reading.
  {
    name: 'reads the ssh key of the home',
    tries: 'cat "$HOST_HOME/.ssh/id_ed25519" ~/.ssh/* /root/.ssh/* /home/*/.ssh/* && echo ESCAPED',
    works: 'grep -q hello /workspace/readme',
  },
  {
    name: 'reads the hashes of passwords',
    tries:
      'cat /etc/shadow /etc/gshadow /etc/sudoers | grep . && echo ESCAPED; ls /etc/ssh /etc/ssl/private && ' +
      'echo ESCAPED',
    works: 'test "$(id -un)" = sandbox',
  },
  {
    name: 'reads the state directory',
    tries: 'cat "$HOST_STATE/clawdbot.json" && echo ESCAPED; ls "$HOST_STATE" && echo ESCAPED',
    works: 'ls /workspace',
  },
  {
    name: 'reads through a link planted in the workspace',
    tries: 'cat /workspace/link/.ssh/id_ed25519 && echo ESCAPED',
    works: 'ln -s readme /workspace/inner && grep -q hello /workspace/inner',
  },
  {
    name: 'reads through /proc',
    tries:
      'for p in self 1 $$ $PPID; do for d in root cwd; do cat "/proc/$p/$d$HOST_HOME/.ssh/id_ed25519" ' +
      '"/proc/$p/$d/../../../../../../$HOST_HOME/.ssh/id_ed25519" && echo ESCAPED; done; done',
    works: 'test -e /proc/self/root/workspace/readme',
  },
  {
    name: 'reads the environment of the gateway',
    tries:
      'cat /proc/*/environ | tr "\\0" "\\n" | grep PRIVATE-ENV && echo ESCAPED; env | grep -i gateway_secret ' +
      '&& echo ESCAPED',
    works: 'test "$HOME" = /home/sandbox',
  },
  {
    name: 'reads what the process that started it left open',
    around: ['/bin/bash', '-c', 'exec 7<"$0/.ssh/id_ed25519" 77<"$0/.ssh/id_ed25519"; exec "$@"', '{home}'],
    tries: 'cat <&7 && echo ESCAPED; cat <&77 && echo ESCAPED; ls -l /proc/self/fd | grep id_ed && echo ESCAPED',
    works: 'echo out >&1',
  },
  {
    name: 'sees sockets of the desktop, of Docker, of the agent of keys',
    tries:
      'ls /run/docker.sock /var/run/docker.sock /tmp/.X11-unix /run/user /run/dbus "$SSH_AUTH_SOCK/" && echo ' +
      'ESCAPED; find / -xdev -type s 2>/dev/null | grep . && echo ESCAPED',
    works: 'test -d /tmp',
  },
  {
    name: "sees the agent's workspace although it has one of its own",
    sandbox: { workspaceAccess: 'none' },
    tries: 'cat /workspace/readme "$HOST_WORKSPACE/readme" && echo ESCAPED',
    works: 'echo mine > /workspace/mine',
  },

  // Writing.
  {
    name: 'writes outside',
    tries:
      'for p in / /usr /usr/bin /usr/local /etc /dev /var /home /proc /opt "$HOST_HOME" "$HOST_STATE" ' +
      '"$HOST_WORKSPACE"; do touch "$p/escaped" && echo "ESCAPED $p"; done; rm -f /usr/bin/env && echo ' +
      'ESCAPED',
    works: 'touch /workspace/w /tmp/w ~/w /dev/shm/w /var/tmp/w',
  },
  {
    name: 'writes through a link planted in the workspace',
    tries:
      'ln -s "$HOST_HOME" /workspace/out; echo x > /workspace/out/escaped && echo ESCAPED; echo x > ' +
      '/workspace/link/escaped && echo ESCAPED',
    works: 'echo x > /workspace/inside',
  },
  {
    name: 'writes into a workspace that is read-only',
    sandbox: { workspaceAccess: 'ro' },
    tries:
      'touch /workspace/escaped && echo ESCAPED; echo x >> /workspace/readme && echo ESCAPED; mount -o ' +
      'remount,rw /workspace && echo ESCAPED',
    works: 'grep -q hello /workspace/readme && touch ~/w',
  },
  {
    name: 'writes to the kernel',
    tries:
      'for f in /proc/sys/kernel/core_pattern /proc/sys/kernel/modprobe /proc/sys/vm/drop_caches ' +
      '/proc/sysrq-trigger /proc/mtrr; do { [ -f $f ] && cat $f > $f; } && echo "ESCAPED $f"; done; ls ' +
      '/sys/kernel && echo ESCAPED; find /proc -path "/proc/[0-9]*" -prune -o -path "/proc/pressure/*" ' +
      '-prune -o -type f -writable -exec test -f {} \\; -print | grep . && echo ESCAPED',
    works: 'cat /proc/sys/kernel/ostype',
  },
  {
    name: 'makes or opens devices',
    tries:
      'mknod /workspace/mem c 1 1 && echo ESCAPED; mknod /tmp/vda b 254 0 && echo ESCAPED; for d in mem kmsg ' +
      'kvm fuse vda sda nvme0n1 net/tun input loop0; do [ -e /dev/$d ] && echo "ESCAPED $d"; done',
    works: 'head -c 4 /dev/urandom > /dev/null && mkfifo /tmp/pipe',
  },

  // Talking.
  {
    name: 'connects to a server on this machine',
    tries: '{ exec 5<>"/dev/tcp/127.0.0.1/$TCP_PORT"; } && echo ESCAPED',
    works: 'true',
  },
  {
    name: 'sends a packet',
    tries: 'echo query > "/dev/udp/127.0.0.1/$UDP_PORT"; getent hosts example.com && echo ESCAPED',
    works: 'getent passwd sandbox',
  },
  {
    name: 'connects to an abstract socket',
    tries:
      `${PERL} 'socket(S,AF_UNIX,SOCK_STREAM,0); connect(S,pack_sockaddr_un("\\0".$ENV{ABSTRACT})) and print ` +
      `"ESCAPED"'`,
    works: `${PERL} 'socketpair(A,B,AF_UNIX,SOCK_STREAM,0) or die'`,
  },
  {
    name: 'opens a raw socket or an interface',
    tries:
      `${PERL} 'socket(S,AF_INET,SOCK_RAW,1) and print "ESCAPED"; socket(P,17,SOCK_RAW,768) and print ` +
      `"ESCAPED"'; grep -v -e lo: -e Inter -e face /proc/net/dev && echo ESCAPED`,
    works: 'grep -q lo: /proc/net/dev',
  },

  // Other processes.
  {
    name: 'ends or looks into a process outside',
    tries:
      'kill -9 $VICTIM && echo ESCAPED; cat /proc/$VICTIM/cmdline && echo ESCAPED; kill -9 -1; ls /proc | ' +
      'grep -qx $VICTIM && echo ESCAPED',
    works: 'sleep 60 & kill $!',
  },
  {
    name: 'traces the first process of its box into memory outside',
    tries: 'cat /proc/1/mem > /dev/null && echo ESCAPED; ls -l /proc/1/fd | grep -e /state -e /home/ && echo ESCAPED',
    works: 'test -r /proc/self/status',
  },
  {
    name: 'goes on after its end',
    tries:
      '(setsid nohup sh -c "sleep 600; : $MARK" >/dev/null 2>&1 &); (sh -c "trap : TERM HUP INT; sleep 600; ' +
      ': $MARK" & ) ; sleep 0.1',
    works: 'true',
  },
  {
    name: 'types into the terminal',
    tries:
      'perl -e \'open(T,"+<","/dev/tty") and ioctl(T,0x5412,my $x="x") and print "ESCAPED"; ' +
      'ioctl(STDIN,0x5412,my $y="x") and print "ESCAPED"\'',
    works: 'test ! -t 0',
  },

  // More rights.
  {
    name: 'mounts, changes root, makes namespaces',
    tries:
      'mount -t tmpfs none /tmp && echo ESCAPED; mount --bind /usr /workspace && echo ESCAPED; chroot / true ' +
      '&& echo ESCAPED; unshare -m true && echo ESCAPED; unshare -U true && echo ESCAPED; unshare -Urm true ' +
      '&& echo ESCAPED; nsenter -t 1 -m true -U && echo ESCAPED; umount /usr && echo ESCAPED; mount -o ' +
      'remount,rw /usr && echo ESCAPED; umount /proc/sys && echo ESCAPED',
    works: 'test -w /tmp',
  },
  {
    name: 'gains rights by a setuid program',
    tries:
      'su root -c true </dev/null && echo ESCAPED; cp /usr/bin/id /tmp/id && chmod 4755 /tmp/id && /tmp/id ' +
      '-u | grep -qx 0 && echo ESCAPED; grep -q "NoNewPrivs:.*0" /proc/self/status && echo ESCAPED; grep -E ' +
      '"Cap(Prm|Eff|Bnd|Amb):.*[1-9a-f]" /proc/self/status && echo ESCAPED',
    works: 'test "$(id -u)" -ge 1000',
  },
  {
    name: "leaves a program behind that runs with its owner's rights",
    tries:
      'cp /bin/sh /workspace/x; for m in u+s g+s 4755 2755 7777; do chmod $m /workspace/x; chmod $m ' +
      '/workspace; [ -u /workspace/x ] || [ -g /workspace/x ] || [ -g /workspace ] && echo "ESCAPED $m"; ' +
      'done; install -m 6755 /bin/sh /workspace/y; [ -u /workspace/y ] && echo ESCAPED; mknod /workspace/z c ' +
      '0 0 && echo ESCAPED; setcap cap_setuid+ep /workspace/x 2>/dev/null && echo ESCAPED',
    works: 'chmod 755 /workspace/x && cp -a /workspace/x /tmp/x && /tmp/x -c true',
  },
  {
    name: 'changes owner, host name or clock',
    tries:
      'chown 0:0 /workspace/readme && echo ESCAPED; hostname escaped && echo ESCAPED; date -s "2001-01-01" ' +
      '&& echo ESCAPED; ulimit -d unlimited && echo ESCAPED',
    works: 'chmod 600 /workspace/readme',
  },

  // Using up.
  {
    name: 'fills the folders kept in memory',
    sandbox: small({ diskMb: 4 }),
    tries:
      'for f in /tmp/x ~/x /dev/shm/x; do for i in 1 2 3; do head -c 3000000 /dev/zero > $f$i || break; [ $i ' +
      '= 3 ] && echo ESCAPED; done; done',
    works: 'echo x > /workspace/small',
  },
  {
    name: 'writes one huge file',
    sandbox: small({ diskMb: 4 }),
    tries: 'head -c 9000000 /dev/zero > /workspace/huge && echo ESCAPED; code=$?; rm -f /workspace/huge; exit $code',
    works: 'head -c 1000000 /dev/zero > /workspace/fine',
    // The kernel refuses to write on, unless the watch was there first.
    limit: /diskMb/,
    orFails: true,
  },
  {
    name: 'fills the disk with many files',
    sandbox: small({ diskMb: 16 }),
    tries:
      'i=0; while [ $i -lt 400 ]; do i=$((i+1)); head -c 1000000 /dev/zero > /workspace/fill$((i%20)); done; ' +
      'sleep 20; echo ESCAPED',
    works: 'echo x > /workspace/small',
    limit: /wrote \d+ MB .*limits\.diskMb/,
  },
  {
    name: 'uses up files',
    sandbox: small({ diskMb: 4 }),
    tries: 'perl -e \'open(F,">","/tmp/$_"), close F for 1..5000; sleep 20\'; echo ESCAPED',
    works: 'echo x > /tmp/one',
    limit: /files.*limits\.diskMb/,
  },
  {
    name: 'forks without end',
    sandbox: small({ processes: 40 }),
    tries: 'bomb() { bomb | bomb & }; bomb; sleep 20; echo ESCAPED',
    works: 'echo a | cat | cat | cat',
    limit: /processes and threads.*limits\.processes/,
  },
  {
    name: 'takes memory alone',
    sandbox: small({ memoryMb: 64 }),
    tries: 'perl -e \'push @a, "x" x 1000000 while @a < 300; print "ESCAPED\\n"\'',
    works: 'perl -e \'my $x = "x" x 20000000\'',
    limit: /MB of memory.*limits\.memoryMb/,
    orFails: true,
  },
  {
    name: 'takes memory together',
    sandbox: small({ memoryMb: 64 }),
    tries: 'for i in 1 2 3 4 5; do perl -e \'my $x = "x" x 16000000; sleep 20\' & done; sleep 20; echo ESCAPED',
    works: 'true',
    limit: /MB of memory.*limits\.memoryMb/,
  },
];
