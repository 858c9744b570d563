/**
 * Node's flags for the service, the same as `npm start` (package.json). They make the garbage collector free the memory of a
 * search soon: a heap that may double before a full collection held 120 MB more, at the same number of searches per second.
 */
export const START_FLAGS = ['--max-semi-space-size=4', '--heap-growing-percent=50'];
/** A setting of the C library: without it each thread has an arena of its own, whose freed parts it keeps. */
export const START_VARIABLES = { MALLOC_ARENA_MAX: '2' };
