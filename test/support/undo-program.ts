import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import { isMainThread, parentPort, workerData } from 'node:worker_threads';
import { keeperOf } from '../../lib/agent/undo/keeper.ts';
import { readChanges } from '../../lib/agent/undo/run-changes.ts';
import { undoChanges } from '../../lib/agent/undo/undo-run.ts';
import { openKept, workspaceCopyOf } from '../../lib/agent/undo/undo-store.ts';
import { writeText } from '../../lib/files/write-text.ts';
import { pathsOf, type Random, randomFrom } from './undo-trees.ts';

/**
 * A run of random changes, or its undo, that may die at any file system call that changes something. As a
 * process it kills itself; as a thread, which starts faster, none of it continues afterwards either.
 */
interface Work {
  root: string;
  folder: string;
  seed: number;
  phase: 'run' | 'undo';
  /** The number of the call before which the thread dies; 0 for never. */
  dieAt: number;
}

const { root, folder, seed, phase, dieAt } = (
  isMainThread ? JSON.parse(process.argv[2] ?? '') : workerData
) as Work;
let calls = 0;
const CHANGING = ['mkdir', 'rename', 'rm', 'rmdir', 'symlink', 'unlink', 'utimes', 'writeFile'];
const CHANGING_BY_HANDLE = ['sync', 'chmod', 'utimes', 'writeFile'];

function tell(told: Record<string, unknown>): void {
  if (isMainThread) fs.writeSync(1, `${JSON.stringify(told)}\n`);
  else parentPort?.postMessage(told);
}

function die(): never {
  tell({ died: true });
  if (isMainThread) process.kill(process.pid, 'SIGKILL');
  process.exit();
}

function count(): void {
  calls += 1;
  if (calls === dieAt) die();
}

type Calls = Record<string, (...args: unknown[]) => unknown>;

async function countCalls(): Promise<void> {
  const promises = fs.promises as unknown as Calls;
  for (const name of CHANGING) before(promises, name, count);
  await using handle = await fs.promises.open(import.meta.filename);
  const ofHandles = Object.getPrototypeOf(handle) as Calls;
  for (const name of CHANGING_BY_HANDLE) before(ofHandles, name, count);
  tearLines(ofHandles);
  syncBuiltinESMExports();
}

function before(calls: Calls, name: string, look: () => void): void {
  const real = calls[name] as Calls[string];
  calls[name] = function (this: unknown, ...args) {
    look();
    return real.apply(this, args);
  };
}

/** A kill may leave a partial write. */
function tearLines(ofHandles: Calls): void {
  const real = ofHandles.appendFile as Calls[string];
  ofHandles.appendFile = function (this: { fd: number }, ...args) {
    calls += 1;
    if (calls !== dieAt) return real.apply(this, args);
    const bytes = Buffer.from(args[0] as string | Buffer);
    calls += 1; // the write below isn't a separate call
    fs.writeSync(this.fd, bytes, 0, Math.floor(bytes.length * 0.6));
    return die();
  };
}

const store = { folder, changed: async () => {} };
const workspace = { id: 'w', rootPath: root };
const runId = `run-${seed}`;

const quoted = (path: string) => `'${path.replaceAll("'", "'\\''")}'`;

function line(random: Random): string {
  const { files, folders, links } = pathsOf(root);
  const any = [...files, ...folders, ...links];
  const file = quoted(`./${random.pick(files.length > 0 ? files : ['new'])}`);
  const one = quoted(`./${random.pick(any.length > 0 ? any : ['new'])}`);
  const into = quoted(`./${random.pick([...folders, '.'])}`);
  const fresh = `${into}/n${random.below(1000)}`;
  return random.pick([
    () => `echo ${random.below(1e6)} > ${file}`,
    () => `echo ${random.below(1e6)} >> ${file}`,
    () => `printf 'same' | dd of=${file} conv=notrunc 2>/dev/null`,
    () => `truncate -s ${random.below(50)} ${file}`,
    () => `sed -i 's/a/b/' ${file}`,
    () => `rm -rf ${one}`,
    () => `mv ${one} ${fresh}`,
    () => `mv -f ${file} ${quoted(`./${random.pick(files.length > 0 ? files : ['new'])}`)}`,
    () => `mkdir -p ${fresh}/x/y`,
    () => `echo new > ${fresh}`,
    () => `ln -s ../somewhere ${fresh}`,
    () => `ln -sfn elsewhere ${links.length > 0 ? quoted(`./${random.pick(links)}`) : fresh}`,
    () => `ln ${file} ${fresh}`,
    () => `chmod ${random.pick(['700', '755', '600', '4755'])} ${one}`,
    () => `cp -a ${one} ${fresh}`,
    () => `touch ${file}`,
    () => `rm -rf ${one} && mkdir ${one} && echo x > ${one}/inside`,
    () => `rm -rf ${one} && echo file > ${one}`,
    () => `mkfifo ${fresh}`,
    () =>
      `mkdir -p .git/objects/ab && echo o > .git/objects/ab/${random.below(99)} && chmod 444 .git/objects/ab/*`,
  ])();
}

/** The whole thread waits for each line, and may die between two. */
async function command(random: Random): Promise<void> {
  for (let left = 1 + random.below(4); left > 0; left--) {
    try {
      execFileSync('/bin/sh', ['-c', line(random)], { cwd: root, stdio: 'ignore' });
    } catch {
      // A failed line still had its effect.
    }
    await new Promise((done) => setTimeout(done, 2));
    calls += 1;
    if (calls === dieAt) die();
  }
}

async function run(): Promise<void> {
  const random = randomFrom(seed * 7 + 1);
  const keeper = keeperOf(store, workspace, runId, async () => {});
  const write = async () => {
    const { files, folders } = pathsOf(root);
    const path =
      random.below(2) === 0 && files.length > 0
        ? random.pick(files)
        : join(random.pick([...folders, '.']), `w${random.below(99)}`, `t${random.below(9)}.md`);
    await keeper.change(path, () => writeText(root, path, `text ${random.below(1e6)}`)).catch(() => {});
  };
  const steps = [
    write,
    () => keeper.around('./changes', () => command(random)),
    () => keeper.around('./changes', () => command(random)),
    async () => void (await Promise.all([keeper.around('./changes', () => command(random)), write()])),
    async () =>
      void (await Promise.all([
        keeper.around('./changes', () => command(random)),
        keeper.around('./changes', () => command(random)),
      ])),
  ];
  for (let left = 1 + random.below(5); left > 0; left--) await random.pick(steps)();
}

async function undo(): Promise<void> {
  await workspaceCopyOf(store, workspace).recover();
  const kept = await openKept(store, workspace.id, runId);
  const changes = await readChanges(root, kept);
  await undoChanges({ root, kept, force: false, mayGoOn: () => true, change: (_, make) => make() }, changes);
  tell({
    left: (await readChanges(root, kept))
      .filter(({ undo }) => undo !== 'done')
      .map(({ path, undo }) => `${undo} ${path}`),
  });
}

await countCalls();
await (phase === 'run' ? run() : undo());
await workspaceCopyOf(store, workspace).recover();
tell({ calls });
