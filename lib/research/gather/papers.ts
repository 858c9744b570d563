import type { Papers } from '../../ports/papers.ts';
import type { Workspace } from '../../workspaces/schema.ts';
import type { Source } from '../schema.ts';

export interface KeptSource {
  path: string;
  source: Source;
}

export async function gatherPapers(
  _ports: { papers: Papers },
  _workspace: Workspace,
  _wanted: {
    subQuestion: string;
    keywords: string[];
    limit: number;
    followReferences: boolean;
    signal: AbortSignal;
  },
): Promise<{ kept: KeptSource[]; leftOut: { title: string; url?: string; reason: string }[] }> {
  return { kept: [], leftOut: [] };
}
