// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are variables of the shell

/** The next number of a row that its seed decides, from 0 up to 1. */
export type Random = () => number;

/** Mulberry32: a million lines take a second, and the seed gives the same ones again. */
export function randomFrom(seed: number): Random {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

type Make = (random: Random) => string;
type Part = string | Make;

function pick<Item>(random: Random, items: readonly Item[]): Item {
  const item = items[Math.floor(random() * items.length)];
  if (item === undefined) throw new Error('nothing to pick from');
  return item;
}

const oneOf =
  (...parts: Part[]): Make =>
  (random) =>
    textOf(random, pick(random, parts));
const inRow =
  (...parts: Part[]): Make =>
  (random) =>
    parts.map((part) => textOf(random, part)).join('');
const maybe = (part: Part): Make => oneOf('', part);
const some =
  (part: Part, least: number, most: number, between = ' '): Make =>
  (random) =>
    Array.from({ length: least + Math.floor(random() * (most - least + 1)) }, () =>
      textOf(random, part),
    ).join(between);
const listed = (text: string): Make => oneOf(...text.trim().split(/\s+/));

function textOf(random: Random, part: Part): string {
  return typeof part === 'string' ? part : part(random);
}

export function quote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

/** One text in the ways in which a shell writes it. */
const spelled =
  (part: Part): Make =>
  (random) => {
    const text = textOf(random, part);
    const spellings = [
      text,
      quote(text),
      `"${text.replace(/[$`"\\]/g, '\\$&')}"`,
      `"${text}"`,
      `$'${text.replace(/['\\]/g, '\\$&')}'`,
      text.replace(/[^\w]/g, '\\$&'),
      `${text.slice(0, 1)}''${text.slice(1)}`,
      `${quote(text.slice(0, 2))}${quote(text.slice(2))}`,
    ];
    return pick(random, spellings);
  };

/** What runs the denied command when it is expanded, or taken for arithmetic, once more. */
const code = oneOf(
  '$(canary)',
  '`canary`',
  'a[$(canary)]',
  'a[`canary`]',
  '[$(canary)]=1',
  'canary',
  '${x@P}',
  'x',
  'a[x]',
  '[x]=1',
  '([x]=1)',
  '. canary ;',
);
/** Variables that the runner sets, and names that globs find in its folder. */
const held = oneOf(
  '$x',
  '"$x"',
  '${y}',
  '$z',
  '"$z"',
  '$o',
  '$w',
  '$*',
  '"$@"',
  '$1',
  '*ca*',
  '?[[]*',
  '"${x}"',
);
const plain = listed(
  '1 2 0 - -- x out /dev/null [ ] [x] [0] = =1 += -c -x +x -e + a a= d evil in {x,1} 1- 2>&1',
);
const word: Make = oneOf(
  plain,
  held,
  held,
  spelled(code),
  spelled(code),
  inRow(plain, spelled(code)),
  inRow(spelled(code), plain),
  inRow(plain, held),
  inRow(held, plain),
  inRow('{', spelled(code), ',', plain, '}'),
);
const command = oneOf(
  'echo hi',
  'ls',
  ':',
  '{ :; }',
  '(:)',
  'exec',
  'cat',
  'printf a',
  'true',
  'if :; then :; fi',
);

const operator = inRow(
  maybe(oneOf('0', '1', '2', '3', '{fd}')),
  oneOf('>&', '>&', '>&', '<&', '<&', '&>', '>', '>>', '>|', '<>', '&>>', '<<<', '<'),
);
const redirection = oneOf(
  inRow(command, ' ', operator, maybe(' '), word),
  inRow(operator, maybe(' '), word, ' ', 'echo hi'),
  inRow(command, ' ', operator, word, ' ', operator, word),
);

const element = oneOf(
  word,
  inRow('[', word, ']=', word),
  inRow('[', word, ']+=', word),
  inRow(spelled('[x]'), '=1'),
  inRow(held, '[x]=1'),
  inRow('{[x]=1,', word, '}'),
);
const literal = inRow('(', some(element, 1, 3), ')');
const declaring = listed(
  'declare local typeset export readonly \\declare "export" command\\ export builtin\\ declare',
);
const array = oneOf(
  inRow('a=', literal),
  inRow('a+=', literal),
  inRow('a=(); ', declaring, ' a=', word),
  inRow('f() { local b; b=(); ', declaring, ' b=', word, '; }; f'),
  inRow(declaring, ' ', maybe(listed('-a -i -x -A -g +x')), ' a=', oneOf(literal, word)),
  inRow('a[', word, ']=', word),
  inRow('read -r', oneOf('', 'a'), ' ', word, ' <in'),
);
const variable = listed(`
  a b PATH IFS OPTIND OPTARG RANDOM SRANDOM SECONDS LINENO HISTCMD BASHPID EPOCHSECONDS EPOCHREALTIME TMOUT COLUMNS LINES DIRSTACK
  GROUPS PIPESTATUS FUNCNAME BASH_ENV ENV PS4 SHELLOPTS BASHOPTS BASH_ALIASES BASH_CMDS BASH_ARGC COMP_CWORD HISTSIZE HISTFILE
  MAILCHECK BASH_COMPAT IGNOREEOF POSIXLY_CORRECT EXECIGNORE LC_ALL LANG TZ UID PPID BASH_SUBSHELL COPROC REPLY MAPFILE
`);
const assignment = oneOf(
  inRow(variable, '=', word),
  inRow(variable, '+=', word),
  inRow(variable, '=', word, ' ', oneOf('ls', 'bash -c :', 'sh -c :')),
  inRow('for ', variable, ' in ', some(word, 1, 2), '; do :; done'),
  inRow('read ', variable, ' <<<', word),
  inRow('export ', variable, '=', word, '; ', oneOf('ls', 'bash -c :')),
  inRow('echo ${', variable, oneOf('=', ':=', ':-', '-', '+', ':', '@', '/', '#', '^', '?'), word, '}'),
  inRow('printf ', maybe('-v '), variable, ' ', word),
  inRow('unset ', word),
  inRow('getopts ', word, ' ', word, ' ', word),
);
const tested = oneOf(
  inRow('[ ', some(oneOf(word, '-v', '-n', '-eq', '=', '-a', '-o', '!', '-t', '-R'), 1, 5), ' ]'),
  inRow('test ', some(oneOf(word, '-v', '-lt', '-t'), 1, 4)),
  inRow(
    '[[ ',
    oneOf('-v ', '-n ', '-t ', ''),
    word,
    maybe(inRow(' ', oneOf('-eq', '==', '=~', '<', '&&', '-nt'), ' ', word)),
    ' ]]',
  ),
  inRow('echo $((', word, '))'),
  inRow('echo $[', word, ']'),
  inRow('((', word, '))'),
  inRow('let ', word),
  inRow('echo ${x:', word, '}'),
  inRow('echo ${a[', word, ']}'),
  inRow('echo ${', oneOf('!', '#', ''), 'x', oneOf('@P', '@Q', '^^', '%', '//', ''), maybe(word), '}'),
  inRow('case ', word, ' in ', word, ') ls;; esac'),
  inRow('shift ', word),
  inRow('kill -l ', word),
  inRow('set -- ', some(word, 1, 2), '; echo "$@" ', word),
);

/** Pieces of a script in any order: whether the parser and the shell cut it into the same commands. */
const token = oneOf(
  ...`' " \` $ $( ) \\ ; & | < > # { } [[ ]] (( )) $' $" $\{ canary canary x ! = ( [ ] ~ * ? << <<- E && || ;; if then fi case in esac do done for
  while function $x time time &>x &>>x -f a=( echo : <( >& 2>&1 , - \\' \\" \\\\`
    .split(/\s+/)
    .filter((piece) => piece !== ''),
  '\n',
  '\n',
  ' ',
  ' ',
  '; ',
  '\nE\n',
  '; canary ',
);
const soup = oneOf(
  some(token, 2, 14, ''),
  some(token, 2, 10, ' '),
  inRow('echo ', some(token, 1, 8, ''), '\ncanary'),
  inRow('echo "', some(token, 1, 8, ''), '"'),
  inRow("echo '", some(token, 1, 8, ''), "'"),
  inRow('echo ${x:-', some(token, 1, 6, ''), '}'),
  inRow(
    'cat <<',
    oneOf('E', "'E'", '"E"', '\\E', "$'E'", 'E"x"', '$E', '`E`', '${E}', 'E#'),
    '\n',
    some(token, 1, 8, ''),
    '\nE\n',
    some(token, 0, 3, ''),
  ),
  inRow('[[ ', some(token, 1, 4, ' '), ' ]]'),
);

const script = oneOf(
  'canary',
  'ls',
  soup,
  soup,
  redirection,
  inRow(command, ' ', operator, word, ' ', oneOf('canary', plain)),
  inRow('time ', word, ' canary'),
  array,
  tested,
  "echo $'\\'; canary #'",
  '[[ a && canary ]]',
  '((canary))',
);
const quoted =
  (part: Part): Make =>
  (random) =>
    quote(textOf(random, part));
const shellName = listed('bash bash sh sh dash /bin/sh "bash" ba"sh" \\sh');
const shell = oneOf(
  inRow(shellName, ' -c ', quoted(script)),
  inRow(shellName, ' -', listed('c ec ce xc uc euxc cx'), ' ', quoted(script)),
  inRow(
    shellName,
    ' ',
    some(
      oneOf(
        '-c',
        '-c',
        '-ec',
        '-x',
        '+x',
        '--',
        '-',
        '-e',
        '-o pipefail',
        '+o posix',
        '--norc',
        '-s',
        '+c',
        '-O extglob',
        held,
      ),
      1,
      4,
    ),
    ' ',
    some(oneOf(quoted(script), word, '--', '-x'), 1, 3),
  ),
);

const DENIED = listed('canary canary canary /CANARY can""ary $w "$w" evil');
/** Options of programs that hand on. */
const handing = oneOf(
  inRow(
    'env ',
    some(
      oneOf(
        '-i',
        '-u x',
        '-S',
        'A=1',
        'A=$x',
        'A=$o',
        '-C .',
        '--',
        '-',
        '-v',
        '--split-string=',
        '-0',
        held,
      ),
      0,
      3,
    ),
    ' ',
    DENIED,
  ),
  inRow('nice ', some(oneOf('-n 1', '-1', '--adjustment=1', '--adj=1', '-n', '--', held), 0, 2), ' ', DENIED),
  inRow(
    'timeout ',
    some(oneOf('-s KILL', '-k 1', '--foreground', '--fore', '-v', '--signal=9', '--', held), 0, 2),
    ' ',
    maybe('5'),
    ' ',
    DENIED,
  ),
  inRow(
    'xargs ',
    some(
      oneOf(
        '-0',
        '-n1',
        '-I{}',
        '-i',
        '-I %',
        '-a in',
        '-r',
        '--arg-file=in',
        '-d x',
        '-P2',
        '-t',
        '--',
        '-L1',
        '-E x',
        held,
      ),
      0,
      3,
    ),
    ' ',
    some(oneOf(DENIED, '{}', '%', 'env', 'sh -c', 'echo', 'find', 'git', word), 0, 3),
    ' ',
    maybe('<evil'),
  ),
  inRow(
    'find ',
    some(oneOf('.', 'd', '-L', held), 0, 2),
    ' -maxdepth 0 ',
    some(
      oneOf(
        '-name x',
        '-exec',
        '-execdir',
        '-ok',
        DENIED,
        '{}',
        '";"',
        '+',
        '-o',
        '-a',
        'sh -c',
        word,
        quoted(script),
      ),
      1,
      6,
    ),
  ),
  inRow(
    listed('command builtin exec nohup setsid stdbuf time \\time eval trap . source !'),
    ' ',
    some(oneOf('-p', '-a x', '-c', '-oL', '-v', '-V', '--', '-w', '-f', word, quoted(script), DENIED), 1, 4),
    oneOf('', ' EXIT', ' 0'),
  ),
);

/** Each beginning of a long option, with its value behind a sign or a blank. */
const long =
  (name: string, value: Part = DENIED): Make =>
  (random) => {
    const shortest = Math.max(3, name.indexOf('-', 2) - 4);
    const cut = name.slice(0, shortest + Math.floor(random() * (name.length - shortest + 1)));
    return `${cut}${pick(random, ['=', ' ', '='])}${textOf(random, value)}`;
  };
const PROGRAMS: Make[] = [
  inRow(
    'install ',
    some(oneOf('-s', '--strip', '-m 600', '-D', long('--strip-program'), '-t d', '-b', held), 1, 3),
    ' /bin/true y',
  ),
  inRow(
    'sort ',
    some(oneOf('-S 1', '-T .', '-o out', '-n', long('--compress-program'), '--batch-size=2', held), 1, 3),
    ' big',
  ),
  inRow('split ', some(oneOf('-l 1', '-n 2', '-b 1', long('--filter'), '-d', held), 1, 3), ' in'),
  inRow(
    'tar ',
    oneOf('cf t.tar', '-c -f t.tar', '-cf t.tar', 'cvf t.tar', 'c0f t.tar', 'xf in.tar', '-xOf in.tar'),
    ' ',
    some(
      oneOf(
        '-I canary',
        '-Icanary',
        '-vIcanary',
        '-7Icanary',
        long('--use-compress-program'),
        '--checkpoint=1',
        '--record-size=512',
        long('--checkpoint-action', 'exec=canary'),
        long('--to-command'),
        long('--info-script'),
        long('--new-volume-script'),
        '-F canary',
        '-L 1',
        '-M',
        '-T list',
        long('--files-from', 'list'),
        long('--rmt-command'),
        long('--rsh-command'),
        '-f h:x',
        held,
      ),
      1,
      3,
    ),
    ' in x',
  ),
  inRow('tar ', oneOf('cIf', 'cfI', 'cFf', 'cvIf', 'c7If'), ' ', some(oneOf('canary', 't.tar'), 2, 2), ' in'),
  inRow(
    'zip ',
    oneOf('z.zip', '-9 z.zip'),
    ' in ',
    some(
      oneOf('-T', '-TT canary', '-9TT canary', '-qTT canary', long('--unzip-command'), '--test', held),
      1,
      3,
    ),
  ),
  inRow('diff3 ', some(oneOf(long('--diff-program'), '-m', '-e', held), 1, 2), ' in x evil'),
  inRow('sdiff ', some(oneOf(long('--diff-program'), '-s', '-o out', held), 1, 2), ' in x'),
  inRow(
    'patch ',
    some(oneOf('-g1', '--get=1', '-e', '--ed', '-o out', '-i p.ed', '-p0', held), 1, 3),
    ' x <p.ed',
  ),
  inRow(
    'sed ',
    some(
      oneOf(
        '-n',
        '-e',
        '-i',
        '-E',
        '-s',
        '-f evil',
        '--expression=1ecanary',
        '-ne',
        '"1e canary"',
        's/./canary/e',
        '"s/x/y/w out"',
        'p',
        '"1p;1ecanary"',
        '-',
        held,
      ),
      1,
      4,
    ),
    ' in',
  ),
  inRow(
    listed('awk awk mawk'),
    ' ',
    some(
      oneOf(
        '\'BEGIN{system("canary")}\'',
        '-F,',
        '-F$o',
        '-f evil',
        '-v x=1',
        "'{print}'",
        '\'{"canary"|getline}\'',
        'x=1',
        held,
      ),
      1,
      3,
    ),
    ' in',
  ),
  inRow(
    'git ',
    maybe(
      oneOf(
        '-C . ',
        '-C $w ',
        '-c core.pager=canary ',
        '--git-dir=.git ',
        '-p ',
        '-c alias.q=!canary q ',
        '--exec-path=. ',
      ),
    ),
    oneOf(
      inRow(
        'ls-remote ',
        some(oneOf(long('--upload-pack'), long('--exec'), '-q', held), 0, 2),
        oneOf(' .', ' $o', ' .$o', ' canary://x', ' x::y', ' ext::canary', ' "ext::sh -c canary"'),
      ),
      inRow(
        'clone ',
        some(
          oneOf(
            '-u canary',
            '-ucanary',
            '-qu canary',
            long('--upload-pack'),
            '-c core.fsmonitor=canary',
            '-lccore.fsmonitor=canary',
            long('--config', 'core.fsmonitor=canary'),
            long('--template', 'd'),
            held,
          ),
          1,
          2,
        ),
        ' . c$RANDOM',
      ),
      inRow('fetch ', some(oneOf(long('--upload-pack'), '-q', held), 1, 2), ' .'),
      inRow('fetch .', oneOf('$o', '"$o"', '$w')),
      inRow('pull ', some(oneOf(long('--upload-pack'), '-s canary', held), 1, 2), ' .'),
      inRow(
        'push ',
        some(oneOf(long('--receive-pack'), long('--exec'), '-q', held), 1, 2),
        ' . HEAD:refs/heads/q',
      ),
      inRow(
        'grep ',
        some(oneOf('-Ocanary', '-lOcanary', '-nOcanary', long('--open-files-in-pager'), '-l', held), 1, 2),
        ' x',
      ),
      inRow('archive ', some(oneOf('--remote=.', long('--exec'), '-o out', held), 1, 2), ' HEAD'),
      inRow('log ', some(oneOf('-1', '--oneline', held), 0, 2)),
    ),
  ),
  inRow(
    'openssl ',
    oneOf('req -engine ./x', 'list -engines', 'version', 'engine dynamic', inRow('dgst ', held)),
    maybe(' in'),
  ),
  inRow('ssh-keygen ', some(oneOf('-l', '-D ./x', '-qD./x', '-lf in', held), 1, 2)),
  inRow('rename ', oneOf("'s/x/canary/e'", '-n \'system("canary")\'', "'`canary`'"), ' x in'),
  inRow(
    'curl -s ',
    some(oneOf('-K evil', '-sKevil', long('--config', 'evil'), '-o out', held), 1, 2),
    ' file:///dev/null',
  ),
];

/** Harmless ones, so that what follows runs, and what runs in them. */
const before = oneOf(
  '',
  '',
  '',
  "x='a[$(canary)]'; ",
  'read -r x <in; ',
  "y='$(canary)'; ",
  "set -- 'a[$(canary)]' canary; ",
  "x='ls canary'; ",
  "touch '$(canary)'; ",
  "v='([x]=1)'; z=$v; ",
);
const simple: Make = oneOf(
  redirection,
  array,
  assignment,
  tested,
  shell,
  shell,
  handing,
  soup,
  soup,
  (random) => pick(random, PROGRAMS)(random),
);
const wrapped: Make = (random) => {
  const line = simple(random);
  const wraps = [
    line,
    line,
    line,
    `for x in *ca*; do ${line}\ndone`,
    `cat in | { read -r x; ${line}\n}`,
    `f() { ${line}\n}; f 'a[$(canary)]'`,
    `(${line}\n)`,
    `echo "$(${line}\n)"`,
    `eval ${quote(line)}`,
    `bash -c ${quote(line)}`,
    `sh -c ${quote(line)}`,
    `trap ${quote(line)} EXIT`,
    `${line}; echo hi`,
    `if ${line}\nthen :; fi`,
  ];
  return pick(random, wraps);
};

/** A line that may run `canary` in some way that is not easily seen. */
export const hostileLine: Make = inRow(before, wrapped);

const INTO = oneOf(
  '.git/hooks/h',
  './.git/hooks/h',
  '.git/hooks/',
  '.git//hooks/h',
  'd/../.git/hooks/h',
  '.git/hooks',
  '"$PWD/.git/hooks/h"',
  '.gi*/hooks/h',
  '{a,.git}/hooks/h',
  '".git"/hooks/h',
);
/** An option and the path, attached or not. */
const at =
  (...options: string[]): Make =>
  (random) =>
    `${pick(random, options)}${textOf(random, INTO)}`;
const GIT_WRITES: Make[] = [
  inRow('sort ', at('-o', '-o ', '-no', '--output=', '--out=', '--output '), ' in'),
  inRow('cp in ', INTO),
  inRow('cp ', at('-t', '-t ', '--target-directory=', '--targ='), ' in'),
  inRow('mv in ', INTO),
  inRow('install ', maybe('-D '), 'in ', INTO),
  inRow('install ', at('-t', '-Dt ', '--target-directory='), ' in'),
  inRow('ln ', maybe('-s '), 'in ', INTO),
  inRow('dd if=in ', at('of=')),
  inRow('tee ', maybe('-a '), INTO, ' <in'),
  inRow('tar ', at('-xC', '-x -C', '--directory=', 'xC '), ' -f in.tar'),
  inRow(
    'tar xf in.tar ',
    oneOf("--transform='s,^,.git/hooks/,'", "--xform='s|^|.git/hooks/|'", '--one-top-level=.git/hooks'),
  ),
  inRow('tar ', at('-cf', 'cf ', '--file=', '-c -f'), ' in'),
  inRow(
    'curl -s ',
    at('-o', '-o ', '-so', '--output ', '--output=', '-D', '-c', '--trace ', '--output-dir '),
    ' -O file://$PWD/in',
  ),
  inRow('unzip -q in.zip ', at('-d', '-d ')),
  inRow('zip -q ', INTO, ' in'),
  inRow('patch ', at('-o', '-o ', '--output=', '-r', '--directory=', '-d'), ' x in <in'),
  inRow('split -l1 in ', INTO),
  inRow('csplit -s ', at('-f', '--prefix=', '-f '), ' in 1'),
  inRow('touch ', INTO),
  inRow('mkdir ', maybe('-p '), INTO),
  inRow('truncate -s1 ', INTO),
  inRow('uniq in ', INTO),
  inRow('diff in x >', INTO),
  inRow('echo x ', oneOf('>', '>>', '>|', '&>', '>&', '1>', '<>'), INTO),
  inRow('gzip -k in ', maybe('-c'), ' >', INTO),
  inRow('find in ', oneOf('-fprint ', '-fprint0 ', '-fls '), INTO),
  inRow('find in -fprintf ', INTO, ' x'),
  inRow('find . -name HEAD -path "*.git*" -execdir cp HEAD hooks/h ";"'),
  inRow('sed ', at('-n w', '"w '), ' in'),
  inRow('openssl rand ', at('-out '), ' 4'),
  inRow('git checkout-index ', at('--prefix='), ' in'),
  inRow('git ', at('-C '), ' init -q --bare .'),
  inRow('git init -q ', maybe('--bare '), INTO),
  inRow('git init -q ', at('--separate-git-dir=', '--separate-git-dir '), ' s'),
  inRow('git clone -q . ', INTO),
  inRow('git ', at('--work-tree=', '--work-tree '), ' checkout -f HEAD in'),
  inRow('git ', at('--git-dir=', '--git-dir '), ' init -q --bare'),
  inRow('git worktree add -q ', INTO),
  inRow('git bundle create -q ', INTO, ' HEAD'),
  inRow('git archive ', at('-o', '--output=', '-o '), ' HEAD'),
  inRow(
    'git ',
    listed('log show diff format-patch range-diff'),
    ' ',
    at('--output=', '--output ', '-o', '-o ', '--outp='),
    ' HEAD',
  ),
  inRow('git format-patch -q -1 ', at('-o', '-o ', '--output-directory=')),
  inRow('git mv in ', INTO),
  inRow('git --git-dir=.git --work-tree=.git/hooks checkout -f HEAD in'),
  inRow('GIT_WORK_TREE=.git/hooks git checkout -f HEAD in'),
  inRow('cd ', INTO, ' && echo x >h'),
  inRow('bash -c ', maybe('-- '), quoted(inRow('echo x >', INTO))),
  inRow('sh -ec ', maybe('-x '), quoted(inRow('cp in ', INTO))),
  inRow("echo hi >&'$(echo x >.git/hooks/h)'"),
  inRow("x='a[$(echo x >.git/hooks/h)]'; a=([x]=1)"),
  inRow('eval ', quoted(inRow('cp in ', INTO))),
  inRow('find in -exec cp {} ', INTO, ' ";"'),
  inRow('echo in | xargs -I{} cp {} ', INTO),
  inRow('env cp in ', INTO),
];

/** A line that may write into `.git/hooks`, and names it. */
export const plantingLine: Make = (random) => {
  const line = pick(random, GIT_WRITES)(random);
  return pick(random, [line, line, `(${line})`, `timeout 5 ${line}`, `ls; ${line}`, `f() { ${line}\n}; f`]);
};
