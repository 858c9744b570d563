import { digest } from './digest.ts';
import { CRATE, type Entity } from './metadata.ts';
import { type ProofCheck, type ProofContents, result } from './proof-check.ts';
import { FILE } from './schema.ts';

/** Checks that the metadata is JSON-LD of an RO-Crate, and describes these files. */
export function checkMetadata({ files, report }: ProofContents, metadata: unknown): ProofCheck {
  const about = {
    passed: `${FILE.metadata} describes these files as an RO-Crate.`,
    failed: `${FILE.metadata} doesn't describe these files as an RO-Crate.`,
  };
  const graph = graphOf(metadata);
  if (graph === undefined)
    return result('metadata', about, [`${FILE.metadata} isn't the JSON-LD of an RO-Crate.`]);
  const entities = new Map(graph.map((entity) => [entity['@id'], entity]));
  const root = entities.get('./');
  const descriptor = entities.get(FILE.metadata);
  const described = graph.filter((entity) => entity['@type'] === 'File');
  const preview = entities.get(FILE.preview);
  const problems = [
    ...(entities.size === graph.length ? [] : ['Two entities have the same ID.']),
    ...(refOf(descriptor?.about) === './' && refOf(descriptor?.conformsTo) === CRATE
      ? []
      : ['The metadata descriptor is missing or incomplete.']),
    ...(root?.['@type'] === 'Dataset' && entities.get('#run')?.identifier === report.runId
      ? []
      : ['The root dataset is missing, or of another run.']),
    ...[...described, ...(preview ? [preview] : [])].flatMap((entity) => fileProblems(files, entity)),
    ...missingParts(root, described),
    ...payload(files).flatMap((path) => (entities.has(path) ? [] : [`${path} isn't described.`])),
  ];
  return result('metadata', about, problems);
}

function graphOf(metadata: unknown): Entity[] | undefined {
  const { '@context': context, '@graph': graph } = (metadata ?? {}) as Record<string, unknown>;
  if (context !== `${CRATE}/context` || !Array.isArray(graph)) return undefined;
  const isGood = graph.every(
    (entity) => typeof entity?.['@id'] === 'string' && entity['@type'] !== undefined,
  );
  return isGood ? (graph as Entity[]) : undefined;
}

function refOf(value: unknown): unknown {
  return (value as Entity | undefined)?.['@id'];
}

function fileProblems(files: Map<string, Buffer>, { '@id': path, contentSize, sha256 }: Entity): string[] {
  const content = files.get(path);
  if (content === undefined) return [`${path} is described, and missing.`];
  const isSame = contentSize === `${content.length}` && sha256 === digest(content);
  return isSame ? [] : [`${path} isn't as ${FILE.metadata} describes it.`];
}

function missingParts(root: Entity | undefined, described: Entity[]): string[] {
  const parts = Array.isArray(root?.hasPart) ? root.hasPart.map(refOf) : [];
  const isSame = parts.join('\n') === described.map((entity) => entity['@id']).join('\n');
  return isSame ? [] : ['The root dataset lists other files than are described.'];
}

/** All files but those that hold the hashes of the others. */
function payload(files: Map<string, Buffer>): string[] {
  const own: string[] = [FILE.metadata, FILE.manifest, FILE.root];
  return [...files.keys()].filter((path) => !own.includes(path));
}
