import type { AgentPorts } from '../../lib/agent/ports.ts';
import type { LanguageModel } from '../../lib/ports/language-model.ts';
import type { Vectors } from '../../lib/ports/vectors.ts';
import { beginResearch } from '../../lib/research/begin.ts';
import { continueResearch } from '../../lib/research/continue.ts';
import type { ResearchPorts } from '../../lib/research/ports.ts';
import { type ResearchBody, researchBody } from '../../lib/research/request-schema.ts';
import { runMessageSchema } from '../../lib/runs/schema.ts';
import { MEMBER, startAgentRig } from './agent.ts';
import { answerHonestly, readAsked, type Script } from './research-model.ts';

/** Web pages by their URL. */
export type Pages = Record<string, string>;

/** Research without a host: real SQLite and disk, a scripted model, pages instead of an index. */
export async function startResearchRig(pages: Pages, script: Script = () => undefined) {
  const rig = await startAgentRig();
  /** Each prompt without its random tag, once per call. */
  const prompts: string[] = [];
  const model: ScriptedModel = { script, prompts, before: undefined };
  const ports = withResearch(rig.ports, pages, model);

  /** Starts a run; `work` processes it. */
  async function begin(fields: Partial<ResearchBody> = {}) {
    const body = { workspaceId: rig.workspace.id, question: 'When do owls hunt?', depth: 'quick', ...fields };
    const { workspaceId: _, ...request } = researchBody.parse({ ...body, addresses: Object.keys(pages) });
    return beginResearch(ports, MEMBER, rig.workspace, request);
  }

  /** Passes the queued messages to a worker with these ports. */
  async function work(given: ResearchPorts = ports): Promise<number> {
    const messages = await rig.ports.agentQueue.receive({ max: 10 });
    for (const { body, receipt } of messages) {
      await continueResearch(given, runMessageSchema.parse(JSON.parse(body)).runId, rig.time.requestMs);
      await rig.ports.agentQueue.delete([receipt]);
    }
    return messages.length;
  }
  return { ...rig, ports, model, begin, work };
}

export type ResearchRig = Awaited<ReturnType<typeof startResearchRig>>;

export interface ScriptedModel {
  script: Script;
  prompts: string[];
  /** Awaited before each answer. */
  before: Promise<void> | undefined;
}

/** Adds the ports that research needs in addition to the agent: searches find only the pages. */
export function withResearch<Ports extends AgentPorts>(
  ports: Ports,
  pages: Pages,
  model: ScriptedModel,
): Ports & ResearchPorts {
  const vectors = { open: () => Promise.reject(new Error('there is no index')) } as unknown as Vectors;
  return {
    ...ports,
    prices: {},
    touchQueue: { ...ports.agentQueue, send: async () => {} },
    papers: {
      search: async () => ({ articles: [], totalCount: 0, errors: {} }),
      read: () => Promise.reject(),
      fetch: () => Promise.reject(),
      references: async () => [],
      retracted: async () => [],
      lookUp: async () => [],
    },
    searchFor: () => ({ records: ports.records, vectors, embedder: undefined }),
    openModel: () => scriptedModel(model),
    web: {
      async fetchPublic(url) {
        const bytes = Buffer.from(pages[url] ?? '');
        return { url, status: bytes.length === 0 ? 404 : 200, contentType: 'text/html', bytes };
      },
    },
  };
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
}

function scriptedModel(model: ScriptedModel): LanguageModel {
  return {
    provider: 'a',
    model: 'scripted',
    async *stream({ system, messages, signal }) {
      const content = String(messages[0]?.content);
      model.prompts.push(`${system}\n${content.replace(/(<\/?[a-z]+-)[0-9a-f]{16}/g, '$1')}`);
      await Promise.race([model.before, signal && aborted(signal)]);
      signal?.throwIfAborted();
      const asked = readAsked(system, content);
      const answer = model.script(asked) ?? answerHonestly(asked);
      yield { type: 'text', text: typeof answer === 'string' ? answer : JSON.stringify(answer) };
      yield { type: 'finish', reason: 'stop', usage: { inputTokens: 10, outputTokens: 5 } };
    },
  };
}
