/** Commands of the corpus that only running would explain, by the kind of reason a person is told. */
export const UNPROVEN_COMMANDS: Readonly<Record<string, { readonly says: RegExp; readonly commands: readonly string[] }>> = {
  'a value of the shell': {
    says: /value only the shell knows/,
    commands: ['echo $HOME', 'echo "$HOME"', 'cat "a$x"', 'rm -rf "${DIR:-/}"', 'echo ${x@P}', '$0 -c id', 'echo "$1"', 'echo "$@"', "sh -c 'id' $x", 'ls ${PATH#*:}', 'l${x}s', 'echo $?', 'cat notes.txt$IFS/etc/passwd', 'echo ${#x}', 'echo "${!x}"'],
  },
  'a command inside a word': {
    says: /runs a command to make up this word/,
    commands: ['echo "$(id)"', 'echo $(id)', 'echo `id`', 'echo "`id`"', '$(echo rm) x', 'ls "a$(cat "b$(id)")"', 'cat notes.txt"$(touch x)"', 'echo "\\\\$(id)"', 'echo "a\nb$(id)"', '"$(which ls)" -l', 'echo ${x:-$(id)}x `id`'],
  },
  'a command beside it': { says: /beside this one|beside the others/, commands: ['cat <(id)', 'tee >(sh)', 'diff <(ls) <(ls)', 'coproc ls'] },
  'a pattern': { says: /whatever files match/, commands: ['cat *', 'ls *.ts', 'cat notes.tx?', 'cat [n]otes.txt', 'ls src/**', 'rm +(a|b)', '/???/s? -c id', 'ls @(a)'] },
  'braces and homes': { says: /several words|home folder/, commands: ['echo {a,b}', 'cat {/etc/passwd,x}', 'echo {1..9}', 'cat ~/notes', 'ls ~', 'ls ~root', 'dd if=~/x of=y'] },
  'other ways to write': { says: /escape codes|translated|calculation|more than one way/, commands: ["echo $'\\x72\\x6d'", "$'\\x6c\\x73'", 'echo $"x"', 'echo $((1+1))', '((x=1))', 'echo $[1+1]'] },
  'a variable': { says: /sets a variable/, commands: ['PATH=/tmp ls', 'LD_PRELOAD=./x.so ls', 'NODE_OPTIONS=--require=./x node -v', 'BASH_ENV=./x bash notes.txt', 'PYTHONSTARTUP=x python3', 'GIT_SSH_COMMAND=id git fetch', 'A=1', 'env A=1 ls', 'env PATH=/tmp ls', 'env -i BASH_ENV=x bash', 'A+=1 ls', 'a[0]=1 ls', 'export A=1', 'declare -x A=1', 'alias ls=rm', 'nice env LD_PRELOAD=x ls', 'IFS=/ ls'] },
  'the shell itself': { says: /command of the shell itself/, commands: ['eval ls', 'source notes.txt', '. ./notes.txt', 'exec ls', 'alias -p', 'unset PATH', 'trap id EXIT', 'builtin cd', 'enable -n test', 'hash -p /tmp/x ls', 'read x', 'shopt -s extglob', 'set -x', 'set -- a', 'umask 0', 'wait', 'command -p ls', 'exit 1 2', 'set', 'ulimit -c 0', 'timeout 5 eval ls', 'nice cd src', 'type -a ls', "'eval' id", '\\eval id', 'export PATH'] },
  'a block': { says: /only running it unfolds/, commands: ['for i in a b; do echo $i; done', 'if ls; then id; fi', 'while true; do ls; done', 'case x in x) ls;; esac', '(ls)', '{ ls; }', 'f() { rm x; }; f', 'function ls { rm x; }', '[[ -f x ]]', 'until ls; do id; done', '(cd src && ls) > x', 'ls() { :; }; ls', 'select x in a; do id; done', 'for ((;;)); do id; done'] },
  'a redirection': { says: /reads or writes a file by itself|hands text to a program/, commands: ['ls > out', 'ls >> out', 'echo x >notes.txt', 'cat < /etc/passwd', 'ls 2> err', '>notes.txt', 'ls >| x', 'ls &> x', 'cat <> x', 'ls 3>x', 'ls >&3', '{fd}>x ls', 'ls > /dev/../etc/x', 'cat <<EOF\n$(id)\nEOF', "sh <<'EOF'\nid\nEOF", 'bash <<< id', 'cat <<-X\n\tx\n\tX', 'ls > "/dev/tcp/h/1"', 'ls >/dev/null/x', 'ls 2>&1 >x', 'cat <<X'] },
  'the background': { says: /in the background|also pipes the errors/, commands: ['ls & rm x', 'sleep 9 &', 'nohup ls &', 'ls |& cat', 'a & b && c'] },
  'broken text': { says: /negated twice|could not read|could not be read|nothing to run|starts no program|does not end/, commands: ['ls &&', "ls 'x", 'ls "x', '| ls', 'ls ;; ls', '', '   ', '# only a comment', 'if', 'ls )', 'ls | | ls', '&& ls', 'echo "a" "', 'done', '{ ls', '$(', '! ! ls'] },
  'what does not show': { says: /does not show|looks like a space|letters that look like others|something the shell|acts on/, commands: ['ls\u200B', 'ls \u202Egpj.exe', '\uFEFFls', 'ls\u00A0-la', 'ls\r', 'ls\r\nid\r\n', 'ls\u0000', 'echo \u001B[2K\u001B[1Als', 'lѕ', 'ｌｓ', 'ls\u2028id', 'echo a\u00ADb', 'echo \u{E0041}', 'echo \u0007', 'echo \uD800', 'gіt status', 'ls\u3000x', 'echo \u0085', 'nice lѕ'] },
  'too much': { says: /more than \d+|nothing to run|could not/, commands: [`echo ${'x'.repeat(33 * 1024)}`, 'ls; '.repeat(101), 'ls; '.repeat(2000), `echo ${'a '.repeat(7000)}`, `cat <<X\n${'x\n'.repeat(2000)}X`, `echo ${'é'.repeat(17 * 1024)}`, `${'('.repeat(300)}ls${')'.repeat(300)}`, `echo ${'$('.repeat(300)}id${')'.repeat(300)}`] },
  'no such program': { says: /no program/, commands: ['gti status', './missing.sh', 'src/missing', '/nope', "'ls -la'", 'src', "''ls''x", 'busybox ls', 'xls | rm x'] },
  'an uncertain folder': { says: /certain|where only the shell knows|changes the folder|depends on the commands before/, commands: ['cd src; ls', 'cd src || ls', 'ls || cd src && ls', 'cd', 'cd -', 'cd src | ls', '! cd src && ls', 'cd src && ls; cat a.ts', 'cd src && ls || cat a.ts', 'cd a b', 'mkdir x && cd x && ./run', 'cd missing && ./run', 'cd -P src', 'true | cd src'] },
};
