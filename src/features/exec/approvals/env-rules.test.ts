// Variables a model may and may not set for a command on this machine.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { refuseEnv, refuseMalformedEnv } from './env-rules.ts';

const REFUSED = `PATH Path LD_PRELOAD LD_LIBRARY_PATH LD_AUDIT DYLD_INSERT_LIBRARIES BASH_ENV ENV SHELLOPTS BASHOPTS PS4
PROMPT_COMMAND IFS CDPATH GLOBIGNORE BASH_FUNC_ls SHELL ZDOTDIR POSIXLY_CORRECT
NODE_OPTIONS NODE_PATH NODE_EXTRA_CA_CERTS NODE_V8_COVERAGE NODE_REPL_EXTERNAL_MODULE npm_config_script_shell
NPM_CONFIG_USERCONFIG YARN_RC_FILENAME BUN_INSTALL COREPACK_HOME
PYTHONSTARTUP PYTHONPATH PYTHONHOME PYTHONINSPECT PYTHONBREAKPOINT PIP_INDEX_URL PIP_CONFIG_FILE UV_INDEX_URL
PERL5OPT PERL5LIB PERL5DB PERLLIB RUBYOPT RUBYLIB GEM_HOME BUNDLE_GEMFILE LUA_INIT LUA_INIT_5_4 LUA_PATH PHPRC
PHP_INI_SCAN_DIR R_PROFILE_USER
JAVA_TOOL_OPTIONS _JAVA_OPTIONS JDK_JAVA_OPTIONS CLASSPATH MAVEN_OPTS GRADLE_OPTS DOTNET_STARTUP_HOOKS
CORECLR_PROFILER ERL_FLAGS
GIT_SSH GIT_SSH_COMMAND GIT_EXTERNAL_DIFF GIT_PAGER GIT_EDITOR GIT_SEQUENCE_EDITOR GIT_CONFIG GIT_CONFIG_COUNT
GIT_CONFIG_KEY_0 GIT_CONFIG_GLOBAL GIT_PROXY_COMMAND GIT_EXEC_PATH GIT_ASKPASS GIT_TEMPLATE_DIR GIT_DIR
PAGER MANPAGER EDITOR VISUAL BROWSER LESSOPEN LESSCLOSE LESS SSH_ASKPASS SSH_AUTH_SOCK SUDO_ASKPASS SUDO_EDITOR
BAT_PAGER AWS_PAGER SYSTEMD_EDITOR VIMINIT EXINIT FZF_DEFAULT_COMMAND
GCONV_PATH LOCPATH HOSTALIASES TERMINFO TERMINFO_DIRS TERMCAP GLIBC_TUNABLES MALLOC_TRACE MALLOC_CHECK_ TZDIR
INPUTRC HOME XDG_CONFIG_HOME
MAKEFLAGS GNUMAKEFLAGS MAKEFILES CARGO_HOME RUSTC_WRAPPER GOFLAGS CC CXX TAR_OPTIONS RSYNC_RSH CVS_RSH SVN_SSH
GREP_OPTIONS RIPGREP_CONFIG_PATH CURL_HOME WGETRC PSQLRC AWS_CONFIG_FILE KUBECONFIG DOCKER_HOST
OPENSSL_CONF OPENSSL_MODULES SSL_CERT_FILE SSLKEYLOGFILE HTTPS_PROXY http_proxy ALL_PROXY MAGIC LANGUAGE
TEXTDOMAINDIR GAWK_PERSIST_FILE AWKPATH MAGICK_CONFIGURE_PATH DBUS_SESSION_BUS_ADDRESS GCC_EXEC_PREFIX COMPILER_PATH
GS_OPTIONS TEXMFCNF LIBGL_DRIVERS_PATH ASAN_OPTIONS UBSAN_OPTIONS PKG_CONFIG_PATH CLAWDBOT_GATEWAY_TOKEN
OPENCLAW_STATE_DIR clawdbot_state_dir`.split(/\s+/);
const TAKEN = (
  'FOO STAGE LANG LC_ALL TZ TERM COLUMNS NO_COLOR FORCE_COLOR CI DEBUG NODE_ENV GIT_AUTHOR_NAME ' +
  'GIT_COMMITTER_DATE GIT_TERMINAL_PROMPT PORT MY_PATH PATHOLOGY ENVIRONMENT HOMEPAGE LDAP_HOST _ a1'
).split(' ');

describe('variables a model sets', () => {
  for (const name of REFUSED)
    it(`${name === 'PATH' ? 'T14 ' : ''}T34 ${name} is refused by name`, () => {
      const said = refuseEnv({ OK: '1', [name]: 'x' });
      assert.match(said ?? '', new RegExp(`^The variable ${name} cannot be set for a command: it .+\\.`));
    });

  it('others are taken', () => {
    assert.equal(refuseEnv(Object.fromEntries(TAKEN.map((name) => [name, 'x']))), undefined);
    assert.equal(refuseEnv({}), undefined);
  });

  it('invalid names and zero characters are refused everywhere, and no value is shown', () => {
    for (const name of ['', '1A', 'A B', 'A=B', 'A-B', 'BASH_FUNC_ls%%', 'Ä', 'A\nB', 'A\0'])
      assert.match(
        refuseMalformedEnv({ [name]: 'hunter2' }) ?? '',
        /is not a valid name of an environment variable/,
        JSON.stringify(name),
      );
    const zero = refuseMalformedEnv({ A: 'hunter2\0' });
    assert.match(zero ?? '', /variable A contains a null/);
    assert.doesNotMatch(zero ?? '', /hunter2/);
    assert.equal(refuseMalformedEnv({ PATH: '/x', LD_PRELOAD: 'y' }), undefined, 'a sandbox takes them');
    assert.match(refuseEnv({ A: '\0' }) ?? '', /null/);
  });
});
