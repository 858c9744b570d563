import type { ModelEntry } from '../ports/models.ts';

/** Sorts by id, and keeps each once. */
export function sortModels(models: ModelEntry[]): ModelEntry[] {
  const byId = new Map(models.map((model) => [model.id, model]));
  return [...byId.values()].sort((a, b) => (a.id < b.id ? -1 : 1));
}
