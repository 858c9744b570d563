/** Maximum hosts that the commands of a workspace may reach. */
export const MAX_HOSTS = 20;

const LABEL = '[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?';
/**
 * Excludes IP addresses, because the last label must start with a letter, and names of one label, which are
 * local.
 */
export const HOST_NAME = new RegExp(`^(?=.{4,253}$)(?:${LABEL}\\.)+(?=[a-z])${LABEL}$`);
