import { execFileSync, spawn } from 'node:child_process';
import { cpSync, mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { kubeconfigFile } from '../support/cluster.ts';
import { startFakeKubernetes } from '../support/fakes/fake-kubernetes.ts';
import { inTurn, startFakeOpenai } from '../support/fakes/fake-openai.ts';
import { cleanUp, tempFolder } from '../support/temp-folder.ts';

/**
 * `wrs` in a real terminal, on a fresh host (an empty home folder) and real documents: the recording in
 * docs/guides/cli.md, and a check that a question in the terminal accepts only input typed after it. The
 * model is a stand-in, which quotes.
 */
const PROGRAM = resolve(import.meta.dirname, '../../cli/wrs.mjs');
const TERMINAL = resolve(import.meta.dirname, '../support/in_terminal.py');
const JOB = { name: 'train', command: 'python train.py', image: 'python:3' };
const ASKS = 'Type "yes" to approve';

const provider = await startFakeOpenai();
const cluster = await startFakeKubernetes();
const home = await tempFolder();
const env = {
  PATH: process.env.PATH,
  HOME: home,
  TERM: 'xterm',
  PROVIDER_A_BASE_URL: provider.url,
  KUBECONFIG_PATH: await kubeconfigFile(cluster.kubeconfig()),
};
try {
  const folder = join(home, 'papers');
  copyDocuments(folder);
  await record();
  await checkApprovals();
} finally {
  await Promise.all([provider.stop(), cluster.stop()]);
  await cleanUp();
}

function copyDocuments(folder: string): void {
  const fetched = execFileSync('bash', [join(import.meta.dirname, 'fetch-documents.sh')])
    .toString()
    .trim();
  mkdirSync(folder);
  for (const part of [
    'debian-policy/usr/share/doc/debian-policy',
    'debian-reference-en/usr/share/debian-reference',
  ])
    cpSync(join(fetched, part), join(folder, part.split('/')[0] ?? ''), { recursive: true });
}

/** Returns the final lines of the terminal, which contain the last version of an overwritten line. */
async function record(): Promise<void> {
  const question = 'What is the maintainer script prerm for?';
  const { code, shown } = await inTerminal(['ask', 'papers', question]);
  if (code !== 0) throw new Error(`wrs ask ended with ${code}:\n${shown}`);
  const bar = shown.match(/\[#+-*\] \d+\/\d+ files/g)?.at(-1);
  if (bar === undefined || !/^\[1\] papers\/\S+:\d+/m.test(stripVTControlCharacters(shown)))
    throw new Error(`no progress, or no citation:\n${shown}`);
  const lines = stripVTControlCharacters(shown)
    .split('\n')
    .map((line) => line.split('\r').findLast((part) => part !== '') ?? '');
  process.stdout.write(`$ wrs ask papers "${question}"\n${bar}\n${lines.join('\n')}\n`);
}

async function checkApprovals(): Promise<void> {
  const answers: [string, [string, string][], number][] = [
    ['Enter alone', [[ASKS, '\n']], 0],
    [
      'yes, typed ahead',
      [
        ['submitJob', 'yes\n'],
        [ASKS, '\n'],
      ],
      0,
    ],
    ['yes', [[ASKS, 'yes\n']], 1],
  ];
  for (const [name, steps, jobs] of answers) {
    provider.answer = inTurn({ calls: [{ name: 'submitJob', input: JOB }] }, 'So be it.');
    cluster.objects = [];
    const { code, shown } = await inTerminal(['agent', 'papers', 'Train.'], steps);
    if (code !== 0 || cluster.objects.length !== jobs || !shown.includes('So be it.'))
      throw new Error(`${name}: ${cluster.objects.length} jobs, code ${code}:\n${shown}`);
    process.stdout.write(`${name}: ${jobs === 0 ? 'refused' : 'approved'}\n`);
  }
}

function inTerminal(
  args: string[],
  steps: [string, string][] = [],
): Promise<{ code: number; shown: string }> {
  const child = spawn('python3', [TERMINAL, JSON.stringify(steps), PROGRAM, ...args], { env, cwd: home });
  let shown = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (shown += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (shown += text));
  return new Promise((done) => child.once('close', (code) => done({ code: code ?? -1, shown })));
}
