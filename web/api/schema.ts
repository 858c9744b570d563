export type { paths, Schemas } from '../../lib/api-contract/schema.ts';
