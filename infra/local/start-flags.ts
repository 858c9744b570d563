/**
 * How node is started for the service, whoever does it: `npm start` says the same (package.json). What a search leaves behind
 * is collected soon: a heap that may double before it is looked through held 120 MB more, at the same number of searches a second.
 */
export const START_FLAGS = ['--max-semi-space-size=4', '--heap-growing-percent=50'];
/** A setting of the C library: without it each thread has an arena of its own, whose freed parts it keeps. */
export const START_VARIABLES = { MALLOC_ARENA_MAX: '2' };
