import { relative } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { Worker } from 'node:worker_threads';
import {
  isIdentifier,
  isNewExpression,
  isRegularExpressionLiteral,
  type Node,
  type SourceFile,
} from 'typescript/unstable/ast';
import { API } from 'typescript/unstable/sync';
import type { Built } from './record-built.ts';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const PROJECTS = ['tsconfig.json', 'web/tsconfig.json'];
const PRODUCT = /^(?:lib|functions|web|cli|infra)\//;

export interface Regex {
  pattern: string;
  flags: string;
  /** The places, as `file:line`, if several expressions are the same. */
  places: string[];
}

/** A `new RegExp(…)` that isn't run when its module is loaded, because its pattern depends on an argument. */
export interface Unbuilt {
  file: string;
  line: number;
  /** The call as in the source. */
  call: string;
}

interface Source {
  file: string;
  literals: { line: number; pattern: string; flags: string }[];
  calls: { line: number; call: string }[];
}

/**
 * Finds the regular expressions of the product's own code: literals, and those that modules build while they
 * are loaded.
 */
export async function findRegexes(): Promise<{ regexes: Regex[]; unbuilt: Unbuilt[] }> {
  const placed: Placed[] = [];
  const unbuilt: Unbuilt[] = [];
  for (const { file, literals, calls } of readSources()) {
    placed.push(...literals.map(({ line, ...regex }) => ({ ...regex, place: `${file}:${line}` })));
    const built = calls.length === 0 ? [] : await loadRecording(file);
    for (const { line, call } of calls) {
      const own = built.filter(({ callers }) => callers.includes(`${urlOf(file)}:${line}`));
      placed.push(...own.map(({ pattern, flags }) => ({ pattern, flags, place: `${file}:${line}` })));
      if (own.length === 0) unbuilt.push({ file, line, call });
    }
  }
  return { regexes: joinSame(placed), unbuilt };
}

interface Placed {
  pattern: string;
  flags: string;
  place: string;
}

function joinSame(placed: Placed[]): Regex[] {
  const same = Map.groupBy(placed, ({ pattern, flags }) => `${flags}/${pattern}`);
  return [...same.values()].flatMap((group) => {
    const places = [...new Set(group.map(({ place }) => place))];
    return group.slice(0, 1).map(({ pattern, flags }) => ({ pattern, flags, places }));
  });
}

function readSources(): Source[] {
  const api = new API({ cwd: ROOT });
  try {
    const openProjects = PROJECTS.map((name) => ROOT + name);
    const projects = api.updateSnapshot({ openProjects }).getProjects();
    const files = new Map<string, Source>();
    for (const { program } of projects)
      for (const name of program.getSourceFileNames()) {
        const file = relative(ROOT, name);
        const source = PRODUCT.test(file) && !files.has(file) ? program.getSourceFile(name) : undefined;
        if (source !== undefined) files.set(file, readSource(file, source));
      }
    return [...files.values()];
  } finally {
    api.close();
  }
}

function readSource(file: string, source: SourceFile): Source {
  const read: Source = { file, literals: [], calls: [] };
  const lineOf = (node: Node) => source.text.slice(0, node.getStart(source)).split('\n').length;
  const visit = (node: Node) => {
    if (isRegularExpressionLiteral(node)) {
      const end = node.text.lastIndexOf('/');
      const [pattern, flags] = [node.text.slice(1, end), node.text.slice(end + 1)];
      read.literals.push({ line: lineOf(node), pattern, flags });
    } else if (isNewExpression(node) && isIdentifier(node.expression) && node.expression.text === 'RegExp') {
      read.calls.push({ line: lineOf(node), call: node.getText(source) });
    }
    node.forEachChild(visit);
  };
  visit(source);
  return read;
}

/** Returns an empty list for a module that only a browser loads. */
async function loadRecording(file: string): Promise<Built[]> {
  const worker = new Worker(new URL('./record-built.ts', import.meta.url), { workerData: urlOf(file) });
  const built = await new Promise<Built[]>((resolve) => {
    worker.once('message', resolve).once('error', () => resolve([]));
  });
  await worker.terminate();
  return built;
}

function urlOf(file: string): string {
  return pathToFileURL(ROOT + file).href;
}
