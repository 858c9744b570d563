import { dirname } from 'node:path';
import type { FolderMount } from '../../ports/commands.ts';

/** The requirements for a sandbox. All paths are absolute and real. */
export interface LaunchPlan {
  /** A shell and its text: `/bin/bash -c TEXT`. */
  argv: string[];
  cwd: string;
  writable: string[];
  /** Further folders that may be read, and not changed. */
  readable?: string[];
  /** Seen inside what may be changed, and not to be changed. Their targets are there. */
  mounts?: FolderMount[];
}

/** The process to start. */
export interface Launch {
  file: string;
  args: string[];
  env: Record<string, string>;
  cwd: string;
  /** Made for this launch alone, to be removed after it. */
  temporaryFolder?: string;
}

/** A way to keep commands away from the rest of the machine; `none` is no way. */
export interface Sandbox {
  kind: 'bubblewrap' | 'namespaces' | 'seatbelt' | 'none';
  /** The service's own files and folders: unseen even inside a folder that is seen. */
  hidden: string[];
  launch(plan: LaunchPlan): Promise<Launch>;
}

export interface SandboxOptions {
  /** `none`: nothing but a private loopback. */
  network: 'none' | 'host';
  /** Absolute and real. */
  hidden: string[];
}

/** Curl reads the first file that it finds: a sandbox has an empty one here, before that of the home. */
export const CURL_SETTINGS = '/.curlrc';

/**
 * All that a command finds in its environment. Both folders are empty and go away after it. Git takes any folder for a
 * repository whose content looks like one, and starts the programs that its settings name: here only one called `.git`.
 * Settings in the home would let a line start what its commands don't show, so git, its ssh, and curl read none there.
 */
export function cleanEnvironment(home: string, temporary: string): Record<string, string> {
  return {
    PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
    HOME: home,
    TMPDIR: temporary,
    LANG: 'C.UTF-8',
    TERM: 'dumb',
    USER: 'user',
    GIT_CONFIG_COUNT: '1',
    GIT_CONFIG_KEY_0: 'safe.bareRepository',
    GIT_CONFIG_VALUE_0: 'explicit',
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_CONFIG_GLOBAL: '/nonexistent/gitconfig', // git, run by root, would replace /dev/null
    GIT_SSH_COMMAND: 'ssh -F none',
    CURL_HOME: dirname(CURL_SETTINGS),
  };
}
