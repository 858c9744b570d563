import type { Caller } from '../access/caller.ts';
import { Conflict, NotFound, ServiceError } from '../errors.ts';
import { writeWhole } from '../files/write.ts';
import { openInside } from '../paths/confine.ts';
import { hashOfFile, sha256 } from '../paths/hash.ts';
import { withPathLock } from '../paths/path-lock.ts';
import { type PermissionPorts, prepareRules } from '../permissions/store.ts';
import type { TimedRecords } from '../ports/timed-records.ts';
import type { FilesChanged } from '../workspaces/callbacks.ts';
import { createWorkspace, findWorkspaceAround, locateWorkspace } from '../workspaces/registry.ts';
import type { ExampleLanguage, Workspace } from '../workspaces/schema.ts';
import { type BuiltExample, type BuiltFile, EXAMPLE_FILES, EXAMPLES } from './built.ts';
import { conversationIdOf, keepExampleChat } from './keep-chat.ts';
import { keepExampleReport, reportIdOf } from './keep-report.ts';

export interface ExamplePorts extends TimedRecords, PermissionPorts {
  workspaceRoots: string[];
  /** Notifies the index of the files. */
  filesChanged: FilesChanged;
}

export interface OpenedExample {
  workspace: Workspace;
  created: boolean;
  conversationId: string;
  runId: string;
}

/**
 * Maximum folders to try, because a folder may contain another workspace, or other files with these names.
 */
const MAX_FOLDERS = 20;

/**
 * Returns the example workspace in a language, and creates its missing parts: its files, a conversation, and a report.
 * Doesn't call a model; every step can be repeated. Throws the errors of createWorkspace.
 */
export async function openExample(
  ports: ExamplePorts,
  caller: Caller,
  language: ExampleLanguage,
): Promise<OpenedExample> {
  const { workspace, created } = await placeExample(ports, caller, language);
  // Serialized, so that of two first users, or two clicks, the second one finds the parts of the first.
  await withPathLock(workspace.rootPath, () => fill(ports, caller, workspace, EXAMPLES[language]));
  return {
    ...{ workspace, created },
    conversationId: conversationIdOf(workspace),
    runId: reportIdOf(workspace),
  };
}

async function fill(
  ports: ExamplePorts,
  caller: Caller,
  workspace: Workspace,
  example: BuiltExample,
): Promise<void> {
  await writeMissing(ports, workspace);
  await keepExampleReport(ports, caller, workspace, example);
  await keepExampleChat(ports, caller, workspace, example);
}

async function placeExample(ports: ExamplePorts, caller: Caller, example: ExampleLanguage) {
  const { name, folder } = EXAMPLES[example];
  for (let number = 1; number <= MAX_FOLDERS; number++) {
    const path = number === 1 ? folder : `${folder}-${number}`;
    if (await isTaken(ports, caller, path)) continue;
    const prepare = prepareRules(ports, caller, { ask: 'changes' });
    const placed = await createWorkspace(ports, caller, { path, name, example, prepare });
    if (placed.workspace.example === example) return placed;
  }
  throw new Conflict('workspace_overlap', 'The folders that the example could use contain other files.');
}

/**
 * Returns whether the folder belongs to another workspace, or has a file with an example file's name but
 * other contents.
 */
async function isTaken(ports: ExamplePorts, caller: Caller, path: string): Promise<boolean> {
  try {
    const location = await locateWorkspace(ports, caller, path);
    // Its record decides instead.
    if ((await findWorkspaceAround(ports.records, location)) !== undefined) return false;
    const found = await Promise.all(EXAMPLE_FILES.map((file) => compareFile(location, file)));
    return found.includes('other');
  } catch (error) {
    if (error instanceof Conflict) return true;
    throw error;
  }
}

async function compareFile(root: string, file: BuiltFile): Promise<'same' | 'other' | 'missing'> {
  try {
    await using handle = await openInside(root, file.path);
    return (await hashOfFile(handle)) === (await sha256(bytesOf(file))) ? 'same' : 'other';
  } catch (error) {
    if (error instanceof NotFound) return 'missing';
    if (error instanceof ServiceError) return 'other';
    throw error;
  }
}

function bytesOf({ text, base64 }: BuiltFile): Buffer {
  return text === undefined ? Buffer.from(base64 ?? '', 'base64') : Buffer.from(text);
}

/** Writes missing files. Keeps a file that a person has changed, for which citations are shown as stale. */
async function writeMissing(ports: ExamplePorts, { id, rootPath }: Workspace): Promise<void> {
  const written: string[] = [];
  for (const file of EXAMPLE_FILES) {
    if ((await compareFile(rootPath, file)) !== 'missing') continue;
    if (await writeNew(rootPath, file)) written.push(file.path);
  }
  if (written.length > 0) await ports.filesChanged(id, written);
}

/** Writes a file. Returns false if another process that opens the example was faster. */
async function writeNew(root: string, file: BuiltFile): Promise<boolean> {
  try {
    await writeWhole(root, file.path, bytesOf(file), null);
    return true;
  } catch (error) {
    if (error instanceof Conflict) return false;
    throw error;
  }
}
