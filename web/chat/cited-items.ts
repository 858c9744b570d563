import type { KeyedSource } from '../../lib/api-contract/cited-markdown.ts';
import type { CslItem } from '../../lib/api-contract/csl-item.ts';
import { api, take } from '../api/client.ts';
import type { Citation } from './message-view.ts';

/** An answer or a note to copy. */
export interface CitedAnswer {
  workspaceId: string;
  text: string;
  citations: readonly Citation[];
}

export interface CitedItem {
  workspaceId: string;
  path: string;
  item: CslItem;
}

/** Returns the items of all cited documents, each with another key. */
export async function readCitedItems(
  workspaceId: string,
  citations: readonly Citation[],
): Promise<CitedItem[]> {
  const groups = Map.groupBy(citations, (citation) => citation.workspaceId ?? workspaceId);
  const read = await Promise.all(
    [...groups].map(async ([id, cited]) => {
      const paths = [...new Set(cited.map(({ path }) => path))];
      const params = { path: { workspaceId: id } };
      const items = await take(
        api.POST('/api/workspaces/{workspaceId}/references', { params, body: { paths } }),
      );
      return items.map(({ path, item }) => ({ workspaceId: id, path, item: item as CslItem }));
    }),
  );
  return withOwnKeys(read.flat());
}

/** Documents of several workspaces may have the same key. */
export function withOwnKeys(all: CitedItem[]): CitedItem[] {
  const taken = new Set<string>();
  return all.map((cited) => {
    const { id } = cited.item;
    let key = id;
    for (let next = 2; taken.has(key); next++) key = `${id}-${next}`;
    taken.add(key);
    return { ...cited, item: { ...cited.item, id: key } };
  });
}

/** Returns what the numbers of a text cite. */
export function sourcesByNumber(
  workspaceId: string,
  citations: readonly Citation[],
  items: readonly CitedItem[],
): Map<number, KeyedSource> {
  const keys = new Map(items.map(({ workspaceId: id, path, item }) => [`${id}/${path}`, item.id]));
  return new Map(
    citations.flatMap((citation) => {
      const { index, path, place, workspaceId: id = workspaceId } = citation;
      const key = keys.get(`${id}/${path}`);
      const page = place?.kind === 'page' ? place.at : undefined;
      return key === undefined ? [] : [[index, { key, page }]];
    }),
  );
}
