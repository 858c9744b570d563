import { readAddresses } from './addresses.ts';
import type { Depth } from './research.ts';

export const SOURCES = ['files', 'datasets', 'papers', 'web'] as const;
export type SourceName = (typeof SOURCES)[number];

/** A request for a report. */
export interface Wish {
  question: string;
  depth: Depth;
  sources: SourceName[];
  addresses: string[];
  budget?: { calls?: number; tokens?: number; minutes?: number };
  language: string;
  approvePlan: boolean;
  /** IDs of further workspaces. */
  others: string[];
}

/** Limits for a report, as in the API. */
export const BOUNDS = {
  calls: { min: 1, max: 2000 },
  tokens: { min: 1000, max: 50_000_000 },
  minutes: { min: 1, max: 720 },
} as const;
export type Bound = keyof typeof BOUNDS;

/** The request as entered in the form. */
export interface StartDraft {
  question: string;
  /** True if the question comes from an answer in chat. */
  isFromAnswer: boolean;
  depth: Depth;
  sources: SourceName[];
  /** URLs, one per line. */
  pages: string;
  budget: Partial<Record<Bound, number>>;
  language: string;
  approvePlan: boolean;
  others: string[];
}

export function emptyDraft(language: string): StartDraft {
  return {
    ...{ question: '', depth: 'standard', sources: ['files', 'datasets'], pages: '', budget: {} },
    ...{ language, approvePlan: false, isFromAnswer: false, others: [] },
  };
}

export function wishOf({ question, pages, budget, isFromAnswer: _, ...chosen }: StartDraft): Wish {
  const { addresses } = readAddresses(pages);
  const bounds = Object.keys(budget).length > 0 && { budget };
  return { ...chosen, question: question.trim(), addresses, ...bounds };
}
