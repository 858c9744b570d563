import type { ClusterPorts } from '../../cluster/ports.ts';
import type { Papers } from '../../ports/papers.ts';
import type { Queue } from '../../ports/queue.ts';
import type { TimedRecords } from '../../ports/timed-records.ts';
import type { SearchPorts } from '../../retrieval/search.ts';
import type { Use } from '../../usage/schema.ts';
import { type BashPorts, bashTool } from './bash.ts';
import { clusterTool } from './cluster.ts';
import { collectJobResultsTool } from './collect-job-results.ts';
import { editFileTool } from './edit-file.ts';
import { getSkillTool, type LoadSkill } from './get-skill.ts';
import { grepTool } from './grep.ts';
import type { GrepPorts } from './grep-documents.ts';
import { listDirectoryTool } from './list-directory.ts';
import { readFileTool } from './read-file.ts';
import { readPaperTool } from './read-paper.ts';
import { rememberFactTool } from './remember-fact.ts';
import { type BeginResearch, researchTool } from './research.ts';
import { searchArticlesTool } from './search-articles.ts';
import { searchWorkspaceTool } from './search-workspace.ts';
import { submitJobTool } from './submit-job.ts';
import type { Tool } from './tool.ts';
import { type DraftChecks, verifyDraftTool } from './verify-draft.ts';
import { type WebForTool, webSearchTool } from './web-search.ts';
import { writeFileTool } from './write-file.ts';

export interface ToolPorts extends TimedRecords, BashPorts, GrepPorts {
  searchFor(use: Use): SearchPorts;
  touchQueue: Queue;
  loadSkill: LoadSkill;
  /** If absent, searchArticles and readPaper report that it isn't configured. */
  papers: Papers | undefined;
  beginResearch: BeginResearch;
  draftChecks: DraftChecks;
  /** If absent, there is no tool for it. */
  webSearch?: WebForTool | undefined;
  /** If absent, cluster, submitJob, and collectJobResults report that it isn't configured. */
  cluster: ClusterPorts | undefined;
}

/** Returns all tools; modes.ts selects those of a run. */
export function allTools(ports: ToolPorts): Tool[] {
  return [
    readFileTool(ports),
    listDirectoryTool(),
    grepTool(ports),
    writeFileTool(ports),
    editFileTool(ports),
    bashTool(ports),
    searchWorkspaceTool(ports),
    searchArticlesTool(ports),
    readPaperTool(ports),
    researchTool(ports),
    verifyDraftTool(ports),
    getSkillTool(ports),
    clusterTool(ports),
    submitJobTool(ports),
    collectJobResultsTool(ports),
    rememberFactTool(ports),
    ...(ports.webSearch === undefined ? [] : [webSearchTool(ports.webSearch)]),
  ];
}
