import type { Research } from './research.ts';

/** The latest exported proof: another release of the service may have written others. */
export function newestProof({ proofs }: Pick<Research, 'proofs'>): Research['proofs'][number] | undefined {
  return proofs.toSorted((one, other) => one.createdAt.localeCompare(other.createdAt)).at(-1);
}
