interface UsedFacts {
  person: number;
  workspace: number;
  leftOut: number;
}

/** Returns `messageMetadata.memories`: the numbers of facts in the prompt; undefined if there were none. */
export function readUsedFacts(metadata: unknown): UsedFacts | undefined {
  const { memories } = (metadata ?? {}) as { memories?: Partial<Record<keyof UsedFacts, unknown>> };
  const count = (of: keyof UsedFacts) => {
    const number = Number(memories?.[of]);
    return Number.isSafeInteger(number) && number > 0 ? number : 0;
  };
  const used = { person: count('person'), workspace: count('workspace'), leftOut: count('leftOut') };
  return used.person + used.workspace + used.leftOut > 0 ? used : undefined;
}
