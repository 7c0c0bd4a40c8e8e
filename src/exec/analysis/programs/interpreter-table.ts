/** Programs that run code or other programs they are told to: a permission for their path would be one for anything. */

/** They load code from the folder they run in, by names nobody says. Versions are left out: `python3.11` is `python`. */
export const LOADS_FROM_FOLDER: ReadonlySet<string> = new Set([
  // shells
  'sh', 'bash', 'dash', 'ash', 'zsh', 'ksh', 'mksh', 'yash', 'posh', 'rbash', 'csh', 'tcsh', 'fish', 'nu', 'elvish', 'xonsh', 'pwsh', 'powershell',
  'busybox', 'toybox', 'coreutils', 'uutils',
  // languages
  'python', 'pypy', 'ipython', 'perl', 'ruby', 'irb', 'node', 'nodejs', 'deno', 'bun', 'bunx', 'tsx', 'ts-node', 'php', 'lua', 'luajit', 'texlua',
  'tclsh', 'wish', 'expect', 'guile', 'racket', 'sbcl', 'clisp', 'emacs',
  'emacsclient', 'r', 'rscript', 'julia', 'octave', 'java', 'jshell', 'jrunscript', 'groovy', 'scala', 'kotlin', 'clojure', 'erl', 'elixir', 'iex',
  'ghc', 'ghci', 'runghc', 'stack', 'ocaml', 'swift', 'dotnet', 'mono', 'wasmtime', 'wasmer', 'osascript', 'qjs', 'gjs',
  'awk', 'gawk', 'mawk', 'nawk', 'original-awk', 'bc', 'dc', 'm4', 'gnuplot', 'ed', 'red', 'ex', 'sed',
  // builders and installers run what a project or package says
  'make', 'gmake', 'bmake', 'cmake', 'ctest', 'ninja', 'meson', 'scons', 'bazel', 'just', 'task', 'rake', 'ant', 'mvn', 'mvnw', 'gradle', 'gradlew',
  'sbt', 'go', 'cargo', 'rustup', 'rustc', 'zig', 'gcc', 'g++', 'cc', 'c++', 'clang', 'ld',
  'npm', 'npx', 'pnpm', 'pnpx', 'yarn', 'yarnpkg', 'corepack', 'pip', 'pipx', 'uv', 'uvx', 'poetry', 'pipenv', 'conda', 'mamba', 'gem', 'bundle',
  'bundler', 'composer', 'cpan', 'cpanm', 'luarocks', 'pyenv', 'rbenv', 'nvm', 'asdf', 'mise', 'direnv', 'pytest', 'tox', 'nox',
  'hg', 'svn', 'cvs', 'jj', 'gh', 'ansible', 'ansible-playbook', 'terraform', 'vagrant', 'docker', 'podman', 'docker-compose', 'podman-compose', 'gdb',
  'mix', 'lein', 'cabal', 'opam', 'dune', 'raku', 'crystal', 'nim', 'rustdoc', 'xcodebuild', 'autoconf', 'autoreconf', 'automake', 'aclocal', 'libtool', 'nodemon', 'pre-commit',
  'jest', 'vitest', 'mocha', 'eslint', 'prettier', 'stylelint', 'webpack', 'vite', 'rollup', 'gulp', 'grunt', 'next', 'nuxt', 'turbo', 'nx', 'lerna', 'electron',
  'rails', 'rspec', 'rackup', 'phpunit', 'fab', 'invoke', 'inv', 'django-admin', 'flask', 'celery', 'gunicorn', 'uvicorn', 'jupyter', 'pylint', 'mypy', 'hatch', 'pdm', 'rye',
  'pdflatex', 'latex', 'tex', 'xelatex', 'lualatex', 'pandoc',
  'apt', 'apt-get', 'aptitude', 'dpkg', 'rpm', 'yum', 'dnf', 'zypper', 'pacman', 'apk', 'brew', 'port', 'snap', 'flatpak', 'nix', 'nix-shell', 'nix-build', 'guix',
]);

/** They run no code they are given, but what the settings of the folder they are used in say: hooks, filters, pagers. */
export const CONFIGURED_BY_FOLDER: ReadonlySet<string> = new Set(['git']);

/** Always, whatever their options. */
export const ALWAYS: ReadonlySet<string> = new Set([
  ...LOADS_FROM_FOLDER,
  // other people, other machines, other boxes
  'sudo', 'sudoedit', 'doas', 'su', 'runuser', 'pkexec', 'gosu', 'su-exec', 'sg', 'newgrp', 'ssh', 'autossh', 'mosh', 'rsh', 'scp', 'sftp', 'rsync',
  'sshpass', 'salt', 'puppet', 'chef-client',
  'nerdctl', 'kubectl', 'helm', 'lxc', 'lxc-attach', 'machinectl', 'qemu', 'chroot', 'unshare', 'nsenter', 'setpriv',
  'capsh', 'bwrap', 'firejail', 'proot', 'fakeroot', 'fakechroot', 'systemd-run', 'systemd-nspawn', 'systemctl', 'service', 'init', 'launchctl',
  // what starts a program it is given
  'xargs', 'parallel', 'watch', 'entr', 'watchexec', 'script', 'unbuffer', 'rlwrap', 'dbus-run-session', 'dbus-launch', 'xvfb-run',
  'startx', 'xinit', 'run-parts', 'start-stop-daemon', 'daemonize', 'supervisord', 'tini', 'dumb-init', 's6-setuidgid', 'softlimit', 'prlimit',
  'cpulimit',
  'numactl', 'setarch', 'linux32', 'linux64', 'i386', 'x86_64', 'faketime', 'ltrace', 'strace', 'perf', 'valgrind', 'gdbserver', 'lldb', 'rr',
  'bpftrace', 'at', 'batch', 'crontab', 'anacron', 'tmux', 'screen', 'dtach', 'abduco', 'zellij', 'ssh-agent', 'gpg-agent', 'hyperfine', 'open',
  'xdg-open', 'gio', 'xterm',
  'exec', 'eval', 'source', 'command', 'builtin',
  // editors, pagers, viewers and clients that know a shell escape
  'vi', 'vim', 'nvim', 'view', 'vimdiff', 'rvim', 'rview', 'gvim', 'nano', 'pico', 'joe', 'micro', 'hx', 'kak', 'less', 'more', 'most', 'pg',
  'lesspipe', 'man', 'info', 'bat', 'batcat', 'mutt', 'mail', 'mailx', 'lynx', 'w3m', 'elinks', 'ranger', 'mc', 'vifm', 'nnn', 'fzf', 'sqlite',
  'psql', 'mysql', 'mariadb', 'mongo', 'mongosh', 'redis-cli',
  'ftp', 'lftp', 'telnet', 'socat', 'nc', 'ncat', 'netcat', 'openvpn', 'nmap', 'tcpdump', 'gs',
  'convert', 'magick', 'zip', 'cpio', '7z', 'logrotate', 'git-shell',
  // more that start a program, load a project's own code, or speak to what does
  'systemd-cat', 'systemd-inhibit', 'systemd-socket-activate', 'busctl', 'dbus-send', 'gdbus', 'chronic', 'ifne', 'pee', 'sem', 'ccache', 'sccache', 'distcc', 'bear', 'torsocks', 'torify', 'proxychains', 'eatmydata', 'cgexec',
  'choom', 'uclampset', 'runcon', 'aa-exec', 'catatonit', 'envdir', 'envuidgid', 'setuidgid', 'chpst', 'timelimit', 'pdsh', 'clush', 'escript', 'erlc', 'tcc', 'javac', 'scalac', 'kotlinc',
  'xcrun', 'soffice', 'libreoffice', 'blender', 'gimp', 'inkscape',
  'duckdb', 'gnome-terminal', 'konsole', 'alacritty', 'kitty', 'foot', 'urxvt', 'chromium', 'google-chrome', 'code', 'virsh', 'incus', 'lxd', 'mount', 'losetup', 'insmod', 'modprobe',
]);

/** The loader of every program is a program that runs one. */
export const LOADER = /^ld(?:-linux|-musl)?[\w.-]*\.so(?:\.\d+)*$/;

export interface RunsCodeWith {
  /** Letters of options; found anywhere in a cluster (`-xf`). */
  readonly letters?: string;
  readonly bareCluster?: true;
  /** Long names; an abbreviation counts as well. */
  readonly long?: readonly string[];
  /** Whole words. */
  readonly words?: readonly string[];
  /** Values, anywhere in a word. */
  readonly within?: RegExp;
  /** Only these first words are known to be without such an effect. */
  readonly subcommands?: readonly string[];
}

/** Only with some of their options. */
export const SOMETIMES: Readonly<Record<string, RunsCodeWith>> = {
  find: { words: ['-exec', '-execdir', '-ok', '-okdir', '-delete', '-fprint', '-fprint0', '-fprintf', '-fls', '-files0-from'] },
  fd: { letters: 'xX', long: ['exec', 'exec-batch'] }, fdfind: { letters: 'xX', long: ['exec', 'exec-batch'] },
  rg: { long: ['pre', 'hostname-bin'] },
  sort: { long: ['compress-program'] },
  split: { long: ['filter'] },
  // `ip netns exec`, and `-batch`; every word of it may be shortened.
  ip: { letters: 'b', within: /^(?:net|netn|netns|vrf|vr)$/ },
  install: { letters: 's', long: ['strip-program'] },
  // Its first word may be a cluster without a dash.
  tar: {
    letters: 'IF', bareCluster: true,
    long: ['to-command', 'checkpoint-action', 'use-compress-program', 'rsh-command', 'rmt-command', 'info-script', 'new-volume-script'],
  },
  wget: { long: ['use-askpass', 'execute'], letters: 'e' },
  curl: { letters: 'K', long: ['config', 'engine'] },
  openssl: { long: ['engine', 'provider-path'], words: ['-engine', '-provider-path'] },
  'ssh-keygen': { letters: 'D' },
  gpg: { long: ['photo-viewer', 'pinentry-program', 'agent-program', 'exec-path'] },
  git: {
    letters: 'cpOx', within: /(?:^|=)(?:ext|fd)::/,
    long: [
      'config', 'config-env', 'exec-path', 'git-dir', 'work-tree', 'paginate', 'upload-pack', 'receive-pack', 'exec', 'ext-diff', 'textconv',
      'open-files-in-pager', 'extcmd', 'template',
    ],
    subcommands: [
      'status', 'log', 'diff', 'show', 'add', 'commit', 'branch', 'checkout', 'switch', 'restore', 'fetch', 'pull', 'push', 'init', 'tag', 'stash',
      'merge', 'reset', 'rev-parse', 'rev-list', 'remote', 'ls-files',
      'ls-tree', 'ls-remote', 'blame', 'cherry-pick', 'describe', 'shortlog', 'reflog', 'mv', 'rm', 'clean', 'apply', 'cat-file', 'worktree',
      'version', 'help', '--version', 'grep', 'revert', 'format-patch', 'archive', 'show-ref',
    ],
  },
};
