import { UpstreamFailed } from '../errors.ts';
import { type Hub, HubBusy, type HubInfo } from '../ports/hub.ts';
import { HUB_NAMES } from '../text/vendor-names.ts';
import type { RepoInfo, RepoType } from './schema.ts';
import { DEFAULT_REVISIONS, requireOnHub } from './steps/transitions.ts';

export interface HubsPort {
  /** Returns the hubs with the current tokens. */
  hubs(): Promise<Record<'hub_a' | 'hub_b', Hub>>;
}

/** In milliseconds: short, because a person waits for the response. */
const PATIENCE_MS = 20_000;

/**
 * Describes a repository. Throws NotFound, Forbidden for a gated repository, and UpstreamFailed if the hub doesn't
 * respond.
 */
export async function describeRepo(
  { hubs }: HubsPort,
  source: 'hub_a' | 'hub_b',
  { repoId, repoType }: { repoId: string; repoType: RepoType },
): Promise<RepoInfo> {
  requireOnHub(source, repoType);
  const hub = (await hubs())[source];
  const repo = { type: repoType, id: repoId, revision: DEFAULT_REVISIONS[source] };
  const info = await hub.info(repo, { signal: AbortSignal.timeout(PATIENCE_MS) }).catch(toUpstream(source));
  const { id, description, totalSize, totalFiles, lastModified, gated, revisions } = info;
  return {
    repoId: id,
    repoType,
    description,
    totalSize,
    totalFiles,
    lastModified: toTimestamp(lastModified),
    gated,
    revisions,
  };
}

function toUpstream(source: 'hub_a' | 'hub_b'): (error: unknown) => HubInfo {
  return (error) => {
    const timedOut = error instanceof Error && error.name === 'TimeoutError';
    if (!(error instanceof HubBusy || timedOut)) throw error;
    const name = HUB_NAMES[source === 'hub_a' ? 'a' : 'b'];
    throw new UpstreamFailed('hub_unreachable', `${name} did not answer. Try again later.`, { cause: error });
  };
}

function toTimestamp(text: string | null): string | null {
  const time = Date.parse(text ?? '');
  return Number.isNaN(time) ? null : new Date(time).toISOString();
}
