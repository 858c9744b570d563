import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { indexes } from '../../lib/passages/search-space.ts';
import { sha256 } from '../../lib/paths/hash.ts';
import type { ScoredPassage, SearchScope, Vectors } from '../../lib/ports/vectors.ts';
import { runMessageSchema } from '../../lib/runs/schema.ts';
import { beginCheck, type WantedCheck } from '../../lib/verify/begin.ts';
import { continueCheck } from '../../lib/verify/continue.ts';
import { describeCheck, findCheck } from '../../lib/verify/find-check.ts';
import type { DraftCheckPorts } from '../../lib/verify/ports.ts';
import { MEMBER, startAgentRig } from './agent.ts';
import { type ScriptedModel, withResearch } from './research.ts';
import type { Script } from './research-model.ts';

/**
 * Draft checks without a host: real SQLite and disk, a scripted judge, and an index that finds each file. The
 * file's passage starts at `passagesFrom`, if the file contains that.
 */
export async function startCheckRig(
  files: Record<string, string>,
  script: Script = () => undefined,
  passagesFrom = '',
) {
  const rig = await startAgentRig();
  const { workspace } = rig;
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(workspace.rootPath, path)), { recursive: true });
    await writeFile(join(workspace.rootPath, path), text);
  }
  await indexes.put(rig.ports.records, { workspaceId: workspace.id, space: 'lexical', rows: 1, commits: 1 });
  const model: ScriptedModel = { script, prompts: [], before: undefined };
  const searches: string[] = [];
  const vectors = {
    open: async () => tableOf(workspace.rootPath, Object.keys(files), { searches, passagesFrom }),
  };
  const searchFor: DraftCheckPorts['searchFor'] = () => ({
    ...{ records: rig.ports.records, embedder: undefined },
    vectors: vectors as unknown as Vectors,
  });
  const ports = { ...withResearch(rig.ports, {}, model), searchFor };

  const begin = (wanted: WantedCheck) => beginCheck(ports, MEMBER, [workspace], wanted);
  /** Passes the queued messages to a worker with these ports. */
  async function work(given: DraftCheckPorts = ports): Promise<number> {
    const messages = await rig.ports.agentQueue.receive({ max: 10 });
    for (const { body, receipt } of messages) {
      await continueCheck(given, runMessageSchema.parse(JSON.parse(body)).runId, rig.time.requestMs);
      await rig.ports.agentQueue.delete([receipt]);
    }
    return messages.length;
  }
  const look = async (runId: string) => describeCheck(ports, await findCheck(ports.records, MEMBER, runId));
  /** Returns the check when the worker has nothing more to do. */
  async function check(wanted: WantedCheck) {
    const { runId } = await begin(wanted);
    while ((await work()) > 0);
    return look(runId);
  }
  return { ...rig, ports, model, searches, begin, work, look, check };
}

export type CheckRig = Awaited<ReturnType<typeof startCheckRig>>;

interface TableSettings {
  searches: string[];
  passagesFrom: string;
}

/** Opens a table that finds every file, each as one passage. */
function tableOf(root: string, paths: string[], { searches, passagesFrom }: TableSettings) {
  return {
    async searchText(query: string, _: number, scope?: SearchScope): Promise<ScoredPassage[]> {
      searches.push(query);
      const wanted = paths.filter((path) => scope?.paths?.includes(path) ?? true);
      return Promise.all(wanted.map((path) => passageOf(root, path, passagesFrom)));
    },
    count: async () => paths.length,
  };
}

async function passageOf(root: string, path: string, passagesFrom: string): Promise<ScoredPassage> {
  const bytes = await readFile(join(root, path));
  const whole = bytes.toString();
  const startChar = Math.max(0, whole.indexOf(passagesFrom));
  const text = whole.slice(startChar);
  const startLine = whole.slice(0, startChar).split('\n').length;
  return {
    ...{ path, chunk: 0, fileHash: await sha256(bytes), text },
    ...{ startLine, endLine: startLine + text.split('\n').length - 1 },
    ...{ startChar, endChar: whole.length, part: {}, context: '', score: 1 },
  };
}
