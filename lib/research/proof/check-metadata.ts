import { digest } from './digest.ts';
import { json, sorted } from './make-proof.ts';
import { CRATE, type Entity, metadataOf } from './metadata.ts';
import { type ProofCheck, type ProofContents, result } from './proof-check.ts';
import { FILE, type ProofQuote } from './schema.ts';

/** Checks that the metadata is JSON-LD of an RO-Crate, and describes these files. */
export function checkMetadata({ files, report, quotes }: ProofContents, metadata: unknown): ProofCheck {
  const about = {
    passed: `${FILE.metadata} describes these files as an RO-Crate, and there are no other files.`,
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
    ...otherFiles(files, quotes),
    ...(isAsWritten({ files, report, quotes }, entities)
      ? []
      : [`${FILE.metadata} says more, less, or something else than the report.`]),
    ...payload(files).flatMap((path) => (entities.has(path) ? [] : [`${path} isn't described.`])),
  ];
  return result('metadata', about, problems);
}

/** Writes the metadata again, with what only they say of the run: its times, model, and release. */
function isAsWritten({ files, report, quotes }: ProofContents, entities: Map<string, Entity>): boolean {
  const { runId: id, ...said } = report;
  const started = entities.get('#run');
  const run = {
    ...{ id, createdAt: textOf(started?.startTime), model: textOf(entities.get('#model')?.name) },
    finishedAt: started?.endTime === undefined ? null : textOf(started.endTime),
  };
  const version = textOf(entities.get('#service')?.version);
  const described = sorted(files).filter(
    ([path]) => !([FILE.metadata, FILE.manifest, FILE.root] as string[]).includes(path),
  );
  const written = metadataOf({ run, version, report: said }, quotes, new Map(described));
  return files.get(FILE.metadata)?.equals(json(written)) === true;
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
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

/** A receiver may open what is next to a report, so a proof has only the files that it is made of. */
function otherFiles(files: Map<string, Buffer>, quotes: ProofQuote[]): string[] {
  const own = new Set<string>([
    ...Object.values(FILE),
    ...quotes.flatMap(({ extract }) => extract?.file ?? []),
  ]);
  return [...files.keys()].filter((path) => !own.has(path)).map((path) => `${path} is no file of a proof.`);
}

/** All files but those that hold the hashes of the others. */
function payload(files: Map<string, Buffer>): string[] {
  const own: string[] = [FILE.metadata, FILE.manifest, FILE.root];
  return [...files.keys()].filter((path) => !own.includes(path));
}
