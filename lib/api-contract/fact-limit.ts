/** Maximum characters of a fact to remember. A prompt has room for facts that people need often, not for documents. */
export const MAX_FACT_CHARACTERS = 500;
