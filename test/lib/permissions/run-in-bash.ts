import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  cpSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';

/** The only programs. None of them ends processes, waits, or removes files. */
const PROGRAMS =
  'awk basename bash cat cp cut date diff dirname env find git grep head ln ls mkdir nice nl nohup nproc paste printenv readlink ' +
  'realpath sed seq sh sha256sum sort split stat tac tee timeout touch tr tree true uniq wc xargs';
/** The variables of each line: code, options, and words of a command. */
const VARIABLES = {
  x: 'a[$(canary)]',
  y: '$(canary)',
  z: '[x]=1',
  o: ' --upload-pack=canary -exec canary ; 1 canary',
  w: '. canary',
};
const BATCH_MS = 600_000;
/** Prevents changes outside a line's folder. */
const NOBODY = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};

interface Ran {
  /** The indexes of the lines that ran `canary`. */
  canary: Set<number>;
  /** The indexes of the lines that left something in `.git/hooks`. */
  hooks: Set<number>;
  /** The files that the lines created or changed, outside `.git`. */
  changed: string[];
}

/** A bash in which `canary` only logs that it ran. Its folder contains files whose names are code. */
export interface Bash {
  /** Runs each line in a separate forked shell. */
  run(lines: string[]): Promise<Ran>;
}

export function bashIn(folder: string): Bash {
  const bin = join(folder, 'bin');
  mkdirSync(bin);
  writeFileSync(join(bin, 'canary'), '#!/bin/sh\necho "$LINE canary" >>"$LOG"\n');
  chmodSync(join(bin, 'canary'), 0o755);
  for (const name of PROGRAMS.split(' ')) linkProgram(name, bin);
  const seed = join(folder, 'seed');
  makeSeed(seed);
  return { run: (lines) => runBatch(folder, seed, lines) };
}

function linkProgram(name: string, bin: string): void {
  try {
    symlinkSync(
      execFileSync('sh', ['-c', `command -v ${name}`], { encoding: 'utf8' }).trim(),
      join(bin, name),
    );
  } catch {} // without bash on this host, its lines run nothing
}

function makeSeed(seed: string): void {
  mkdirSync(join(seed, 'd'), { recursive: true });
  for (const name of ['$(canary)', 'a[$(canary)]', '[x]=1', 'x', 'big'])
    writeFileSync(join(seed, name), 'b\na\n'.repeat(900));
  writeFileSync(join(seed, 'in'), 'a[$(canary)]\nx\n');
  writeFileSync(join(seed, 'evil'), '#!/bin/sh\ncanary\n');
  const script = `git init -q; rm -f .git/hooks/*; git add in x
    git -c user.name=a -c user.email=a@example.org commit -qm x`;
  const env = { PATH: process.env.PATH, HOME: seed };
  execFileSync('bash', ['-c', script], { cwd: seed, stdio: 'ignore', env });
}

/** A line may loop, fill a file, or leave a background process, so it is limited and awaited. */
const HEADER = `set +m; ulimit -t 3 -f 20000; enable -n kill
over() { set -- .git/hooks/*; if [ -e "$1" ]; then echo "$LINE hooks" >>"$LOG"; fi; }
renew() { set -- .git/hooks/* ; [ -d .git/hooks ] && [ ! -e "$1" ] || { /bin/rm -rf .git; cp -r "$SEED/.git" .git; }; }
`;

async function runBatch(folder: string, seed: string, lines: string[]): Promise<Ran> {
  const [log, work, script] = [join(folder, 'log'), join(folder, 'work'), join(folder, 'lines.sh')];
  rmSync(work, { recursive: true, force: true });
  cpSync(seed, work, { recursive: true });
  writeFileSync(log, '');
  if ('uid' in NOBODY) execFileSync('chown', ['-R', `${NOBODY.uid}:${NOBODY.gid}`, work, log]);
  const before = filesIn(work);
  const body = lines.map(
    (line, at) =>
      `export LINE=${at}; ( eval ${quote(line)}; wait ) </dev/null >/dev/null 2>&1\ncd "$WORK"; over; renew\n`,
  );
  writeFileSync(script, HEADER + body.join(''));
  const paths = { PATH: join(folder, 'bin'), HOME: work, LOG: log, SEED: seed, WORK: work };
  const env = { ...VARIABLES, ...paths, FUNCNEST: '8', GIT_TEMPLATE_DIR: '' };
  const options = { cwd: work, env, stdio: 'ignore', detached: true, timeout: BATCH_MS, ...NOBODY } as const;
  const child = spawn('/bin/bash', [script], options);
  const [code, signal] = (await once(child, 'exit')) as [number | null, string | null];
  if (signal !== null) throw new Error(`bash did not end: ${signal}, ${code}`);
  const rows = readFileSync(log, 'utf8')
    .split('\n')
    .map((row) => row.split(' '));
  const marked = (kind: string) =>
    new Set(rows.filter(([, mark]) => mark === kind).map(([at]) => Number(at)));
  const after = [...filesIn(work)].filter(([path, state]) => before.get(path) !== state);
  return { canary: marked('canary'), hooks: marked('hooks'), changed: after.map(([path]) => path) };
}

/** Returns the state of each file and folder outside `.git`, by path. */
function filesIn(work: string): Map<string, string> {
  const paths = readdirSync(work, { recursive: true, encoding: 'utf8' }).filter(
    (path) => !/^\.git(\/|$)/.test(path),
  );
  return new Map(
    paths.map((path) => {
      const { ino, size, mtimeMs, mode } = lstatSync(join(work, path));
      return [
        path,
        lstatSync(join(work, path)).isDirectory() ? `${ino}` : `${ino} ${size} ${mtimeMs} ${mode}`,
      ];
    }),
  );
}

/** Quotes a text so that a shell reads it as one word. */
function quote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
