/** The output of each service of a test file so far. */
export const outputs: (() => string)[] = [];
