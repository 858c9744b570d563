import { realpath, stat } from 'node:fs/promises';
import { basename, relative, resolve } from 'node:path';
import type { Schemas } from '../lib/api-contract/schema.ts';
import { type Client, createClient } from './client.ts';
import { EXIT, Failure } from './failure.ts';
import { dataFolder } from './places.ts';
import { refusalTexts } from './refusal-texts.ts';
import { openService, type ServiceAccess, startOwn } from './service.ts';
import { dim, tellLine } from './terminal.ts';

type Workspace = Schemas['Workspace'];

/** The arguments of every command. */
export interface Context {
  /** `--url`. */
  url?: string | undefined;
  /** `--workspace`: a name or an ID. */
  workspace?: string | undefined;
  isJson: boolean;
  /** Aborted by Ctrl-C and by signals. */
  signal: AbortSignal;
  /** Registers a task. Tasks run in reverse order, however the command ends. */
  whenDone(task: () => Promise<void>): void;
}

export interface Place {
  client: Client;
  workspace: Workspace;
  service: ServiceAccess;
  /** Returns a workspace path as the user would write it. */
  show(path: string): string;
}

const PAGE = 1000;

export async function openClient(
  context: Context,
  folder?: string,
): Promise<{ client: Client; service: ServiceAccess }> {
  const service = await openService(context.url, folder);
  context.whenDone(service.stop);
  return { service, client: createClient(service, context.signal) };
}

/**
 * Returns the workspace that `--workspace` names. Without that option, returns the workspace of a folder on this
 * host, and creates it if necessary. If the service was found over the data folder and its roots don't contain the folder, starts
 * another service over the same data, with the folder as its root.
 */
export async function openWorkspace(context: Context, folder = '.'): Promise<Place> {
  if (context.workspace !== undefined) return openNamed(context, context.workspace);
  const location = await locate(folder);
  const { client, service } = await openClient(context, location);
  if (!service.isHere) throw await needsName(client);
  try {
    return placeOf(service, client, await workspaceAt(client, location));
  } catch (error) {
    if (!isOutside(error)) throw error;
    if (service.kind === 'own') throw aroundOwn(location);
    if (service.kind === 'named') throw outside(location, service.url);
    const own = await startOwn(location);
    context.whenDone(own.stop);
    const ownClient = createClient(own, context.signal);
    const workspace = await workspaceAt(ownClient, location).catch((again: unknown) => {
      throw isOutside(again) ? aroundOwn(location) : again;
    });
    return placeOf(own, ownClient, workspace);
  }
}

async function openNamed(context: Context, name: string): Promise<Place> {
  const { client, service } = await openClient(context);
  return placeOf(service, client, findNamed(await listWorkspaces(client), name));
}

export function findNamed(all: Workspace[], name: string): Workspace {
  const found = all.filter((workspace) => workspace.id === name || workspace.name === name);
  if (found.length === 1 && found[0] !== undefined) return found[0];
  const words = found.length === 0 ? 'No workspace' : 'More than one workspace';
  throw new Failure(`${words} is named ${name}. Workspaces: ${describeAll(all)}`, { exit: EXIT.usage });
}

/**
 * Finds the workspace of a folder, or of a folder around it, whose index also contains the folder's files.
 */
async function workspaceAt(client: Client, location: string): Promise<Workspace> {
  const around = (await listWorkspaces(client)).find(({ rootPath }) => isAround(rootPath, location));
  if (around === undefined)
    return client.call((api) => api.POST('/api/workspaces', { body: { path: location } }));
  if (around.rootPath !== location)
    tellLine(
      dim(`${basename(location)} is inside the workspace ${around.rootPath}. Using the whole workspace.`),
    );
  return around;
}

function isAround(rootPath: string, location: string): boolean {
  return rootPath === location || location.startsWith(`${rootPath}/`);
}

export async function listWorkspaces(client: Client): Promise<Workspace[]> {
  return client.call((api) => api.GET('/api/workspaces', { params: { query: { limit: PAGE } } }));
}

function placeOf(service: ServiceAccess, client: Client, workspace: Workspace): Place {
  const show = (path: string) => {
    if (!service.isHere) return path;
    const location = resolve(workspace.rootPath, path);
    const shown = relative(process.cwd(), location);
    return shown.startsWith('../../') ? location : shown;
  };
  return { service, client, workspace, show };
}

export async function locate(folder: string): Promise<string> {
  const location = await realpath(folder).catch(() => undefined);
  const found = location === undefined ? undefined : await stat(location);
  if (location !== undefined && found?.isDirectory()) return location;
  const words = location === undefined ? 'does not exist.' : "isn't a folder.";
  throw new Failure(`${folder} ${words}`, { exit: EXIT.usage });
}

function isOutside(error: unknown): boolean {
  return error instanceof Failure && error.code === 'path_outside_roots';
}

function outside(location: string, url: string): Failure {
  return new Failure(refusalTexts().outsideRoots(location, url));
}

/**
 * Returns the error for a folder that our own service rejects. The folder is a root of that service, so it must contain
 * the service's data or code, like a home folder.
 */
function aroundOwn(location: string): Failure {
  return new Failure(refusalTexts().overlapsOwn(location, dataFolder()), { exit: EXIT.usage });
}

async function needsName(client: Client): Promise<Failure> {
  const names = describeAll(await listWorkspaces(client));
  return new Failure(
    `${client.url} is on another host. Choose one of its workspaces with --workspace. Workspaces: ${names}`,
    {
      exit: EXIT.usage,
    },
  );
}

function describeAll(all: Workspace[]): string {
  return all.map(({ name }) => name).join(', ') || 'none';
}
