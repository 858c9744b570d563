/**
 * Does the same as Lambda's runtime for the function that runs commands, in a separate process
 * (start-command-environment.ts): reads an event and its context, and returns the handler's result.
 */
import { handler } from '../../../functions/commands/handler.ts';

interface Invocation {
  id: number;
  event: unknown;
  context: { tenantId?: string };
}

process.on('message', async ({ id, event, context }: Invocation) => {
  try {
    process.send?.({ id, answer: await handler(event, context) });
  } catch (error) {
    process.send?.({ id, error: String(error) });
  }
});
process.on('disconnect', () => process.exit());
process.send?.({ ready: true });
