import type { Config } from '../config.ts';
import { openEmbedder } from './embedder.ts';
import { openEntailment } from './entailment.ts';
import { openReranker } from './reranker.ts';

/**
 * Opens the services that searching and checking citations call. Each is undefined if it isn't configured.
 */
export function openSearchServices(config: Config) {
  return {
    embedder: openEmbedder(config),
    reranker: openReranker(config),
    entailment: openEntailment(config),
  };
}
