import { HOLE, isKnown } from '../template.ts';
import { isOpaqueGit } from './git-commands.ts';
import { wordSet } from './words.ts';

/** Where the sandbox has its programs: their path is another way to write their name. */
const SYSTEM_PROGRAM = /^\/(?:usr\/(?:local\/)?)?s?bin\/([^/]+)$/;
const PROGRAM_NAME = /^[A-Za-z0-9_.+[:-]+$/;

/** Returns the name of a program, however it is written; undefined if it is elsewhere or has an unusual name. */
export function programName(text: string): string | undefined {
  const name = SYSTEM_PROGRAM.exec(text)?.[1] ?? text;
  return PROGRAM_NAME.test(name) && name !== '.' && name !== '..' ? name : undefined;
}

/** Their input is itself a program, or tells them to start others: their arguments don't show what they do. */
const INTERPRETERS = wordSet(`
  sh bash dash ash zsh ksh mksh fish csh tcsh rbash yash posh xonsh elvish busybox toybox coreutils nu pwsh powershell
  python pypy ipython jupyter jython perl perldoc raku ruby irb jruby node nodejs deno bun tsx ts-node php lua luajit luac texlua
  tclsh wish expect autoexpect guile racket sbcl ecl clisp csi gosh swipl gprolog ghc ghci runghc runhaskell stack cabal erl elixir
  iex julia r rscript octave scilab maxima java javac jbang jdb groovy scala kotlin jshell clojure clj lein dotnet mono swift nim zig
  ocaml ocamlrun lli opt llc bugpoint pdb idle cpan prove pydoc exiftool rename prename file-rename ack ack-grep
  awk-original original-awk gawk mawk nawk m4 ed red ex vi vim nvim view emacs emacsclient nano pico joe jmacs jpico jstar mg zile
  kak helix hx micro mcedit mc less more most man info pg zless zmore xzless xzmore bzless bzmore lzless lzmore lesspipe pager
  groff troff nroff pic ditroff enscript a2ps gs gsnd dvips pandoc latexmk pdflatex latex xelatex lualatex tex pdftex xetex luatex
  context mpost texi2dvi texi2pdf make gmake bmake cmake ctest ninja meson scons waf bazel buck ant mvn mvnw gradle gradlew sbt
  rake just task mage tox nox pytest py.test coverage snakemake nextflow pre-commit invoke fab doit
  npm npx yarn pnpm pnpx corepack pip pipx pipenv poetry hatch pdm uv uvx conda mamba micromamba pixi cargo rustc rustup go
  bundle gem composer mix nix nix-shell nix-build guix brew asdf mise direnv pyenv rbenv nvm fnm volta
  jest vitest mocha eslint prettier webpack vite rollup turbo nx lerna pylint flake8 mypy
  gcc g++ cc c++ c89 c99 cpp gfortran clang clang++ clang-tidy ld gold as dlltool dllwrap windres tcc nvcc ccache distcc sccache
  icecc bear scan-build ssh scp sftp ssh-add ssh-agent ssh-copy-id sshpass sshfs autossh mosh rsync rsh rlogin rexec ftp lftp ncftp
  telnet nc ncat netcat socat nmap tcpdump tshark openvpn docker podman nerdctl kubectl helm terraform ansible ansible-playbook
  rclone restic borg duplicity unison rdiff-backup aria2c yt-dlp youtube-dl mail mailx s-nail mutt
  sudo sudoedit doas su runuser pkexec gosu chroot runcon unshare nsenter setpriv capsh setarch linux32 linux64 i386 x86_64 bwrap
  firejail systemctl journalctl busctl machinectl run0 start-stop-daemon service init crontab at batch run-parts parallel sem
  entr watch watchexec hyperfine script scriptreplay scriptlive screen tmux dtach abduco byobu asciinema fzf tig gh glab git-shell
  gdb gdbserver lldb strace ltrace valgrind perf heaptrack bpftrace stap rr uftrace sotruss fakeroot proot taskset prlimit chrt
  ionice numactl flock pipesz enosys coresched unbuffer rlwrap torify proxychains sg choom uclampset dbus-launch dbus-run-session
  gdbus dbus-send xvfb-run cpulimit faketime eatmydata chronic ifne pee mispipe zrun lckdo vidir vipe envdir setlock softlimit chpst
  daemonize daemon tini dumb-init supervisord sqlite3 duckdb psql pg_ctl pg_ctlcluster postgres initdb mysql mariadb mongo mongosh
  redis-cli redis-server nginx apache2 httpd gnuplot dialog xterm open osascript start gio gtk-launch exo-open kde-open wslview mpv
  mplayer vlc cvlc dc editor sensible-editor sensible-pager sensible-browser select-editor x-www-browser www-browser
  x-terminal-emulator msgexec msgfilter updatedb wget svn hg bzr fossil ld.so ldd dpkg apt rpm yum dnf apk snap flatpak
  memusage mtrace not slogin cpack pygmentize logsave gpgtar rpcgen gdbtui creduce cvise debconf
  gpg gpgsm gpgconf gpg-agent gpg-connect-agent gpg-wks-client gpg-wks-server gpg-zip gpgcompose dirmngr dirmngr-client fsck mkfs
  mount umount agetty getty
  debugfs fstab-decode gprofng gp-collect-app gp-display-text json_pp xsubpp instmodsh libtool lessfile zstdless zstdmore luit
  git-receive-pack scalar gpic grog neqn optscript dbus-daemon pg_virtualenv pg_conftool vipw vigr switch_root invoke-rc.d sprof
`);
/**
 * The same by a part of their name: `systemd-run`, `x86_64-linux-gnu-gcc`, `ld-linux-x86-64.so.2`, `perl5.36-x86_64-linux-gnu`.
 */
const INTERPRETER =
  /^(systemd-|dpkg-|apt-|debconf-|fakeroot-|llvm-reduce|xdg-|ps2|pdf2ps|ld-|ld\.|gcc-|perl5|s6-|conjure)|^[egr]*(vim?|view)(diff)?(\.\w+)?$|-(gcc|g\+\+|cpp|ld|as|clang)([-.](ar|nm|ranlib|bfd|gold))?(-[\d.]+)?$|-gprofng$|-gp-|^cpan[\d.]/;
/** The version suffix of `python3.11`, `gcc-12`, `valgrind.bin`. It starts only at the first digit of a run, or the `-` before. */
const VERSION = /(?:-|(?=\d)(?<=(?<![\d.])\.*))\d[\d.]*$|\.bin$/;

function isInterpreter(name: string): boolean {
  return INTERPRETERS.has(name) || INTERPRETERS.has(name.replace(VERSION, '')) || INTERPRETER.test(name);
}

/** Builtins of the shell that change the meaning of later words, read code, or evaluate names as code. */
const BUILTINS = wordSet(`
  source . alias unalias bind builtin caller compgen complete compopt coproc disown enable fc fg bg hash help history jobs
  let mapfile readarray shopt suspend getopts logout newgrp ulimit
`);

/** A pipe instead of a file, or a file of commands. */
const IMAGE_COMMAND = /[|:@]|^-(script|process)/;
const LOADED_FILTER = /[@|]|ladspa|frei0r|lv2|script|plugin|dnn|^-\//;
const PLUGIN = /^--?p(l|$)/;

/**
 * Harmless except with these arguments. Programs accept a prefix of a long option, so each entry is the shortest unambiguous
 * one.
 */
const STARTING_ARGUMENTS: Record<string, RegExp> = {
  tar: /^--(ch|to|us|rs|rm|n|inf|ru|files)|^-[^-]*[FIT]|^[A-Za-z0-9]*[FIT]|^(--file=)?[^/]*:/,
  sort: /^--co/,
  split: /^--f/,
  install: /^--strip-/,
  diff3: /^--d/,
  sdiff: /^--(d|o)|^-[^-]*o/,
  patch: /^--(ed|ge?t?)(=|$)|^-[^-]*[eg]/,
  zip: /^-[^-]*T|^--(un|tes)/,
  cpio: /^--rs|^(--file=)?[^/]*:|^-(?=[^-]*[FIO])[\s\S]*:/,
  curl: /^-[^-]*K|^--(conf|en)|pkcs11:|engine/,
  openssl: /engine|^--?(provider|con)|pkcs11:/i,
  'ssh-keygen': /^-[^-]*[Dw]/,
  getent: /^-[^-]*s|^--s/,
  dmsetup: /^--exe/,
  rg: /^--pre|^--hostname-bin/,
  fd: /^-[^-]*[xX]|^--exec/,
  fdfind: /^-[^-]*[xX]|^--exec/,
  ag: /^--pa/,
  bat: /^--pag/,
  batcat: /^--pag/,
  ctags: /xcmd|^--opt/,
  ip: /^(ne|v)|^-[^-]*b/,
  nm: PLUGIN,
  ar: PLUGIN,
  ranlib: PLUGIN,
  objcopy: PLUGIN,
  strip: PLUGIN,
  convert: IMAGE_COMMAND,
  magick: IMAGE_COMMAND,
  mogrify: IMAGE_COMMAND,
  identify: IMAGE_COMMAND,
  composite: IMAGE_COMMAND,
  montage: IMAGE_COMMAND,
  gm: IMAGE_COMMAND,
  sox: LOADED_FILTER,
  play: LOADED_FILTER,
  ffmpeg: LOADED_FILTER,
  ffprobe: LOADED_FILTER,
  printf: /^-v/,
  test: /^-[vR]$/,
  '[': /^-[vR]$/,
  read: /[[\]]|^-[^-]*a./,
  set: /^(?![+-][eux]*o?$|pipefail$)/,
  wait: /^-/,
};
const DECLARING = wordSet('export local declare typeset readonly unset');
/** They read `(…)` in a value as an array, whose subscripts are code. */
const DECLARING_ARRAYS = wordSet('local declare typeset');
const ARRAY_VALUE = new RegExp(`^\\w+\\+?=[(${HOLE}]`);
const PLAIN_NAME = /^[A-Za-z_]\w*(=|$)/;

/** Returns the variables that a shell command sets by name. */
export function variablesSet(name: string | undefined, args: string[]): string[] {
  if (name === undefined || (name !== 'read' && !DECLARING.has(name))) return [];
  return args.filter((text) => !text.startsWith('-')).map((text) => text.replace(/=[\s\S]*$/, ''));
}

/**
 * Returns whether a program may do anything, because its command line doesn't show all of it. `isWhole`: an assignment among
 * its words is one word, whatever it contains.
 */
export function isOpaque(name: string, args: string[], isWhole: boolean): boolean {
  if (isInterpreter(name) || BUILTINS.has(name)) return true;
  if (name === 'git') return isOpaqueGit(args);
  if (name === 'sed') return !isPlainSed(args);
  if (name === 'awk') return !isPlainAwk(args);
  if (name === 'openssl' && args.length === 0) return true; // reads commands from its input
  if (DECLARING.has(name)) return !isWhole || !args.every((text) => isPlainDeclaration(name, text));
  const starting = STARTING_ARGUMENTS[name];
  return starting !== undefined && args.some((text) => !isKnown(text) || starting.test(text));
}

function isPlainDeclaration(name: string, text: string): boolean {
  return PLAIN_NAME.test(text) && !(DECLARING_ARRAYS.has(name) && ARRAY_VALUE.test(text));
}

/** Matches substitutions without the flags `e` and `w`, and scripts that print or delete lines. */
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
  return scripts.every((script) => SED_SCRIPT.test(script)) && others.every(isKnown);
}

function isPlainAwk(args: string[]): boolean {
  const [program = '', ...others] = args.filter((text) => !isKnown(text) || !/^-F./.test(text));
  return (
    isKnown(program) &&
    !/^-|[|@>]|system|getline/.test(program) &&
    others.every((text) => isKnown(text) && /^[\w./]/.test(text))
  );
}
