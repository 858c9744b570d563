import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { quote } from './generated-lines.ts';

/** What the variables of each line hold: code, options, and words of a command. */
const HELD = {
  x: 'a[$(canary)]',
  y: '$(canary)',
  z: '[x]=1',
  o: ' --upload-pack=canary -exec canary ; 1 canary',
  w: '. canary',
};
const BATCH_MS = 300_000;

/** A bash in which `canary` only says that it ran, and by which line. Its folder holds files whose names are code. */
export interface Bash {
  /** The places of the lines that ran `canary`, or left something in `.git/hooks`. Each runs in a shell of its own, forked. */
  run(lines: string[]): Promise<Set<number>>;
}

export function bashIn(folder: string): Bash {
  const bin = join(folder, 'bin');
  mkdirSync(bin);
  writeFileSync(join(bin, 'canary'), '#!/bin/sh\necho "$LINE" >>"$LOG"\n');
  chmodSync(join(bin, 'canary'), 0o755);
  const seed = join(folder, 'seed');
  makeSeed(seed);
  return { run: (lines) => runBatch(folder, seed, lines) };
}

function makeSeed(seed: string): void {
  mkdirSync(join(seed, 'd'), { recursive: true });
  for (const name of ['$(canary)', 'a[$(canary)]', '[x]=1', 'x', 'big'])
    writeFileSync(join(seed, name), 'b\na\n'.repeat(900));
  writeFileSync(join(seed, 'in'), 'a[$(canary)]\nx\n');
  writeFileSync(join(seed, 'evil'), '#!/bin/sh\ncanary\n');
  writeFileSync(join(seed, 'list'), '--checkpoint-action=exec=canary\nin\n');
  writeFileSync(join(seed, 'p.ed'), '1c\nx\n.\n!canary\nw\nq\n');
  const options = { cwd: seed, stdio: 'ignore' } as const;
  const script = `tar cf in.tar in evil; zip -q in.zip in; git init -q; rm -f .git/hooks/*; git add in x
    git -c user.name=a -c user.email=a@example.org commit -qm x`;
  execFileSync('bash', ['-c', script], { ...options, env: { PATH: process.env.PATH, HOME: seed } });
}

/** What is judged to be harmless may loop, fill a file, or leave something running: bounded, and waited for. */
const HEADER = `set +m; ulimit -t 3 -f 20000
over() { set -- .git/hooks/*; if [ -e "$1" ]; then echo "$LINE" >>"$LOG"; fi; }
renew() { set -- .git/hooks/* ; [ -d .git/hooks ] && [ ! -e "$1" ] || { rm -rf .git; cp -r "$SEED/.git" .git; }; }
`;

async function runBatch(folder: string, seed: string, lines: string[]): Promise<Set<number>> {
  const log = join(folder, 'log');
  const work = join(folder, 'work');
  rmSync(work, { recursive: true, force: true });
  cpSync(seed, work, { recursive: true });
  writeFileSync(log, '');
  const body = lines.map(
    (line, at) =>
      `export LINE=${at}; ( eval ${quote(line)}; wait ) </dev/null >/dev/null 2>&1\ncd "$WORK"; over; renew\n`,
  );
  const script = join(folder, 'lines.sh');
  writeFileSync(script, HEADER + body.join(''));
  const env = {
    ...HELD,
    PATH: `${join(folder, 'bin')}:/usr/bin:/bin`,
    HOME: work,
    LOG: log,
    SEED: seed,
    WORK: work,
    FUNCNEST: '8',
  };
  const child = spawn('bash', [script], {
    cwd: work,
    env,
    stdio: 'ignore',
    detached: true,
    timeout: BATCH_MS,
  });
  const [code, signal] = (await once(child, 'exit')) as [number | null, string | null];
  if (signal !== null) throw new Error(`bash did not end: ${signal}, ${code}`);
  return new Set(readFileSync(log, 'utf8').split('\n').filter(Boolean).map(Number));
}
