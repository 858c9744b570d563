export const PAPER_SOURCES = ['preprint_server', 'hub_a', 'semantic_scholar', 'openalex'] as const;
export type PaperSource = (typeof PAPER_SOURCES)[number];
