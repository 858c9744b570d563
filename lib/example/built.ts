import type { Citation } from '../api-contract/citation.ts';
import type { Extract } from '../research/extracts/extract.ts';
import type { Evidence, ResearchPlan, Section } from '../research/schema.ts';
import built from './built.json' with { type: 'json' };

/** The files and texts of infra/example, written by infra/example/build.ts; change them in infra/example. */
export interface BuiltFile {
  path: string;
  /** The content of a text file; other files have their bytes in `base64`. */
  text?: string;
  base64?: string;
}

export interface BuiltExample {
  name: string;
  folder: string;
  turns: { question: string; answer: string; citations: Citation[] }[];
  report: {
    question: string;
    plan: ResearchPlan;
    evidence: Evidence[];
    /** The passages around the quotes, by the IDs of the evidence. */
    extracts: Record<string, Extract>;
    sections: Section[];
    openQuestions: string[];
  };
}

export const EXAMPLE_FILES = built.files as BuiltFile[];

export const EXAMPLES = built.examples as unknown as Record<'en' | 'zh-CN', BuiltExample>;
