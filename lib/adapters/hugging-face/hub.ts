import * as z from 'zod';
import { UpstreamFailed } from '../../errors.ts';
import type { Hub, HubFile, HubFilePage, HubInfo, HubRepo, PinnedRepo, RepoType } from '../../ports/hub.ts';
import { HUB_NAMES } from '../../text/vendor-names.ts';
import { encodePath, type HubApi, type HubSettings, hubApi } from '../outbound/hub-request.ts';

const infoSchema = z.object({
  id: z.string(),
  sha: z.string(),
  description: z.string().nullish(),
  lastModified: z.string().nullish(),
  gated: z.union([z.boolean(), z.string()]).nullish(),
  siblings: z.array(z.object({ rfilename: z.string(), size: z.number().nullish() })).nullish(),
});

const entrySchema = z.object({
  type: z.string(),
  path: z.string(),
  oid: z.string().nullish(),
  size: z.int().min(0).nullish(),
  lfs: z.object({ oid: z.string(), size: z.int().min(0) }).nullish(),
});

const nameSchema = z.object({ name: z.string() });
const refsSchema = z.object({ branches: z.array(nameSchema).nullish(), tags: z.array(nameSchema).nullish() });

/**
 * Hugging Face's public protocol: https://huggingface.co/docs/hub/api. Files in its chunk store (Xet) arrive
 * as plain bytes too, because only clients that accept `application/vnd.xet-fileinfo+json` get chunks.
 */
export function huggingFaceHub(options: Omit<HubSettings, 'name'>): Hub {
  const credentials: Record<string, string> =
    options.token === undefined ? {} : { authorization: `Bearer ${options.token}` };
  const api = hubApi({ ...options, name: HUB_NAMES.a }, credentials);
  const { requests, at } = api;
  return {
    async pin(repo, { signal } = {}) {
      const { body } = await requests.json({ url: at(revisionPath(repo)), credentials, signal });
      return readDescription(body).sha;
    },
    info: (repo, { signal } = {}) => readInfo(api, repo, signal),
    listFiles: (repo, { signal, cursor } = {}) => listPages(api, repo, cursor, signal),
    async openFile(repo, path, range) {
      const place = `${resolveRoot(repo.type)}${encodePath(repo.id)}/resolve/${encodeURIComponent(repo.commit)}`;
      const url = at(`/${place}/${encodePath(path)}`);
      return api.openRange(url, range);
    },
  };
}

function resolveRoot(type: RepoType): string {
  return type === 'model' ? '' : `${type}s/`;
}

function basePath({ type, id }: Pick<HubRepo, 'type' | 'id'>): string {
  return `/api/${type}s/${encodePath(id)}`;
}

function revisionPath(repo: HubRepo): string {
  return `${basePath(repo)}/revision/${encodeURIComponent(repo.revision)}`;
}

function readDescription(body: unknown) {
  const info = infoSchema.safeParse(body).data;
  if (info === undefined)
    throw new UpstreamFailed(
      'hub_answer_unusable',
      "Hugging Face returned a repository description that can't be read.",
    );
  return info;
}

async function readInfo(api: HubApi, repo: HubRepo, signal?: AbortSignal): Promise<HubInfo> {
  const { credentials, requests, at } = api;
  const url = at(`${revisionPath(repo)}?blobs=true`);
  const [{ body }, revisions] = await Promise.all([
    requests.json({ url, credentials, signal }),
    readRevisions(api, repo, signal),
  ]);
  const info = readDescription(body);
  const sizes = info.siblings?.map(({ size }) => size ?? null);
  return {
    id: info.id,
    commit: info.sha,
    description: info.description ?? null,
    totalSize:
      sizes === undefined || sizes.includes(null) ? null : sizes.reduce<number>((a, b) => a + (b ?? 0), 0),
    totalFiles: sizes?.length ?? null,
    lastModified: isoTime(info.lastModified),
    gated: Boolean(info.gated),
    revisions,
  };
}

/** Returns the revisions, or none if listing them fails, because the repository can still be downloaded. */
async function readRevisions(api: HubApi, repo: HubRepo, signal?: AbortSignal): Promise<string[]> {
  const { requests, credentials, at } = api;
  const found = await requests
    .json({ url: at(`${basePath(repo)}/refs`), credentials, signal })
    .then(({ body }) => refsSchema.safeParse(body).data)
    .catch(() => undefined);
  return [...(found?.branches ?? []), ...(found?.tags ?? [])].map(({ name }) => name);
}

function isoTime(text: string | null | undefined): string | null {
  const time = Date.parse(text ?? '');
  return Number.isNaN(time) ? null : new Date(time).toISOString();
}

async function* listPages(
  api: HubApi,
  repo: PinnedRepo,
  cursor: string | undefined,
  signal?: AbortSignal,
): AsyncGenerator<HubFilePage> {
  const { requests, credentials, at } = api;
  const tree = `${basePath(repo)}/tree/${encodeURIComponent(repo.commit)}`;
  let next: URL | undefined = cursor === undefined ? at(`${tree}?recursive=true&expand=false`) : at(cursor);
  while (next !== undefined) {
    const { body, headers } = await requests.json({ url: next, credentials, signal });
    next = nextPage(headers.get('link'), at('/'));
    yield { files: readEntries(body), cursor: next && next.pathname + next.search };
  }
}

/** Returns the next page. Never follows a link to another host, because that host would get the token. */
function nextPage(link: string | null, base: URL): URL | undefined {
  const target = /<([^<>]+)>\s*;[^,<]*rel="next"/.exec(link ?? '')?.[1];
  if (target === undefined) return undefined;
  const url = URL.parse(target, base.href);
  if (url?.origin !== base.origin)
    throw new UpstreamFailed(
      'hub_answer_unusable',
      'Hugging Face continues the file list on another host, which is not allowed.',
    );
  return url;
}

function readEntries(body: unknown): HubFile[] {
  const entries = z.array(entrySchema).safeParse(body);
  if (!entries.success)
    throw new UpstreamFailed('hub_answer_unusable', "Hugging Face returned a file list that can't be read.");
  return entries.data
    .filter(({ type }) => type === 'file')
    .map(({ path, oid, size, lfs }) => ({
      path,
      size: lfs?.size ?? size ?? 0,
      digest: lfs ? { algorithm: 'sha256', hex: lfs.oid } : oid ? { algorithm: 'git', hex: oid } : null,
    }));
}
