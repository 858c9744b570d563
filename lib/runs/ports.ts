import type { CallPorts } from '../leases/due.ts';
import type { LanguageModel, ProviderId } from '../ports/language-model.ts';
import type { ModelPrices } from '../prices/schema.ts';
import type { Use } from '../usage/schema.ts';

/** Ports for storing a run's record. */
export type RunPorts = CallPorts;

/** Ports for starting a report or the check of a draft. */
export interface BeginPorts extends RunPorts {
  prices: ModelPrices;
  /** Throws NotConfigured if that provider isn't configured or, without a choice, if none is. */
  openModel(use: Use, choice?: { provider: ProviderId; model: string }): LanguageModel;
}
