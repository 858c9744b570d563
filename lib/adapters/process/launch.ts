import { dirname } from 'node:path';
import type { FolderMount } from '../../ports/commands.ts';

/** What to launch in a sandbox. All paths are absolute and real. */
export interface LaunchPlan {
  /** A shell with its script: `/bin/bash -c TEXT`. */
  argv: string[];
  cwd: string;
  writable: string[];
  /** Folders that can be read, but not written. */
  readable?: string[];
  /** Folders that are shown read-only inside writable folders. Their targets exist. */
  mounts?: FolderMount[];
  /** The socket of the proxy through which the command reaches the allowed hosts. */
  proxySocket?: string | undefined;
  /** True if the shell has a terminal. It must then be able to become the foreground of its session. */
  isTerminal?: boolean;
}

/** The process to start. */
export interface Launch {
  file: string;
  args: string[];
  env: Record<string, string>;
  cwd: string;
  /** Created for this launch, and removed after it. */
  temporaryFolder?: string;
}

/** A way to isolate commands from the host. `none` doesn't isolate them. */
export interface Sandbox {
  kind: 'bubblewrap' | 'namespaces' | 'seatbelt' | 'none';
  /** The service's own files and folders. They are hidden even inside a visible folder. */
  hidden: string[];
  /** True if a command without a network can reach some hosts through a proxy. */
  admitsHosts?: boolean;
  launch(plan: LaunchPlan): Promise<Launch>;
}

export interface SandboxOptions {
  /** With `none`, there is only a private loopback. */
  network: 'none' | 'host';
  /** Absolute real paths. */
  hidden: string[];
}

/**
 * Curl reads only the first settings file that it finds. In a sandbox, an empty one comes before the one in
 * the home.
 */
export const CURL_SETTINGS = '/.curlrc';

/**
 * Returns the whole environment of a command. Both folders are empty, and are removed afterwards. Git treats
 * any folder whose contents look like a repository as one, and starts the programs that its settings name;
 * here, the folder must be called `.git`. Settings in the home would let a command line start hidden
 * programs, so git, its ssh, and curl read none there.
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
    GIT_CONFIG_GLOBAL: '/nonexistent/gitconfig', // as root, git would replace /dev/null
    GIT_SSH_COMMAND: 'ssh -F none',
    CURL_HOME: dirname(CURL_SETTINGS),
  };
}
