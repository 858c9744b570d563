export const PAPER_SOURCES = ['preprint_server', 'hub_a', 'semantic_scholar', 'openalex'] as const;
export type PaperSource = (typeof PAPER_SOURCES)[number];

/** Everything that is asked about papers. Crossref is only asked about papers that a reference names, not searched. */
export type PaperCatalog = PaperSource | 'crossref';
