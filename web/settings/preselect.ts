import type { KindedModel } from './model-connections.ts';

export interface ChosenModels {
  /** The model for answers; empty for none. */
  model: string;
  /** The model for semantic search; empty for none. */
  embedding: string;
}

/**
 * Returns the preselected models: those in use, otherwise the only chat model. All files are sent to a model for
 * semantic search, so it's suggested only if `mayEmbed`.
 */
export function preselect(models: KindedModel[], inUse: ChosenModels, mayEmbed: boolean): ChosenModels {
  const of = (kind: KindedModel['kind']) => models.filter((each) => each.kind === kind).map(({ id }) => id);
  const [only = '', second] = of('chat');
  const [embedding = ''] = mayEmbed ? of('embedding') : [];
  return {
    model: inUse.model || (second === undefined ? only : ''),
    embedding: inUse.embedding || embedding,
  };
}

/** Returns the options of a kind, including the model in use even if the server doesn't currently list it. */
export function optionsOf(models: KindedModel[], kind: KindedModel['kind'], chosen: string) {
  const options = models
    .filter((each) => each.kind === kind)
    .map(({ id, name }): [string, string] => [id, name]);
  const isListed = chosen === '' || options.some(([id]) => id === chosen);
  return isListed || options.length === 0 ? options : [[chosen, chosen] as [string, string], ...options];
}
