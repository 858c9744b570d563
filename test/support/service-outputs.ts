/** What each service of a test file has written so far. */
export const outputs: (() => string)[] = [];
