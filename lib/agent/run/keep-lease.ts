import { Forbidden } from '../../errors.ts';
import { log } from '../../log.ts';
import type { RunPorts } from '../ports.ts';
import { type Run, runs } from '../schema.ts';
import { requireRunRights } from './rights.ts';
import { renewLease } from './runs.ts';

/** How long a stop may take to be noticed, whoever asked for it, on whatever instance. */
const LOOK_EVERY_MS = 400;
const RENEW_EVERY_MS = 5_000;

/** The run was stopped by a person, or belongs to another process now. */
export class RunStopped extends Error {
  readonly byPerson: boolean;
  constructor(byPerson: boolean) {
    super(byPerson ? 'the run was stopped' : 'the run is not ours any more');
    this.byPerson = byPerson;
  }
}

/** The time of one function is up. */
export class RunTimeUp extends Error {}

/**
 * Keeps a run alive while it is worked on, and aborts its signal when it is stopped, taken over, its
 * caller may not do it any more, or the time is up. Nothing
 * here depends on the client: on Lambda nobody learns that one has left.
 */
export function keepLease(
  ports: RunPorts,
  run: Run,
  timeLeftMs: number,
  countSteps: () => number,
): { signal: AbortSignal; end(): void } {
  const controller = new AbortController();
  let renewed = ports.clock.now();
  let looking = false;

  async function look(): Promise<void> {
    const now = await runs.get(ports.records, { id: run.id });
    if (now?.stopRequested) controller.abort(new RunStopped(true));
    else if (now?.owner !== run.owner || now.status !== 'running') controller.abort(new RunStopped(false));
    // From here on its end has as long as the lease; whoever hangs, or is not the owner, must not keep the run alive.
    if (controller.signal.aborted) return clearInterval(timer);
    if (now !== undefined && now.steps < countSteps())
      await runs.update(ports.records, run, { set: { steps: countSteps() } });
    if (ports.clock.now() - renewed < RENEW_EVERY_MS) return;
    renewed = ports.clock.now();
    await renew();
  }

  /** A step may take long, with a slow command or model: whether the caller may still do this is looked at here too. */
  async function renew(): Promise<void> {
    try {
      await requireRunRights(ports, run);
      await renewLease(ports, run.id);
    } catch (error) {
      if (!(error instanceof Forbidden)) throw error;
      controller.abort(error);
      clearInterval(timer);
    }
  }

  const timer = setInterval(() => {
    if (looking) return;
    looking = true;
    look()
      .catch((error: unknown) =>
        log.warn('a run was not looked after', { runId: run.id, reason: String(error) }),
      )
      .finally(() => {
        looking = false;
      });
  }, LOOK_EVERY_MS);
  const deadline = setTimeout(() => controller.abort(new RunTimeUp()), Math.max(0, timeLeftMs));
  return {
    signal: controller.signal,
    end() {
      clearInterval(timer);
      clearTimeout(deadline);
      controller.abort(new RunStopped(false)); // what may still be under way, when the run was taken from us
    },
  };
}
