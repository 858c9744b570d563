import { NotConfigured } from '../../errors.ts';
import { isInOrder, searchFields } from '../../papers/schema.ts';
import type { Article, Papers } from '../../ports/papers.ts';
import { cutMiddle } from '../../text/cut-text.ts';
import { defineTool } from './tool.ts';

const MAX_AUTHORS = 5;
const MAX_ABSTRACT = 600;

const input = searchFields.refine(isInOrder, { path: ['dateTo'], message: 'must not be before dateFrom' });

export function searchArticlesTool({ papers }: { papers: Papers | undefined }) {
  return defineTool({
    name: 'searchArticles',
    description:
      'Searches scholarly papers by keywords. Returns the title, authors, abstract, and URLs of each.',
    input,
    inEveryMode: false,
    timeoutMs: 90_000,
    async run(query, { signal }) {
      if (papers === undefined)
        throw new NotConfigured('papers_not_configured', 'Paper search is not configured.');
      const { articles, ...found } = await papers.search(query, { signal });
      return { articles: articles.map(toShown), ...found };
    },
    rest: () => 'Use a smaller maxResults.',
  });
}

function toShown({ authors, abstract, score: _, ...article }: Article) {
  const others = authors.length - MAX_AUTHORS;
  const named = others > 0 ? [...authors.slice(0, MAX_AUTHORS), `and ${others} more`] : authors;
  return { ...article, authors: named, abstract: cutMiddle(abstract, MAX_ABSTRACT) };
}
