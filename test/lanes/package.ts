import { runPackagedLane } from './packaged-lane.ts';

/** Runs the packaged functions, as uploaded, in AWS's own runtime client. */
await runPackagedLane('test/package');
