import * as z from 'zod';
import { WEB_SEARCH_PROVIDERS } from '../api-contract/web-search-providers.ts';
import { baseUrl, choice, hostList, key, placeList } from './values.ts';

/** Variables of the environment, with a check and a default. */
export const sourcesVariables = {
  HUB_A_TOKEN: key().optional(),
  HUB_A_BASE_URL: baseUrl().optional(),
  HUB_B_TOKEN: key().optional(),
  HUB_B_BASE_URL: baseUrl().optional(),
  CODE_HOST: z
    .string()
    .regex(/^[\w.-]+(:\d{1,5})?$/, 'must be a host name such as git.example.org, optionally with a port')
    .default('github.com'),
  CODE_HOST_TOKEN: key().optional(),
  CODE_HOST_ALLOW_PRIVATE: choice(['true', 'false']).default('false'),
  COMMIT_EMAIL: z.email('must be an email address').max(254).default('noreply@workspace.invalid'),
  ARXIV_BASE_URL: baseUrl().optional(),
  SEMANTIC_SCHOLAR_BASE_URL: baseUrl().optional(),
  SEMANTIC_SCHOLAR_API_KEY: key().optional(),
  PAPER_HOSTS: hostList().default([]),
  OPENALEX_BASE_URL: baseUrl().optional(),
  OPENALEX_API_KEY: key().optional(),
  CROSSREF_BASE_URL: baseUrl().optional(),
  ZOTERO_BASE_URL: baseUrl().optional(),
  SOURCE_PRIVATE_HOSTS: placeList().default([]),
  WEB_SEARCH_PROVIDER: choice(WEB_SEARCH_PROVIDERS).optional(),
  WEB_SEARCH_SEARXNG_URL: baseUrl().optional(),
  WEB_SEARCH_BRAVE_API_KEY: key().optional(),
  WEB_SEARCH_BRAVE_BASE_URL: baseUrl().optional(),
  WEB_SEARCH_TAVILY_API_KEY: key().optional(),
  WEB_SEARCH_TAVILY_BASE_URL: baseUrl().optional(),
};
export type SourcesEnvironment = z.infer<z.ZodObject<typeof sourcesVariables>>;

/** Returns the sources of datasets, papers, web pages, and code. */
export function readSources(env: SourcesEnvironment) {
  return {
    hubs: {
      huggingFace: { token: env.HUB_A_TOKEN, baseUrl: env.HUB_A_BASE_URL },
      modelScope: { token: env.HUB_B_TOKEN, baseUrl: env.HUB_B_BASE_URL },
    },
    papers: {
      /** More hosts, in addition to those in lib/papers/hosts.ts. */
      hosts: env.PAPER_HOSTS,
      arxiv: { baseUrl: env.ARXIV_BASE_URL },
      semanticScholar: { baseUrl: env.SEMANTIC_SCHOLAR_BASE_URL, apiKey: env.SEMANTIC_SCHOLAR_API_KEY },
      openAlex: { baseUrl: env.OPENALEX_BASE_URL, apiKey: env.OPENALEX_API_KEY },
      crossref: { baseUrl: env.CROSSREF_BASE_URL, apiKey: undefined },
    },
    zotero: { baseUrl: env.ZOTERO_BASE_URL },
    /** Hosts of WebDAV and S3 sources that may have private addresses, as in their URLs: with a port, unless it's the default. */
    sourceHosts: env.SOURCE_PRIVATE_HOSTS,
    webSearch: {
      provider: env.WEB_SEARCH_PROVIDER,
      searxng: { baseUrl: env.WEB_SEARCH_SEARXNG_URL },
      brave: { apiKey: env.WEB_SEARCH_BRAVE_API_KEY, baseUrl: env.WEB_SEARCH_BRAVE_BASE_URL },
      tavily: { apiKey: env.WEB_SEARCH_TAVILY_API_KEY, baseUrl: env.WEB_SEARCH_TAVILY_BASE_URL },
    },
    codeHost: {
      host: env.CODE_HOST,
      token: env.CODE_HOST_TOKEN,
      allowPrivate: env.CODE_HOST_ALLOW_PRIVATE === 'true',
      /** The address of commits made through the API. The default can't receive mail (RFC 2606). */
      commitEmail: env.COMMIT_EMAIL,
    },
  };
}
