import { config } from 'zod/v4/core';

/**
 * The AI SDK validates its input with zod, which tries `new Function` to detect whether it may compile, and the CSP
 * forbids that.
 */
config({ jitless: true });
