/** Commands of the corpus that run without a question: they only read and print, inside the workspace. */
export const HARMLESS_COMMANDS: readonly string[] = [
  // the shell itself
  'true', 'false', ':', 'pwd', 'echo', 'echo hello world', "echo 'a;b' \"c|d\" e\\&f", 'printf "%s\\n" one two', "printf '%5d' 12", 'test -f notes.txt', '[ -d src ]', '[ "a" = "b" ]', '[ 3 -gt 2 ]', '! false', 'exit 1', 'cat notes.txt || exit 1',
  'type ls', 'command -v git', 'command ls', 'command command cat notes.txt', 'set -e; ls', 'set -eu\nset -o pipefail\nls', 'echo "costs \\$5"',
  // readers
  'ls', 'ls -la', 'ls -la src', 'ls --color=never -1 src/', 'cat notes.txt', 'cat ./src/../notes.txt', 'cat src/a.ts src/b.ts', 'cat "a b.txt"', 'cat Käse.txt', 'cat /home/ada/clawd/notes.txt', 'cat inner/a.ts', 'cat missing.txt', 'cat src/missing.ts', 'cat -', 'head -5 notes.txt', 'head -n 5 notes.txt', 'tail -n +3 notes.txt',
  'wc -l notes.txt', 'stat notes.txt', "stat -c '%s %n' notes.txt", 'file data.json', 'du -sh src', 'df -h', 'date', 'date +%s', "date -d 'last friday' +%F", 'date -I', 'whoami', 'id', 'id -u', 'uname -a', 'hostname', 'sleep 1', 'seq 1 5', 'basename src/a.ts .ts', 'dirname src/a.ts',
  'realpath src/a.ts', 'readlink -f inner', 'sha256sum notes.txt', 'md5sum notes.txt', 'sort notes.txt', 'sort -t, -k2 -rn notes.txt', 'uniq -c notes.txt', "cut -d',' -f1,3 notes.txt", 'diff notes.txt data.json', 'diff -u notes.txt data.json', 'cmp notes.txt data.json', 'nl notes.txt', 'tac notes.txt', 'which git node', 'nproc',
  // searches
  'grep -rn needle src', 'grep -i -e one -e two notes.txt', 'grep -nA3 foo notes.txt', "grep -rn --include='*.ts' foo", 'grep -c "" notes.txt', 'find . -name "*.ts" -type f', 'find src -maxdepth 2 -not -name "a*" -print', 'find . \\( -name a -o -name b \\) -size +1k', 'find', "sed -n '1,20p' notes.txt", "sed -n -e '5p' notes.txt", "sed -n '/one/p;$p' notes.txt", "awk '{print $1, $3}' notes.txt", "awk -F: '{ print $NF }' notes.txt",
  // pipes and lists
  'echo ok | jq .foo', 'cat data.json | jq -r .env', 'cat notes.txt | grep -v x | sort | uniq -c | sort -rn | head', 'ls | wc -l', 'ls 2>&1 | tail -n 3', 'ls missing 2>/dev/null || echo none', 'ls >/dev/null 2>&1 && echo there', 'ls &>/dev/null', 'cat </dev/null', 'echo a | tr a-z A-Z', 'cd src && ls && cat a.ts', 'cd src && cd .. && cat notes.txt', 'pwd; cd src && pwd', 'ls; pwd\nwhoami',
  'ls # and nothing else', '# first\nls', 'ls \\\n  -la \\\n  src', "l'l's\\\n".replace("l'l's", "l's'"), '"ls" -l', '\\ls', 'timeout 5 ls', 'nice -n 5 cat notes.txt', 'env ls', 'env -u FOO ls', 'time ls', 'time -p ls', 'stdbuf -oL cat notes.txt', 'nice timeout -s KILL 5 ls', 'echo "✅ done ⚠️"', 'cat inner/../notes.txt',
];
