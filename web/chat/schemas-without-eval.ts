import { config } from 'zod/v4/core';

/**
 * The AI SDK validates its input with zod, which tries `new Function` to find out whether it may compile: the policy forbids
 * it.
 */
config({ jitless: true });
