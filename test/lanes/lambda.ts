import { missingLimits } from './environment-group.ts';
import { runPackagedLane } from './packaged-lane.ts';

/**
 * Runs the packaged functions with Lambda's real limits: processor time, memory, freezes, and the latency to
 * AWS's services.
 */
const missing = missingLimits();
if (missing.length > 0) {
  console.error(
    `This host can't set these limits of Lambda: ${missing.join(', ')}. Run this lane as root on Linux, where /sys/fs/cgroup is writable.`,
  );
  process.exit(1);
}
await runPackagedLane('test/lambda');
