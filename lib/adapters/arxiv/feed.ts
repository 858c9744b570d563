import { type Attributes, readXmlTree, type XmlElement } from '../../text/xml.ts';

export interface FeedEntry {
  id: string;
  title: string;
  summary: string;
  published: string | null;
  authors: string[];
  links: Partial<Attributes>[];
  doi: string | null;
}

/**
 * Reads an Atom feed as arXiv writes it. Undefined if the text isn't such a feed, or would block the event
 * loop.
 */
export function readFeed(xml: string): { total: number; entries: FeedEntry[] } | undefined {
  const feed = readXmlTree(xml);
  if (feed?.name !== 'feed' || feed.children.length === 0) return undefined;
  const entries = childrenOf(feed, 'entry').map(readEntry);
  if (entries.some(({ id }) => id === '')) return undefined;
  return { total: Number(textOf(feed, 'totalResults') ?? entries.length) || 0, entries };
}

/** arXiv sometimes omits titles. */
function readEntry(entry: XmlElement): FeedEntry {
  return {
    id: textOf(entry, 'id') ?? '',
    title: textOf(entry, 'title') ?? '',
    summary: textOf(entry, 'summary') ?? '',
    published: textOf(entry, 'published') ?? null,
    authors: childrenOf(entry, 'author').map((author) => textOf(author, 'name') ?? ''),
    links: childrenOf(entry, 'link').map(({ attributes }) => attributes),
    doi: textOf(entry, 'doi') ?? null,
  };
}

function childrenOf({ children }: XmlElement, name: string): XmlElement[] {
  return children.filter((child) => child.name === name);
}

function textOf({ children }: XmlElement, name: string): string | undefined {
  return children.find((child) => child.name === name)?.text.trim();
}
