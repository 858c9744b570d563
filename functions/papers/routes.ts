import { reply } from '../../lib/http/reply.ts';
import { type HttpPorts, routeFor } from '../../lib/http/route.ts';
import { foundPapersSchema, searchPapersBody } from '../../lib/papers/schema.ts';
import type { Papers } from '../../lib/ports/papers.ts';

interface PaperPorts extends HttpPorts {
  papers: Papers;
}

const route = routeFor<PaperPorts>();

export const paperRoutes = [
  route({
    method: 'POST',
    path: '/api/paper-study/search',
    summary: 'Search scientific papers by keywords, in several sources at once',
    description:
      'The same paper from several sources is one article. A source that fails, or does not answer in time, is named in ' +
      '`errors`; the others answer all the same. arXiv is asked once in 3 seconds by the whole service: a search may wait ' +
      'for its turn, at most 45 s. Answers of the sources are kept for 15 minutes.',
    access: 'viewer',
    body: searchPapersBody,
    example: { keywords: ['owl', 'echolocation'], maxResults: 10, dateFrom: '2020-01-01' },
    replies: { 200: foundPapersSchema },
    handle: async ({ body }, { papers }) => reply(200, await papers.search(body)),
  }),
];
