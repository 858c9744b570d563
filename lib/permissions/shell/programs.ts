import { isKnown } from '../template.ts';

/** Where the sandbox has its programs: their path is another way to write their name. */
const SYSTEM_PROGRAM = /^\/(?:usr\/(?:local\/)?)?s?bin\/([^/]+)$/;
const PROGRAM_NAME = /^[A-Za-z0-9_.+[:-]+$/;

/** The name of a program, whichever way it is written; undefined for one that lies elsewhere or has an odd name. */
export function programName(text: string): string | undefined {
  const name = SYSTEM_PROGRAM.exec(text)?.[1] ?? text;
  return PROGRAM_NAME.test(name) && name !== '.' && name !== '..' ? name : undefined;
}

/** What they are given is a program itself, or tells them to start others: no look at their arguments says what they do. */
const INTERPRETERS = words(`
  sh bash dash ash zsh ksh mksh fish csh tcsh rbash busybox toybox nu pwsh
  python python2 python3 pypy pypy3 ipython jupyter perl ruby irb node nodejs deno bun tsx ts-node php lua luajit tclsh wish
  expect guile racket sbcl ghci runghc erl elixir iex julia R Rscript octave java javac groovy scala kotlin jshell dotnet mono
  gawk mawk nawk m4 ed ex vi vim nvim view emacs nano pico joe less more most man info pg
  make gmake bmake cmake ctest ninja meson scons bazel ant mvn gradle sbt rake just task tox nox pytest py.test coverage
  npm npx yarn pnpm pnpx corepack pip pip3 pipx poetry uv uvx conda mamba cargo rustc go bundle gem composer mix
  gcc g++ cc c++ clang clang++ ld as tcc nvcc pdflatex latex xelatex lualatex tex
  ssh scp sftp rsync ftp telnet nc ncat netcat socat docker podman nerdctl kubectl helm terraform ansible ansible-playbook
  sudo doas su runuser pkexec gosu chroot unshare nsenter setpriv capsh setarch linux32 linux64 i386 x86_64 bwrap firejail
  systemd-run systemctl start-stop-daemon crontab at batch run-parts parallel sem entr watch script scriptreplay screen tmux
  gdb lldb strace ltrace valgrind perf fakeroot proot taskset prlimit chrt ionice numactl flock unbuffer rlwrap torify
  sqlite3 psql mysql mariadb mongo mongosh redis-cli gnuplot dialog xterm xdg-open open osascript
  sg choom uclampset scriptlive ssh-agent dbus-launch dbus-run-session xvfb-run cpulimit faketime eatmydata chronic ifne
  dc editor pager sensible-editor sensible-pager rview rvim vimdiff pandoc latexmk gs cpan prove pydoc3 ocaml clisp runhaskell
  wget svn hg bzr fossil ld.so ldd ld-linux-x86-64.so.2 ld-linux-aarch64.so.1 dpkg apt apt-get rpm yum dnf apk
`);

/** The shell's own words: they change what words mean from there on, read code, or look at names as if they were code. */
const BUILTINS = words(`
  source . alias unalias bind builtin caller compgen complete compopt coproc disown enable fc fg bg hash help history jobs
  let mapfile readarray shopt suspend getopts logout newgrp ulimit
`);

/** Plain but for these arguments. Programs take the beginning of a long option for all of it, so that is what stands here. */
const STARTING_ARGUMENTS: Record<string, RegExp> = {
  tar: /^--(ch|to|us|rs|n|inf|ru)|^-?[A-Za-z]*[FI]/,
  sort: /^--co/,
  split: /^--f/,
  zip: /^-[A-Za-z]*T|^--(un|test)/,
  cpio: /^--rs/,
  curl: /^-[^-]*K|^--conf/,
  rg: /^--pre|^--hostname-bin/,
  fd: /^-[^-]*[xX]|^--exec/,
  ag: /^--pager/,
  printf: /^-v/,
  test: /^-[vR]$/,
  '[': /^-[vR]$/,
  read: /[[\]]|^-[^raps]/,
  set: /^(?![+-][eux]*o?$|pipefail$)/,
  wait: /^-/,
};
const DECLARING = words('export local declare typeset readonly unset');
const PLAIN_NAME = /^[A-Za-z_]\w*(=|$)/;

/** The variables that a command of the shell sets by their names. */
export function variablesSet(name: string | undefined, args: string[]): string[] {
  if (name === undefined || (name !== 'read' && !DECLARING.has(name))) return [];
  return args.filter((text) => !text.startsWith('-')).map((text) => text.replace(/=[\s\S]*$/, ''));
}

/** Whether a program may do anything: what it is told to is not all on its line. */
export function isOpaque(name: string, args: string[]): boolean {
  if (
    INTERPRETERS.has(name) ||
    BUILTINS.has(name) ||
    /^(python|pypy|pip|pydoc|perl|ruby|php|lua|luajit|node|tclsh|wish|gcc|g\+\+|clang|guile|gawk)-?[\d.]+$/.test(
      name,
    )
  )
    return true;
  if (name === 'git') return isOpaqueGit(args);
  if (name === 'sed') return !isPlainSed(args);
  if (name === 'awk') return !isPlainAwk(args);
  if (DECLARING.has(name)) return !args.every((text) => PLAIN_NAME.test(text));
  const starting = STARTING_ARGUMENTS[name];
  return starting !== undefined && args.some((text) => !isKnown(text) || starting.test(text));
}

function words(text: string): Set<string> {
  return new Set(text.trim().split(/\s+/));
}

/** Substitutes without the flags `e` and `w`, and prints or removes lines. */
const SED_SCRIPT =
  /^(s([/|#,:@])(?:\\.|(?!\2)[^\\\n])*\2(?:\\.|(?!\2)[^\\\n])*\2[gpiI0-9]*|\d*(,(\d+|\$))?[pdq]|\$[pdq])$/;

function isPlainSed(args: string[]): boolean {
  const scripts: string[] = [];
  const others: string[] = [];
  for (const [index, text] of args.entries()) {
    if (args[index - 1] === '-e') scripts.push(text);
    else if (text.startsWith('-') && text !== '-e' && !/^-[nErsi]+$/.test(text)) return false;
    else if (!text.startsWith('-')) others.push(text);
  }
  if (scripts.length === 0) scripts.push(...others.splice(0, 1));
  return scripts.every((script) => SED_SCRIPT.test(script)) && !others.some((text) => text.startsWith('\0'));
}

function isPlainAwk(args: string[]): boolean {
  const [program = '', ...others] = args.filter((text) => !/^-F./.test(text));
  return (
    isKnown(program) &&
    !/^-|[|@>]|system|getline/.test(program) &&
    !others.some((text) => !/^[\w./]/.test(text))
  );
}

/** Options of git before its command: those that take a word of their own, and those that do not. */
const GIT_VALUE = words('-C --git-dir --work-tree --namespace');
const GIT_FLAG =
  /^(-p|-P|--paginate|--no-pager|--no-replace-objects|--bare|--literal-pathspecs|--no-optional-locks|--(git-dir|work-tree|namespace)=.*)$/;
/** Anything else may be an alias, whose meaning a file says. */
const GIT_PLAIN = words(`
  add am annotate apply archive blame branch bundle cat-file check-attr check-ignore checkout cherry cherry-pick clean clone
  commit count-objects describe diff diff-index diff-tree fetch format-patch fsck gc grep help init log ls-files ls-remote
  ls-tree merge merge-base mv name-rev notes pull push range-diff reflog remote reset restore rev-list rev-parse revert rm
  shortlog show show-ref sparse-checkout stash status switch symbolic-ref tag version whatchanged worktree --version --help
`);
const GIT_STARTING = /^(--ex|--up|--rece|--conf|--temp|--to-cmd|--open|-O|\0)|::/;

/** The command of git and what follows it, without what stands before; undefined where that is not understood. */
export function gitCommand(args: string[]): string[] | undefined {
  let at = 0;
  while (args[at]?.startsWith('-')) {
    const option = args[at] ?? '';
    if (GIT_PLAIN.has(option)) break;
    if (GIT_VALUE.has(option) && args[at + 1] !== undefined) at += 2;
    else if (GIT_FLAG.test(option) && isKnown(option)) at += 1;
    else return undefined;
  }
  return args.slice(at);
}

function isOpaqueGit(args: string[]): boolean {
  const [command, ...rest] = gitCommand(args) ?? [];
  if (command === undefined) return args.length > 0;
  if (!GIT_PLAIN.has(command)) return true;
  return rest.some((text) => GIT_STARTING.test(text) || (command === 'clone' && /^-[^-]*[uc]/.test(text)));
}
