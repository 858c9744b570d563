import type { LanguageModel, ProviderId } from '../ports/language-model.ts';
import type { Objects } from '../ports/objects.ts';
import type { SearchPorts } from '../retrieval/search.ts';
import type { RunPorts } from '../runs/ports.ts';
import type { Use } from '../usage/schema.ts';
import type { Tool } from './tools/tool.ts';
import type { UndoStore } from './undo/undo-store.ts';

/** Tools that come and go, and what a person should know of those that did not come. */
export type RemoteTools = (
  workspaceId: string,
  options: { signal: AbortSignal; fresh?: boolean },
) => Promise<{ tools: Tool[]; notices: string[] }>;

/** Ports for starting a run and working on it. */
export interface AgentPorts extends RunPorts {
  objects: Objects;
  /** Keeps what runs change. */
  undo: UndoStore;
  /** Every tool there is; the run's mode and skill leave some of them. */
  tools: Tool[];
  /** Why no approval counts on this machine, where a command could give it. */
  nobodyApproves?: string | undefined;
  maxSteps: number;
  /**
   * Milliseconds of one stream of a run, after which its client resumes it; absent: those of the request. Lambda doesn't report that
   * a reader has left, and bills the function until its end.
   */
  readerMs?: number | undefined;
  /** The model gives a new conversation its title. */
  makesTitles?: boolean;
  /** Whether a model judges the citations of an answer where a request doesn't say. */
  judgesCitations?: boolean;
  /** Services of a search, metered for a run; of them, the run itself uses the entailment model. */
  searchFor?(use: Use): Pick<SearchPorts, 'entailment'>;
  /** Bytes that all kept attachments of one owner may have. */
  attachmentQuotaBytes?: number;
  /** The tools of remote servers that a workspace names; absent: none. Never throws but the reason of the signal. */
  remoteTools?: RemoteTools;
  /** Throws NotConfigured when that provider, or any, is not. */
  openModel(use: Use, choice?: { provider: ProviderId; model: string }): LanguageModel;
}
