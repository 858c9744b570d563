import type { RunPorts } from '../agent/ports.ts';
import type { TouchPorts } from '../indexing/enqueue.ts';
import type { LanguageModel, ProviderId } from '../ports/language-model.ts';
import type { Objects } from '../ports/objects.ts';
import type { Papers } from '../ports/papers.ts';
import type { Web } from '../ports/web.ts';
import type { ModelPrices } from '../prices/schema.ts';
import type { SearchPorts } from '../retrieval/search.ts';
import type { Use } from '../usage/schema.ts';

/** Ports for starting a research run. */
export interface BeginPorts extends RunPorts {
  prices: ModelPrices;
  /** Throws NotConfigured if that provider, or any, isn't configured. */
  openModel(use: Use, choice?: { provider: ProviderId; model: string }): LanguageModel;
}

/** Ports of the routes of reports. */
export interface ResearchRoutePorts extends BeginPorts {
  /** The version of the service, for proofs. */
  version: string;
}

/** Ports for working on it. */
export interface ResearchPorts extends BeginPorts, TouchPorts {
  objects: Objects;
  searchFor(use: Use): SearchPorts;
  papers: Papers;
  web: Web;
}
