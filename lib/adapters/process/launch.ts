import { dirname } from 'node:path';
import type { FolderMount } from '../../ports/commands.ts';

/** The requirements for a sandbox. All paths are absolute and real. */
export interface LaunchPlan {
  /** A shell and its text: `/bin/bash -c TEXT`. */
  argv: string[];
  cwd: string;
  writable: string[];
  /** Other folders that may be read, but not changed. */
  readable?: string[];
  /** Visible inside writable folders, but read-only. Their targets exist. */
  mounts?: FolderMount[];
}

/** The process to start. */
export interface Launch {
  file: string;
  args: string[];
  env: Record<string, string>;
  cwd: string;
  /** Created for this launch only; removed after it. */
  temporaryFolder?: string;
}

/** A way to isolate commands from the host; `none` doesn't. */
export interface Sandbox {
  kind: 'bubblewrap' | 'namespaces' | 'seatbelt' | 'none';
  /** The service's own files and folders: hidden even inside a visible folder. */
  hidden: string[];
  launch(plan: LaunchPlan): Promise<Launch>;
}

export interface SandboxOptions {
  /** `none`: only a private loopback. */
  network: 'none' | 'host';
  /** Absolute real paths. */
  hidden: string[];
}

/** Curl reads the first file that it finds: a sandbox has an empty one here, before the home's. */
export const CURL_SETTINGS = '/.curlrc';

/**
 * The whole environment of a command. Both folders are empty and are removed after it. Git takes any folder for a
 * repository if its contents look like one, and starts the programs that its settings name: here, only one called
 * `.git`. Settings in the home would let a command line start hidden programs, so git, its ssh, and curl read none
 * there.
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
    GIT_CONFIG_GLOBAL: '/nonexistent/gitconfig', // git as root would replace /dev/null
    GIT_SSH_COMMAND: 'ssh -F none',
    CURL_HOME: dirname(CURL_SETTINGS),
  };
}
