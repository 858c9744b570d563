/** A model that a provider offers. */
export interface ModelEntry {
  id: string;
  name: string;
}
