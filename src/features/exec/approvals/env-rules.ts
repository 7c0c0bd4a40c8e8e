/** Which environment variables a model may set for a command: none that make a program load or run other code. Pure. */
import { head } from '../../../core/cut.ts';

interface Rule {
  readonly names: RegExp;
  readonly why: string;
}

/** In any case: some programs do not mind it. */
const rule = (names: string, why: string): Rule => ({ names: new RegExp(`^(?:${names})$`, 'i'), why });

const RULES: readonly Rule[] = [
  rule('PATH|PATHEXT|CDPATH|FPATH', 'decides which programs and folders names refer to'),
  rule(
    'LD_.*|DYLD_.*|LIBPATH|SHLIB_PATH|_RLD.*|GCONV_PATH|GETCONF_DIR|GLIBC_TUNABLES|MALLOC_.*|LOCPATH|NLSPATH|' +
      'TZDIR|LANGUAGE|TEXTDOMAIN.*|LIBGL_.*|MESA_.*|GBM_.*|VK_.*|OCL_.*|GST_.*|ALSA_.*|[ALMTU]B?SAN_OPTIONS|' +
      'VALGRIND_.*',
    'makes the system load other code or data into every program',
  ),
  rule('HOSTALIASES|RES_OPTIONS|LOCALDOMAIN|RESOLV_.*', 'changes how host names are resolved'),
  rule('TERMINFO.*|TERMCAP|TERMPATH|INPUTRC', 'makes programs read terminal descriptions from another place'),
  rule(
    'BASH_.*|ENV|SHELLOPTS|BASHOPTS|SHELL|COMSPEC|PS[0-4]|PROMPT_COMMAND|IFS|GLOBIGNORE|EXECIGNORE|' +
      'POSIXLY_CORRECT|_POSIX2_VERSION|ZDOTDIR|FCEDIT|FIGNORE|FISH_.*|HISTFILE',
    'changes what a shell runs or how it reads a command',
  ),
  rule(
    'HOME|USERPROFILE|APPDATA|XDG_.*',
    'makes programs read their settings, and the programs named there, from another place',
  ),
  rule(
    'NODE_(?!ENV$).*|NPM_.*|YARN_.*|PNPM_.*|BUN_.*|DENO_.*|COREPACK_.*|TS_NODE_.*|ELECTRON_.*',
    'configures Node.js or its package managers',
  ),
  rule('PYTHON.*|PIP_.*|PIPX_.*|UV_.*|POETRY_.*|CONDA_.*|VIRTUALENV_.*', 'configures Python or its package managers'),
  rule(
    'PERL.*|RUBY.*|GEM_.*|BUNDLE_.*|RAKEOPT|LUA_.*|PHPRC|PHP_.*|TCLLIBPATH|R_PROFILE.*|R_ENVIRON.*|JULIA_.*|' +
      'GUILE_.*|ERL_.*|ELIXIR_.*|EMACS.*|VIM.*|EXINIT|MYVIMRC|NVIM_.*',
    'makes an interpreter run something when it starts',
  ),
  rule(
    '(?:.*_)?JAVA_(?:TOOL_)?OPT(?:S|IONS)|JAVA_HOME|CLASSPATH|' +
      '(?:MAVEN|GRADLE|ANT|SBT|CATALINA|KAFKA|LEIN)_.*|DOTNET_.*|CORECLR_.*|COR_.*|COMPLUS_.*|MONO_.*',
    'makes a runtime load other code',
  ),
  rule(
    'MAKEFLAGS|MFLAGS|GNUMAKEFLAGS|MAKEFILES|CARGO_.*|RUST.*_WRAPPER|RUSTC.*|RUSTFLAGS|RUSTUP_.*|' +
      'GO(?:FLAGS|ROOT|PATH|ENV|TOOLCHAIN|PROXY|BIN)|CC|CXX|CPP|AR|AS|LD|CMAKE_.*|CCACHE_.*|PKG_CONFIG.*|' +
      'COMPILER_PATH|GCC_EXEC_PREFIX|(?:C|CPLUS|OBJC)_INCLUDE_PATH|CPATH|LIBRARY_PATH|M4PATH|ACLOCAL_PATH|' +
      'CAML.*|OCAML.*|GHC.*',
    'changes what a build runs',
  ),
  rule(
    'GIT_(?!(?:AUTHOR|COMMITTER)_(?:NAME|EMAIL|DATE)$|TERMINAL_PROMPT$|OPTIONAL_LOCKS$|MERGE_AUTOEDIT$).*|' +
      'CVS_RSH|SVN_.*|HG.*|RSYNC_.*|TAR_OPTIONS|ZIPOPT|UNZIPOPT|GZIP|XZ_(?:OPT|DEFAULTS)',
    'makes Git or another tool run a program',
  ),
  rule(
    '.*(?:PAGER|EDITOR|BROWSER|ASKPASS)|(?:.*_)?(?:VISUAL|PRELOAD|RSH)|SSH_.*|SYSTEMD_.*|DBUS_.*|LESS.*|MORE|' +
      'MOST_.*|LV|FZF_.*|GPG_.*|GNUPGHOME',
    'names a program that other programs run',
  ),
  rule(
    'GREP_OPTIONS|ACK_OPTIONS|ACKRC|RIPGREP_CONFIG_PATH|JQ_.*|CURL_HOME|WGETRC|SYSTEM_WGETRC|PSQLRC|' +
      'PG(?:SYSCONFDIR|SERVICEFILE|PASSFILE)|MYSQL_.*|SQLITE_.*|ANSIBLE_.*|' +
      'AWS_(?:CONFIG|SHARED_CREDENTIALS)_FILE|KUBECONFIG|DOCKER_.*|CLOUDSDK_.*|MAGIC|MAGICK_.*|GAWK_.*|' +
      'AWK(?:LIB)?PATH|GS_.*|TEXMF.*|TEXINPUTS|SCREENRC|PARALLEL.*',
    'adds hidden options or settings',
  ),
  rule(
    'OPENSSL_.*|SSL(?:KEYLOGFILE|_CERT_.*)|CURL_CA_BUNDLE|REQUESTS_CA_BUNDLE|KRB5.*|SASL_.*|' +
      'GTK_(?:MODULES|PATH)|GIO_.*|QT_(?:PLUGIN|QPA).*|(?:HTTPS?|ALL|FTP|NO)_PROXY',
    'changes what programs trust, connect to or load',
  ),
  rule('CLAWDBOT_.*|OPENCLAW_.*|MOLTBOT_.*', 'belongs to the gateway'),
];

const NAME = /^[A-Za-z_][A-Za-z0-9_]*$/;

/**
 * Undefined: these may be set for a command on this machine. Else one sentence naming the first that may not, and why.
 */
export function refuseEnv(env: Readonly<Record<string, string>>): string | undefined {
  const malformed = refuseMalformedEnv(env);
  if (malformed) return malformed;
  for (const name of Object.keys(env)) {
    const found = RULES.find(({ names }) => names.test(name));
    if (found)
      return (
        `The variable ${name} cannot be set for a command: it ${found.why}. Leave it out, or ask the person to ` +
        'set it for the gateway.'
      );
  }
  return undefined;
}

/** All that is asked of the environment inside a sandbox: that it is one. */
export function refuseMalformedEnv(env: Readonly<Record<string, string>>): string | undefined {
  for (const [name, value] of Object.entries(env)) {
    if (!NAME.test(name))
      return (
        `${JSON.stringify(head(name, 64))} is not a valid name of an environment variable: use letters, digits ` +
        'and _, not ' +
        'beginning with a digit.'
      );
    if (typeof value !== 'string') return `The variable ${name} must be text.`;
    if (value.includes('\0'))
      return `The value of the variable ${name} contains a null character, which is not allowed.`;
  }
  return undefined;
}
