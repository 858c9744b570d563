import type { LanguageModel, ProviderId } from '../ports/language-model.ts';
import type { Objects } from '../ports/objects.ts';
import type { SearchPorts } from '../retrieval/search.ts';
import type { RunPorts } from '../runs/ports.ts';
import type { Use } from '../usage/schema.ts';
import type { Tool } from './tools/tool.ts';
import type { UndoStore } from './undo/undo-store.ts';

/** Returns the remote tools, and notices about those that aren't available. */
export type RemoteTools = (
  workspaceId: string,
  options: { signal: AbortSignal; fresh?: boolean },
) => Promise<{ tools: Tool[]; notices: string[] }>;

/** Ports for starting a run and working on it. */
export interface AgentPorts extends RunPorts {
  objects: Objects;
  /** Stores the changes that runs make. */
  undo: UndoStore;
  /** All tools; the run's mode and skill select from them. */
  tools: Tool[];
  /** Why no approval counts on this host: a command could give the approval itself. */
  nobodyApproves?: string | undefined;
  /** True if a command can't leave its sandbox (findSandboxGap). */
  confinesCommands?: boolean;
  maxSteps: number;
  /**
   * Milliseconds until a stream of a run ends and its client resumes it. Absent means the limit of the
   * request. If set, a stream also ends while the run waits for a person. Lambda doesn't report that a reader
   * has left, and bills the function until it ends.
   */
  readerMs?: number | undefined;
  /** True if the model gives a new conversation its title. */
  makesTitles?: boolean;
  /** True if a model judges an answer's citations, unless the request says otherwise. */
  judgesCitations?: boolean;
  /** Services for searches, metered for a run. The run itself uses only the entailment model. */
  searchFor?(use: Use): Pick<SearchPorts, 'entailment'>;
  /** The maximum size in bytes of all stored attachments of one owner. */
  attachmentQuotaBytes?: number;
  /** The tools of a workspace's remote servers; absent if there are none. Throws only the signal's reason. */
  remoteTools?: RemoteTools;
  /**
   * Throws NotConfigured if that provider isn't configured, or if no provider was chosen and none is
   * configured.
   */
  openModel(use: Use, choice?: { provider: ProviderId; model: string }): LanguageModel;
}
