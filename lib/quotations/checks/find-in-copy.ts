import { findCopies, type GoneFile } from '../../indexing/find-copies.ts';
import type { SourcePorts } from '../../retrieval/cite/sources.ts';
import type { Workspace } from '../../workspaces/schema.ts';
import type { Quote } from '../records/schema.ts';
import { readFileNow } from './file-now.ts';
import { type FindOptions, findAsQuoted } from './find-quote.ts';
import type { Relocation } from './relocate.ts';

/** Returns the places of a file's quotes in another file with the same bytes, unless that takes too long. */
export async function findInCopy(
  ports: SourcePorts,
  workspace: Workspace,
  gone: GoneFile,
  quotes: Quote[],
  options?: FindOptions,
): Promise<Relocation[]> {
  const { hash } = gone;
  for (const copy of await findCopies(ports.records, workspace.id, gone)) {
    const file = await readFileNow(ports, workspace, copy);
    if (file.state !== 'read' || file.source.hash !== hash) continue;
    const places = await findAsQuoted(file.source, quotes, options);
    return quotes.flatMap((quote, at) => {
      const found = places?.[at];
      return found === undefined ? [] : [{ quote, path: copy, place: { ...found.place, fileHash: hash } }];
    });
  }
  return [];
}
