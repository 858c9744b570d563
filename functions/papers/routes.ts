import * as z from 'zod';
import { bibliographyEntrySchema, listEntries } from '../../lib/bibliography/list-entries.ts';
import { lookUpBody, lookUpDocument, lookUpSchema } from '../../lib/bibliography/look-up-document.ts';
import { documentParams } from '../../lib/documents/schema.ts';
import { reply, replyPage } from '../../lib/http/reply.ts';
import { routeFor } from '../../lib/http/route.ts';
import { foundPapersSchema, searchPapersBody } from '../../lib/papers/schema.ts';
import { PATH_ERRORS } from '../../lib/paths/file-errors.ts';
import type { Papers } from '../../lib/ports/papers.ts';
import { pageQuery } from '../../lib/records/page.ts';
import type { ArticlePorts } from '../../lib/research/gather/save-article.ts';
import { savedPaperSchema, savePaperBody } from '../../lib/research/paper-schema.ts';
import {
  citeBody,
  citeDocuments,
  citedDocumentSchema,
} from '../../lib/research/references/cite-documents.ts';
import { listSavedPapers, SAVE_PAPER_ERRORS, saveFoundPaper } from '../../lib/research/save-paper.ts';
import { workspaceParams } from '../../lib/workspaces/schema.ts';

interface PaperPorts extends ArticlePorts {
  papers: Papers;
}

const route = routeFor<PaperPorts>();

export const paperRoutes = [
  route({
    method: 'POST',
    path: '/api/paper-study/search',
    operationId: 'searchPapers',
    summary: 'Search scholarly papers',
    description:
      'Searches several sources at the same time. A paper that several sources return is one article. Sources that fail or time out are listed in `errors`; the results of the others are returned anyway. The service calls arXiv once every 3 seconds, so a search may wait for up to 45 seconds. Results of the sources are cached for 15 minutes.',
    access: 'viewer',
    body: searchPapersBody,
    example: { keywords: ['owl', 'echolocation'], maxResults: 10, dateFrom: '2020-01-01' },
    mayBeLate: true,
    replies: { 200: foundPapersSchema },
    handle: async ({ body }, { papers }) => reply(200, await papers.search(body)),
  }),
  route({
    method: 'GET',
    path: '/api/workspaces/{workspaceId}/papers',
    operationId: 'listPapers',
    summary: 'List saved papers',
    description:
      'Returns the papers that reports and users saved in the workspace, sorted by title. They are in `sources/papers`, each with its metadata (CSL-JSON). At most 2,000 papers are read.',
    access: 'viewer',
    params: workspaceParams,
    query: pageQuery,
    replies: { 200: z.array(savedPaperSchema) },
    workspace: ({ params }) => params.workspaceId,
    handle: async ({ workspace, query }) => replyPage(await listSavedPapers(workspace, query)),
  }),
  route({
    method: 'POST',
    path: '/api/workspaces/{workspaceId}/papers',
    operationId: 'savePaper',
    summary: 'Save a paper to a workspace',
    description:
      'Saves the PDF of a paper that a search found. The paper must be open access (otherwise 409), and the PDF must have at most 30 MB, download within 80 seconds, and be on a public address. It is stored and indexed once: returns 200 if anyone saved it before. If a report saved the web page of the paper and cites it, that page stays, and `isPdf` is false.',
    access: 'member',
    params: workspaceParams,
    body: savePaperBody,
    example: { pdfUrl: 'https://arxiv.org/pdf/1706.03762v7' },
    mayBeLate: true,
    replies: { 200: savedPaperSchema, 201: savedPaperSchema },
    errors: [...PATH_ERRORS, ...SAVE_PAPER_ERRORS],
    workspace: ({ params }) => params.workspaceId,
    async handle({ workspace, body, caller }, ports) {
      const { paper, isNew } = await saveFoundPaper(ports, caller, workspace, body.pdfUrl);
      return reply(isNew ? 201 : 200, paper);
    },
  }),
  route({
    method: 'GET',
    path: '/api/workspaces/{workspaceId}/bibliography',
    operationId: 'listBibliography',
    summary: 'List bibliography entries',
    description:
      'Returns the entries of the BibTeX, RIS, and CSL-JSON files of the workspace, in the order of the files, with the documents that each entry describes. At most 20 files of up to 8 MB are read.',
    access: 'viewer',
    params: workspaceParams,
    query: pageQuery,
    replies: { 200: z.array(bibliographyEntrySchema) },
    workspace: ({ params }) => params.workspaceId,
    handle: async ({ workspace, query }, { records }) =>
      replyPage(await listEntries(records, workspace, query)),
  }),
  route({
    method: 'POST',
    path: '/api/workspaces/{workspaceId}/documents/{path}/lookup',
    operationId: 'lookUpDocument',
    summary: 'Look up the paper of a document',
    description:
      'Looks up the paper of a document in OpenAlex, Crossref, Semantic Scholar, and arXiv: by `identifier`, otherwise by the DOI and the arXiv ID of the document, then by its title. Returns what was found, and changes nothing: to keep a value, send it with PATCH. A lookup waits for the rate limits of the catalogs, for at most 80 seconds. Their answers are cached for 15 minutes.',
    access: 'member',
    params: workspaceParams.extend(documentParams),
    body: lookUpBody,
    example: { identifier: '10.1000/182' },
    bodyOptional: true,
    mayBeLate: true,
    replies: { 200: lookUpSchema },
    errors: ['document_not_found'],
    workspace: ({ params }) => params.workspaceId,
    async handle({ workspace, params, body }, ports) {
      const id = { workspaceId: workspace.id, path: params.path };
      return reply(200, await lookUpDocument(ports, id, body?.identifier));
    },
  }),
  route({
    method: 'POST',
    path: '/api/workspaces/{workspaceId}/references',
    operationId: 'citeDocuments',
    summary: 'Get the citation keys and items of documents',
    description:
      'Returns an item in CSL-JSON per document, with which texts cite it by key, such as `[@smith2020]`. The facts are those of the document, with the journal and the type from its entry in a bibliography. The keys differ from each other. Documents that the index does not know are missing.',
    access: 'viewer',
    params: workspaceParams,
    body: citeBody,
    example: { paths: ['papers/owls.pdf'] },
    replies: { 200: z.array(citedDocumentSchema) },
    workspace: ({ params }) => params.workspaceId,
    handle: async ({ workspace, body }, { records }) =>
      reply(200, await citeDocuments(records, workspace, body.paths)),
  }),
];
