import { cp, glob, mkdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import type { DepthName, Research, SourceName } from '../../lib/research/request-schema.ts';
import { readStream } from '../support/agent-client.ts';
import { startFakeOpenai } from '../support/fakes/fake-openai.ts';
import { type Asked, researchAnswer } from '../support/research-model.ts';
import { type Service, startService } from '../support/service.ts';
import { createWorkspace, syncWorkspace } from '../support/sync.ts';
import { cleanUp, tempFolder } from '../support/temp-folder.ts';
import { startPapers } from './research-papers.ts';

/**
 * Research over the documentation of this project's own packages, with a model of a fixed speed: the time of each depth, then
 * a deep run, also over papers of all four sources, whose host is killed at random. Exits with 1 unless the run ends with one
 * report that cites papers, or if it downloads a stored paper or pays again for a call that was not in progress.
 *
 * `npm run test:research` takes four minutes; `-- --kills 1 --files 40` takes less.
 */
const { values } = parseArgs({
  options: {
    files: { type: 'string', default: '240' },
    kills: { type: 'string', default: '50' },
    /** The model's pause before it answers. */
    'answer-ms': { type: 'string', default: '1200' },
  },
});
const FILES = Number(values.files);
const KILLS = Number(values.kills);
/** Concurrent model calls of a run. */
const AT_ONCE = 4;
/** Longer than a lease. */
const AHEAD_MS = 3 * 60_000;

/** Each topic contains the keyword of its papers. */
const TOPICS = [
  ['streams', 'How are streams read and written?'],
  ['errors', 'How are errors reported?'],
  ['parser', 'Which options does a parser take?'],
  ['package', 'How is a package installed?'],
  ['licence', 'Which licence and version of Node are needed?'],
  ['folders', 'How are files and folders matched?'],
  ['promises', 'How are promises and callbacks used?'],
  ['cached', 'What is cached, and for how long?'],
] as const;

const prompts: string[] = [];
let characters = 0;

/** Plans all topics of the depth, and otherwise answers correctly. */
function plan({ step }: Asked): unknown {
  return step === 'plan'
    ? { questions: TOPICS.map(([word, question]) => ({ question, answeredBy: '', keywords: [word] })) }
    : undefined;
}

const provider = await startFakeOpenai({ delayMs: Number(values['answer-ms']) });
/** Answers immediately, because a sync of the files would otherwise take minutes at the model's delay. */
const embedder = await startFakeOpenai();
const answerOf = researchAnswer(plan);
provider.answer = (request) => {
  const asked = JSON.stringify(request.messages);
  prompts.push(asked.replace(/(<\/?[a-z]+-)[0-9a-f]{16}/g, '$1'));
  const answer = answerOf(request);
  characters += asked.length + answer.length;
  return answer;
};
const papers = await startPapers(TOPICS.map(([word]) => word));
const environment = {
  ...papers.environment,
  PROVIDER_A_BASE_URL: provider.url,
  PROVIDER_A_API_KEY: 'sk',
  EMBEDDING_BASE_URL: embedder.url,
  EMBEDDING_API_KEY: 'sk',
  DATA_DIR: join(await tempFolder(), 'data'),
  NODE_OPTIONS: `--import ${pathToFileURL(resolve(import.meta.dirname, '../support/clock-ahead.mjs'))}`,
  LOG_LEVEL: 'error',
};

async function copyDocuments(root: string): Promise<number> {
  let copied = 0;
  for await (const path of glob('node_modules/**/*.md')) {
    if (copied === FILES) break;
    const to = join(root, `${copied}-${path.split('/').slice(1).join('-')}`);
    await cp(path, to);
    copied += 1;
  }
  return copied;
}

async function begin(
  service: Service,
  workspaceId: string,
  depth: DepthName,
  sources: SourceName[] = ['files'],
): Promise<string> {
  const body = { workspaceId, question: `What do the packages say, ${depth}?`, depth, sources };
  const { body: started, status } = await service.call<{ runId: string }>('POST', '/api/research', body);
  if (status !== 202) throw new Error(`POST /api/research answered ${status}`);
  return started.runId;
}

async function look(service: Service, runId: string): Promise<Research> {
  return (await service.call<Research>('GET', `/api/research/${runId}`)).body;
}

function isOver({ status }: Research): boolean {
  return status !== 'running' && status !== 'waiting';
}

async function measure(service: Service, workspaceId: string, depth: DepthName) {
  const before = { calls: prompts.length, characters };
  const began = performance.now();
  const runId = await begin(service, workspaceId, depth);
  let longestSilence = 0;
  let last = performance.now();
  await readStream(service, `/api/agent/runs/${runId}/stream`, {
    leave() {
      longestSilence = Math.max(longestSilence, performance.now() - last);
      last = performance.now();
      return false;
    },
  });
  const { counts, evidence, estimate, status } = await look(service, runId);
  return {
    ...{ depth, status, seconds: Math.round((performance.now() - began) / 100) / 10 },
    ...{ calls: prompts.length - before.calls, atMost: estimate.calls },
    tokens: Math.round((characters - before.characters) / 4),
    ...{ evidence: evidence.length, sentences: counts.sentences, supported: counts.supported },
    longestSilence: `${Math.round(longestSilence / 100) / 10} s`,
  };
}

/** A paper takes longer than a model call. On a slow host, the time between kills is also longer. */
function longestLife(startMs: number): number {
  const isGathering = prompts.length < 2;
  return isGathering ? Math.max(3800, 4 * startMs) : Math.max(2200, startMs);
}

/** Kills the host repeatedly during a run; returns how often before the run was over. */
async function killWhileItRuns(first: Service, runId: string): Promise<{ service: Service; kills: number }> {
  let service = first;
  let kills = 0;
  let startMs = 0;
  while (kills < KILLS) {
    await pause(200 + Math.random() * longestLife(startMs));
    if (isOver(await look(service, runId))) break;
    await service.kill();
    await papers.noteKill(join(service.root, 'packages'));
    kills += 1;
    const began = performance.now();
    service = await startService({ ...environment, CLOCK_AHEAD_MS: String(kills * AHEAD_MS) });
    startMs = performance.now() - began;
    await look(service, runId); // like a returning client, so that a dead run is noticed
  }
  return { service, kills };
}

let service = await startService(environment);
const workspaceId = await createWorkspace(service, 'packages');
await mkdir(join(service.root, 'packages'), { recursive: true });
const copied = await copyDocuments(join(service.root, 'packages'));
await syncWorkspace(service, workspaceId, 300_000);
console.log(`${copied} files`);
const rows = [];
for (const depth of ['quick', 'standard'] as const) rows.push(await measure(service, workspaceId, depth));

prompts.length = 0;
const runId = await begin(service, workspaceId, 'deep', ['files', 'papers']);
const killed = await killWhileItRuns(service, runId);
service = killed.service;
while (!isOver(await look(service, runId))) await pause(500);
const report = await look(service, runId);
const again = prompts.length - new Set(prompts).size;
const notes = await service.call<{ id: string }[]>('GET', `/api/notes?workspaceId=${workspaceId}`);
const kept = notes.body.filter(({ id }) => id === report.noteId).length;
console.log(
  `deep, killed ${killed.kills} times: ${report.status}, ${report.sections.length} sections, ${report.evidence.length} claims, ${report.calls} calls paid, ${again} of them again`,
);
const paperCounts = await papers.count(join(service.root, 'packages'), report);
console.table([paperCounts]);
const deep = await restartDeep();
console.table([...rows, deep]);
const { fetchedThoughKept, cited, citedReferences } = paperCounts;
const papersOk = fetchedThoughKept === 0 && cited > 0 && citedReferences > 0;
const ok = report.status === 'done' && kept === 1 && again <= killed.kills * AT_ONCE && papersOk;
await cleanUp();
await Promise.all([provider.stop(), embedder.stop()]);
process.exitCode = ok ? 0 : 1;

/** Starts in a separate workspace without earlier questions. */
async function restartDeep() {
  const other = await createWorkspace(service, 'again');
  await copyDocuments(join(service.root, 'again'));
  await syncWorkspace(service, other, 300_000);
  return measure(service, other, 'deep');
}
