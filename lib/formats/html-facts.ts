import { Parser } from 'htmlparser2';
import { type StatedFacts, statedFacts } from './stated-facts.ts';

/** Number of characters of a page to search, because its head is at the start. */
const MAX_HEAD = 200_000;
const MAX_VALUES = 100;

/**
 * The names of `meta` elements, the most exact first: Highwire's, which catalogs read, then Dublin Core and
 * Open Graph.
 */
const TITLES = ['citation_title', 'dc.title', 'og:title'];
const AUTHORS = ['citation_author', 'dc.creator', 'author', 'article:author'];
const DATES = ['citation_publication_date', 'citation_date', 'dc.date', 'article:published_time'];
const IDENTIFIERS = ['citation_doi', 'dc.identifier', 'citation_arxiv_id'];

/** Reads the metadata in a page's `<head>`. Prefers a citation title over `<title>`. */
export function htmlFacts(source: string): StatedFacts {
  const { metas, title } = readHead(source.slice(0, MAX_HEAD));
  const all = (names: string[]) =>
    names.map((name) => metas.get(name) ?? []).find(({ length }) => length > 0);
  return statedFacts({
    title: all(TITLES)?.[0] ?? title,
    authors: all(AUTHORS)?.filter((name) => URL.parse(name) === null),
    date: all(DATES)?.[0],
    identifiers: IDENTIFIERS.flatMap((name) => metas.get(name) ?? []),
    tags: metas.get('keywords')?.[0]?.split(','),
    isPublished: true,
  });
}

function readHead(source: string) {
  const metas = new Map<string, string[]>();
  let title = '';
  let isTitle = false;
  const parser = new Parser({
    onopentag(element, { name = '', property = name, content = '' }) {
      isTitle = element === 'title' && title === '';
      const key = property.toLowerCase();
      const known = metas.get(key) ?? [];
      if (element === 'meta' && content !== '' && known.length < MAX_VALUES)
        metas.set(key, [...known, content]);
      if (element === 'body') parser.pause();
    },
    ontext(text) {
      if (isTitle) title += text;
    },
    onclosetag() {
      isTitle = false;
    },
  });
  parser.end(source);
  return { metas, title };
}
