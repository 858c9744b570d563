import * as z from 'zod';
import { InvalidInput, NotFound, UpstreamFailed } from '../../errors.ts';
import type { Hub, HubFile, HubFilePage, HubInfo, HubRepo, PinnedRepo } from '../../ports/hub.ts';
import { HUB_NAMES } from '../../text/vendor-names.ts';
import { encodePath, type HubApi, type HubSettings, hubApi } from '../outbound/hub-request.ts';

const PAGE_SIZE = 200;

const envelopeSchema = z.object({ Code: z.number(), Data: z.unknown() });
const fileSchema = z.object({
  Path: z.string(),
  Type: z.string(),
  Size: z.int().min(0).nullish(),
  Sha256: z.string().nullish(),
});
const filesSchema = z.object({
  Files: z.array(fileSchema).nullish(),
  LatestCommitter: z.object({ Id: z.string().nullish() }).nullish(),
});
const infoSchema = z.object({
  Description: z.string().nullish(),
  LastUpdatedDate: z.union([z.string(), z.number()]).nullish(),
  GmtModified: z.union([z.string(), z.number()]).nullish(),
  LastUpdatedTime: z.union([z.string(), z.number()]).nullish(),
});
const revisionSchema = z.object({ Revision: z.string() });
const revisionsSchema = z.object({
  RevisionMap: z.object({
    Branches: z.array(revisionSchema).nullish(),
    Tags: z.array(revisionSchema).nullish(),
  }),
});

/**
 * ModelScope's public protocol, as its own client uses it: `/api/v1/{datasets,models}/OWNER/NAME/…`, each response in
 * an envelope `{Code, Success, Message, Data}`. It has datasets and models, no spaces.
 */
export function modelScopeHub(options: Omit<HubSettings, 'name'>): Hub {
  const { token } = options;
  const credentials: Record<string, string> =
    token === undefined ? {} : { authorization: `Bearer ${token}`, cookie: `m_session_id=${token}` };
  const api = hubApi({ ...options, name: HUB_NAMES.b }, credentials);
  return {
    pin: (repo, { signal } = {}) => pin(api, repo, signal),
    info: (repo, { signal } = {}) => readInfo(api, repo, signal),
    listFiles: (repo, { signal, cursor } = {}) => listPages(api, repo, cursor, signal),
    async openFile(repo, path, range) {
      const file = repo.type === 'model' ? 'repo' : 'repo?Source=SDK';
      const url = api.at(`${rootOf(repo)}/${file}`);
      url.searchParams.set('Revision', repo.commit);
      url.searchParams.set('FilePath', path);
      return api.openRange(url, range);
    },
  };
}

function rootOf({ type, id }: Pick<HubRepo, 'type' | 'id'>): string {
  if (type === 'space')
    throw new InvalidInput(
      'hub_type_unsupported',
      'repoType can be model or dataset: ModelScope has no Spaces.',
      { field: 'repoType' },
    );
  return `/api/v1/${type}s/${encodePath(id)}`;
}

/** A failure may be reported only by the status in the body. */
async function call({ requests, credentials }: HubApi, url: URL, signal?: AbortSignal): Promise<unknown> {
  const { body } = await requests.json({ url, credentials, signal });
  const envelope = envelopeSchema.safeParse(body).data;
  if (envelope?.Code === 200) return envelope.Data;
  const code = envelope?.Code ?? 0;
  if (code === 404 || code === 401 || code === 403 || code === 10010205001)
    throw new NotFound(
      'hub_repository_not_found',
      "ModelScope has no such repository, or you don't have access to it.",
    );
  throw new UpstreamFailed('hub_failed', `ModelScope failed with code ${code}. Try again later.`);
}

/** Returns the name of the latest commit in the list, or the revision itself if the list is empty. */
async function pin(api: HubApi, repo: HubRepo, signal?: AbortSignal): Promise<string> {
  for await (const { commit } of listPages(api, { ...repo, commit: repo.revision }, undefined, signal))
    return commit ?? repo.revision;
  return repo.revision;
}

async function readInfo(api: HubApi, repo: HubRepo, signal?: AbortSignal): Promise<HubInfo> {
  const root = rootOf(repo);
  const infoUrl = api.at(root);
  infoUrl.searchParams.set('Revision', repo.revision);
  const [data, revisions, listed] = await Promise.all([
    call(api, infoUrl, signal),
    readRevisions(api, root, signal),
    measure(api, { ...repo, commit: repo.revision }, signal),
  ]);
  const info = infoSchema.safeParse(data).data;
  if (info === undefined)
    throw new UpstreamFailed(
      'hub_answer_unusable',
      "ModelScope returned a repository description that can't be read.",
    );
  return {
    id: repo.id,
    description: info.Description || null,
    lastModified: isoTime(info.LastUpdatedTime ?? info.LastUpdatedDate ?? info.GmtModified),
    gated: false,
    revisions,
    ...listed,
  };
}

/** Adds up the sizes of all pages, because the hub reports no total. */
async function measure(api: HubApi, repo: PinnedRepo, signal?: AbortSignal) {
  let [commit, totalSize, totalFiles] = [repo.commit, 0, 0];
  for await (const page of listPages(api, repo, undefined, signal)) {
    commit = page.commit ?? commit;
    totalFiles += page.files.length;
    for (const { size } of page.files) totalSize += size;
  }
  return { commit, totalSize, totalFiles };
}

async function readRevisions(api: HubApi, root: string, signal?: AbortSignal): Promise<string[]> {
  const data = await call(api, api.at(`${root}/revisions`), signal).catch(() => undefined);
  const map = revisionsSchema.safeParse(data).data?.RevisionMap;
  return [...(map?.Branches ?? []), ...(map?.Tags ?? [])].map(({ Revision }) => Revision);
}

/** Converts seconds since the epoch, or text, to ISO 8601. */
function isoTime(value: string | number | null | undefined): string | null {
  const time = typeof value === 'number' ? value * 1000 : Date.parse(value ?? '');
  return Number.isNaN(time) ? null : new Date(time).toISOString();
}

type Page = HubFilePage & { commit?: string | undefined };

async function* listPages(
  api: HubApi,
  repo: PinnedRepo,
  cursor: string | undefined,
  signal?: AbortSignal,
): AsyncGenerator<Page> {
  if (repo.type === 'model') {
    yield await readPage(api, listUrl(api, repo, 'repo/files'), signal);
    return;
  }
  for (let number = Number(cursor ?? 1); ; number++) {
    const url = listUrl(api, repo, 'repo/tree');
    url.searchParams.set('PageNumber', String(number));
    url.searchParams.set('PageSize', String(PAGE_SIZE));
    const page = await readPage(api, url, signal);
    const last = page.entries < PAGE_SIZE;
    yield { ...page, cursor: last ? undefined : String(number + 1) };
    if (last) return;
  }
}

function listUrl(api: HubApi, repo: PinnedRepo, list: string): URL {
  const url = api.at(`${rootOf(repo)}/${list}`);
  url.searchParams.set('Revision', repo.commit);
  url.searchParams.set('Recursive', 'True');
  return url;
}

async function readPage(api: HubApi, url: URL, signal?: AbortSignal): Promise<Page & { entries: number }> {
  const data = filesSchema.safeParse(await call(api, url, signal));
  if (!data.success)
    throw new UpstreamFailed('hub_answer_unusable', "ModelScope returned a file list that can't be read.");
  const entries = data.data.Files ?? [];
  return {
    entries: entries.length,
    commit: data.data.LatestCommitter?.Id ?? undefined,
    files: entries.filter(({ Type }) => Type !== 'tree').map(readFile),
  };
}

function readFile({ Path, Size, Sha256 }: z.infer<typeof fileSchema>): HubFile {
  return { path: Path, size: Size ?? 0, digest: Sha256 ? { algorithm: 'sha256', hex: Sha256 } : null };
}
