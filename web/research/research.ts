import type { Schemas } from '../../lib/api-contract/schema.ts';

/** A report in the API's format. */
export type Research = Schemas['Research'];
export type Evidence = Research['evidence'][number];
export type Depth = Research['depth'];

export interface PlanAnswer {
  approved: boolean;
  questions?: { question: string; answeredBy: string; keywords?: string[] }[];
}
