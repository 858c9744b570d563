/** The name of a workspace's copy, next to those of its runs. */
export const SHADOW = 'shadow';

const GB = 1024 * 1024 * 1024;

export const KEPT_LIMITS = {
  /** Of one run. */
  paths: 50_000,
  bytes: GB,
  fileBytes: 64 * 1024 * 1024,
  /** Of all runs of a workspace. */
  workspaceBytes: 4 * GB,
  /** Neither the runs of a workspace nor its copy take more than this part of the space that is free. */
  freePart: 10,
};
