import type { Run } from '../../runs/schema.ts';
import type { Asking } from '../../runs/steps/ask-model.ts';
import type { OpenedRun } from '../../runs/steps/stored-work.ts';
import type { Workspace } from '../../workspaces/schema.ts';
import type { ReadDraft } from '../draft/draft.ts';
import type { CheckRequest } from '../draft-checks.ts';
import type { DraftCheckPorts } from '../ports.ts';
import type { DocumentsByKey, NamedSources } from './named-sources.ts';
import type { Versions } from './versions.ts';

/** The check of a draft that hasn't been read yet. */
export type FoundJob = Omit<CheckJob, 'draft' | 'whole'>;

/** The check of a draft with everything that a process needs to work on it. */
export interface CheckJob {
  run: Run;
  request: CheckRequest;
  workspaces: Workspace[];
  draft: ReadDraft;
  /**
   * The text of the draft, or of the draft that contains it if it's a sentence. A version shares sentences
   * with this text.
   */
  whole: string;
  /** Milliseconds that this process may work on the check. */
  timeLeftMs: number;
}

/** The check of a draft while a process works on it. */
export interface Check extends CheckJob, OpenedRun {
  ports: DraftCheckPorts;
  sources: NamedSources;
  byKey: DocumentsByKey;
  versions: Versions;
  /** Undefined without a judge. */
  judge: Asking | undefined;
  /**
   * Awaited between claims. Otherwise, a single host would read their records without handling other
   * requests.
   */
  share(): Promise<void>;
}
