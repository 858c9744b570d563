import { killProcess } from '../../kill-process.ts';
import { runGroup } from './process-group.ts';
import type { RunnerReply, RunnerRequest } from './runner-client.ts';

/**
 * The program behind runner-client.ts. It starts commands for a process that is too large to do so itself.
 */
const running = new Map<number, AbortController>();

process.on('message', async (request: RunnerRequest) => {
  if ('abort' in request) return running.get(request.abort)?.abort();
  const { id, launch, limits, isLive } = request;
  const controller = new AbortController();
  running.set(id, controller);
  try {
    const onText = isLive ? (text: string) => reply({ id, text }) : undefined;
    reply({ id, result: await runGroup(launch, { ...limits, signal: controller.signal, onText }) });
  } catch (error) {
    reply({ id, error: (error as Error).message });
  }
  running.delete(id);
});
process.on('disconnect', killProcess);

function reply(message: RunnerReply): void {
  if (process.connected) process.send?.(message);
}
