import { useProxies } from '../adapters/outbound/proxy.ts';
import { ripgrepTextSearch } from '../adapters/ripgrep/text-search.ts';
import { SELF_APPROVAL, withoutApprovals } from '../agent/calls/modes.ts';
import type { AgentPorts, RemoteTools } from '../agent/ports.ts';
import { allTools, type ToolPorts } from '../agent/tools/all-tools.ts';
import { remoteTool } from '../agent/tools/remote.ts';
import type { Tool } from '../agent/tools/tool.ts';
import type { AnswerPorts } from '../chat/answer.ts';
import type { Config } from '../config.ts';
import { type TouchPorts, touchChanged } from '../indexing/enqueue.ts';
import type { SyncPorts } from '../indexing/sync.ts';
import { knownTools } from '../mcp-servers/remote-tools.ts';
import { embeddingSpaceOf } from '../passages/embedding-space.ts';
import { systemClock } from '../ports/clock.ts';
import type { Papers } from '../ports/papers.ts';
import type { ModelPrices } from '../prices/schema.ts';
import { beginResearch } from '../research/begin.ts';
import type { BeginPorts } from '../runs/ports.ts';
import { withSettings } from '../settings/with-settings.ts';
import { loadSkill } from '../skills/run.ts';
import { meteredCommands, meteredSearch } from '../usage/metered-ports.ts';
import type { Use } from '../usage/schema.ts';
import { beginCheck } from '../verify/begin.ts';
import { describeCheck, findCheck } from '../verify/find-check.ts';
import type { BeginCheckPorts } from '../verify/ports.ts';
import { openCluster } from './cluster.ts';
import { findSandboxGap, findSelfApproval, openCommands } from './commands.ts';
import { modelOpener } from './language-model.ts';
import { openMcpRemote } from './mcp-remote.ts';
import { openObjects } from './objects.ts';
import { openPapers } from './papers.ts';
import { openQueue } from './queue.ts';
import { openRecords } from './records.ts';
import { openSearchServices } from './search-services.ts';
import { openSecrets } from './secrets.ts';
import { undoStore } from './undo.ts';
import { openVectors } from './vectors.ts';
import { openWeb } from './web.ts';
import { type OpenedWebSearch, openWebSearch } from './web-search.ts';

export interface OpenedAgent extends AgentPorts, TouchPorts, Pick<SyncPorts, 'space'> {
  searchFor(use: Use): AnswerPorts;
  papers: Papers;
  prices: ModelPrices;
  judgesCitations: boolean;
  web: Awaited<ReturnType<typeof openWeb>>;
  webSearch: OpenedWebSearch | undefined;
}

/** Opens the ports of functions that start or continue agent runs. Reads the keys at each call. */
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
    web: await openWeb(config),
  };
  const papers = await openPapers(config, { ...stores, secrets });
  const limits = await limitsOfCommands(config);
  const toolsOf = openTools(limits.nobodyApproves);
  const remotePorts = { ...stores, secrets, remote: await openMcpRemote(config) };
  return async () => {
    const current = await withSettings(config, { ...stores, secrets });
    const services = openSearchServices(current);
    const counted = { ...stores, prices: current.prices };
    const cluster = await openCluster(config, secrets);
    const webSearch = openWebSearch(current.chosenWebSearch, { ...stores, secrets });
    const searchFor = (use: Use) => meteredSearch({ ...counted, ...services }, use);
    const openModel = modelOpener(current, counted);
    const { attachmentQuotaBytes } = config;
    return {
      ...stores,
      searchFor,
      ...{ papers, prices: current.prices, space: embeddingSpaceOf(services.embedder) },
      ...{ maxSteps: config.agent.maxSteps, makesTitles: config.makesTitles },
      readerMs: config.readerMs,
      ...{ judgesCitations: current.judgesCitations, webSearch, attachmentQuotaBytes },
      ...{ ...limits, undo: undoStore(config, stores) },
      tools: toolsOf({
        ...stores,
        searchFor,
        commandsFor: (use) => meteredCommands(stores.commands, use, stores),
        loadSkill: (...asked) => loadSkill(stores.records, ...asked),
        workspaceChanged: (workspaceId, changed) => touchChanged(stores, workspaceId, changed),
        ...{ papers, webSearch },
        beginResearch: researchBegin({ ...counted, openModel }),
        draftChecks: draftChecksOf({ ...counted, openModel, attachmentQuotaBytes }),
        cluster: cluster && { ...stores, cluster, rules: config.cluster },
      }),
      remoteTools: remoteToolsOf(remotePorts),
      openModel,
    };
  };
}

/** Returns whether a command could approve itself, and whether it can leave its sandbox. */
async function limitsOfCommands(config: Config) {
  const way = await findSelfApproval(config);
  const confinesCommands = (await findSandboxGap(config)) === undefined;
  return { nobodyApproves: way && SELF_APPROVAL[way], confinesCommands };
}

function remoteToolsOf(ports: Parameters<typeof remoteTool>[0]): RemoteTools {
  return async (workspaceId, options) => {
    const { tools, notices } = await knownTools(ports, workspaceId, options);
    return { tools: tools.map((known) => remoteTool(ports, known)), notices };
  };
}

/** Starts reports for the agent's tool in the same way as the API. */
function researchBegin(ports: BeginPorts): ToolPorts['beginResearch'] {
  return ({ papers, ...wanted }, { caller, workspace }) =>
    beginResearch(ports, caller, workspace, {
      ...wanted,
      sources: ['files', 'datasets', ...(papers ? ['papers' as const] : [])],
      addresses: [],
      approvePlan: false,
    });
}

/** Starts and reads checks for the agent's tool in the same way as the API. */
function draftChecksOf(ports: BeginCheckPorts): ToolPorts['draftChecks'] {
  return {
    begin: (wanted, { caller, workspace }) => beginCheck(ports, caller, [workspace], wanted),
    read: async (runId, { caller }) => describeCheck(ports, await findCheck(ports.records, caller, runId)),
  };
}

/** Returns all tools. If the model could answer its own approvals, tools that need one are rejected. */
function openTools(nobodyApproves: string | undefined): (ports: ToolPorts) => Tool[] {
  if (nobodyApproves === undefined) return allTools;
  return (ports) => withoutApprovals(allTools(ports), nobodyApproves);
}
