import * as z from 'zod';
import { pageHeaders, reply } from '../../lib/http/reply.ts';
import { routeFor } from '../../lib/http/route.ts';
import { foundPapersSchema, searchPapersBody } from '../../lib/papers/schema.ts';
import type { Papers } from '../../lib/ports/papers.ts';
import { pageQuery } from '../../lib/records/page.ts';
import type { ArticlePorts } from '../../lib/research/gather/keep-article.ts';
import { keepFoundPaper, listKeptPapers } from '../../lib/research/keep-paper.ts';
import { keepPaperBody, keptPaperSchema } from '../../lib/research/paper-schema.ts';
import { workspaceParams } from '../../lib/workspaces/schema.ts';

interface PaperPorts extends ArticlePorts {
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
  route({
    method: 'GET',
    path: '/api/workspaces/{workspaceId}/papers',
    summary: 'The papers that a workspace keeps, by title: of reports, and of people',
    description:
      'They lie in `sources/papers`, each with its metadata (CSL-JSON) beside it; at most 2,000 are looked at.',
    access: 'viewer',
    params: workspaceParams,
    query: pageQuery,
    replies: { 200: z.array(keptPaperSchema) },
    refusals: [404],
    workspace: ({ params }) => params.workspaceId,
    async handle({ workspace, query }) {
      const page = await listKeptPapers(workspace, query);
      return reply(200, page.items, pageHeaders(page));
    },
  }),
  route({
    method: 'POST',
    path: '/api/workspaces/{workspaceId}/papers',
    summary: 'Keep the PDF of a paper that a search found in the workspace',
    description:
      'Only what is open access (else 409), and a PDF of at most 30 MB that comes within 80 s, from ' +
      'public addresses. It is kept and indexed once, as reports keep theirs: 200 when it lies there already, from ' +
      'whomever. Where a report has kept the page of the paper, and cites that, it stays the one: `isPdf` is false.',
    access: 'member',
    params: workspaceParams,
    body: keepPaperBody,
    example: { pdfUrl: 'https://arxiv.org/pdf/1706.03762v7' },
    replies: { 200: keptPaperSchema, 201: keptPaperSchema },
    refusals: [404, 409, 502],
    workspace: ({ params }) => params.workspaceId,
    async handle({ workspace, body, caller }, ports) {
      const { paper, isNew } = await keepFoundPaper(ports, caller, workspace, body.pdfUrl);
      return reply(isNew ? 201 : 200, paper);
    },
  }),
];
