import { config } from 'zod/v4/core';

/** The AI SDK checks what comes with zod, which asks by `new Function` whether it may compile: the policy forbids the question. */
config({ jitless: true });
