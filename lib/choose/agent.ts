import { useProxies } from '../adapters/outbound/proxy.ts';
import { ripgrepTextSearch } from '../adapters/ripgrep/text-search.ts';
import type { AgentPorts } from '../agent/ports.ts';
import { allTools, type ToolPorts } from '../agent/tools/all-tools.ts';
import { SELF_APPROVAL, withoutApprovals } from '../agent/tools/modes.ts';
import { remoteTool } from '../agent/tools/remote.ts';
import type { Tool } from '../agent/tools/tool.ts';
import type { AnswerPorts } from '../chat/answer.ts';
import type { Config } from '../config.ts';
import { type TouchPorts, touchWorkspace } from '../indexing/enqueue.ts';
import type { SyncPorts } from '../indexing/sync.ts';
import { knownTools } from '../mcp-servers/remote-tools.ts';
import { embeddingSpaceOf } from '../passages/embedding-space.ts';
import { systemClock } from '../ports/clock.ts';
import type { Papers } from '../ports/papers.ts';
import { withSettings } from '../settings/with-settings.ts';
import { loadSkill } from '../skills/run.ts';
import { countedCommands, countedModel, countedSearch } from '../usage/counted.ts';
import type { Use } from '../usage/schema.ts';
import { openCluster } from './cluster.ts';
import { findSelfApproval, openCommands } from './commands.ts';
import { openEmbedder } from './embedder.ts';
import { openLanguageModel } from './language-model.ts';
import { openMcpRemote } from './mcp-remote.ts';
import { openObjects } from './objects.ts';
import { openPapers } from './papers.ts';
import { openQueue } from './queue.ts';
import { openRecords } from './records.ts';
import { openReranker } from './reranker.ts';
import { openSecrets } from './secrets.ts';
import { openVectors } from './vectors.ts';

export interface OpenedAgent extends AgentPorts, TouchPorts, Pick<SyncPorts, 'space'> {
  searchFor(use: Use): AnswerPorts;
  papers: Papers;
}

/**
 * What the functions need that begin runs of the agent or go on with them; keys are those of the moment of the call.
 */
export async function openAgent(config: Config): Promise<() => Promise<OpenedAgent>> {
  await useProxies(config);
  const secrets = await openSecrets(config);
  const stores = {
    records: await openRecords(config),
    objects: await openObjects(config),
    agentQueue: await openQueue(config, 'agent'),
    touchQueue: await openQueue(config, 'touch'),
    commands: await openCommands(config),
    vectors: await openVectors(config),
    textSearch: ripgrepTextSearch(config.ripgrepPath),
    clock: systemClock,
  };
  const papers = await openPapers(config, { ...stores, secrets });
  const way = await findSelfApproval(config);
  const nobodyApproves = way && SELF_APPROVAL[way];
  const toolsOf = openTools(nobodyApproves);
  const remotePorts = { ...stores, secrets, remote: await openMcpRemote(config) };
  return async () => {
    const current = await withSettings(config, { ...stores, secrets });
    const embedder = openEmbedder(current);
    const counted = { ...stores, prices: current.prices };
    const cluster = await openCluster(config, secrets);
    const searchFor = (use: Use) =>
      countedSearch({ ...counted, embedder, reranker: openReranker(current) }, use);
    return {
      ...stores,
      searchFor,
      papers,
      space: embeddingSpaceOf(embedder),
      maxSteps: config.agent.maxSteps,
      makesTitles: config.makesTitles,
      nobodyApproves,
      tools: toolsOf({
        ...stores,
        searchFor,
        commandsFor: (use) => countedCommands(stores.commands, use, stores),
        loadSkill: (...asked) => loadSkill(stores.records, ...asked),
        workspaceChanged: (workspaceId) => touchWorkspace(stores, workspaceId),
        papers,
        cluster: cluster && { ...stores, cluster, rules: config.cluster },
      }),
      remoteTools: async (workspaceId, options) => {
        const { tools, notices } = await knownTools(remotePorts, workspaceId, options);
        return { tools: tools.map((known) => remoteTool(remotePorts, known)), notices };
      },
      openModel: (use, choice) => countedModel(openLanguageModel(current, choice), use, counted),
    };
  };
}

/** All tools; where the model could answer its own approvals, what needs one is refused. */
function openTools(nobodyApproves: string | undefined): (ports: ToolPorts) => Tool[] {
  if (nobodyApproves === undefined) return allTools;
  return (ports) => withoutApprovals(allTools(ports), nobodyApproves);
}
