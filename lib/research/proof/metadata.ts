import { describeSource, publicationUrl, sourcesOf } from '../../api-contract/report-places.ts';
import { clean, webAddress } from '../result/lay-out.ts';
import { digest } from './digest.ts';
import type { ProofMaterial } from './material.ts';
import { FILE, type ProofQuote } from './schema.ts';

/** https://w3id.org/ro/crate/1.2 */
export const CRATE = 'https://w3id.org/ro/crate/1.2';

export type Entity = Record<string, unknown> & { '@id': string };

const DESCRIPTIONS: Record<string, { name: string; encodingFormat: string }> = {
  [FILE.text]: { name: 'Report with its quotes as footnotes', encodingFormat: 'text/markdown' },
  [FILE.report]: {
    name: 'Sentences of the report, with their quotes and verdicts',
    encodingFormat: 'application/json',
  },
  [FILE.quotes]: { name: 'Quotes, with their places and hashes', encodingFormat: 'application/json' },
  [FILE.plan]: { name: 'Questions that the report answers', encodingFormat: 'application/json' },
  [FILE.calls]: {
    name: 'Model calls, with hashes of requests and answers',
    encodingFormat: 'application/json',
  },
  [FILE.preview]: { name: 'List of the files', encodingFormat: 'text/html' },
};

/** Returns the JSON-LD that describes the files of a proof as an RO-Crate, and the run that wrote the report. */
export function metadataOf(
  material: ProofMaterial,
  quotes: ProofQuote[],
  files: Map<string, Buffer>,
): { '@context': string; '@graph': Entity[] } {
  const sources = sourcesOf(clean(quotes).filter(({ footnote }) => footnote !== null));
  const sourceEntities = sources.map(({ path, source, first }, at): Entity => {
    const { license, authors = [], publishedDate, year } = source;
    const url = publicationUrl(source) ?? webAddress(source.url);
    return {
      '@id': `#source-${at + 1}`,
      '@type': 'CreativeWork',
      name: describeSource(source, path),
      alternateName: path,
      ...(authors.length > 0 && { creditText: authors.join('; ') }),
      ...((publishedDate ?? year) && { datePublished: `${publishedDate ?? year}` }),
      ...(url && { url }),
      ...(license && { license }),
      ...(first.fileSha256 && { sha256: first.fileSha256 }),
    };
  });
  return {
    '@context': `${CRATE}/context`,
    '@graph': [
      {
        '@id': FILE.metadata,
        '@type': 'CreativeWork',
        conformsTo: { '@id': CRATE },
        about: { '@id': './' },
      },
      rootOf(material, [...files.keys()]),
      ...[...files].map(([path, content]) => fileEntity(path, content)),
      ...runEntities(material, sourceEntities),
      ...sourceEntities,
      {
        '@id': '#rights',
        '@type': 'CreativeWork',
        name: 'Rights',
        description:
          'Quotes and the passages around them belong to the holders of the rights of their sources. They are included as quotations, so that the report can be checked.',
      },
    ],
  };
}

function rootOf({ run, report }: ProofMaterial, paths: string[]): Entity {
  return {
    '@id': './',
    '@type': 'Dataset',
    name: report.title.trim() || 'Report',
    description: `A research report on the question "${report.question}", with the quotes that its sentences cite.`,
    datePublished: report.createdAt.slice(0, 10),
    inLanguage: report.language,
    identifier: run.id,
    license: { '@id': '#rights' },
    mainEntity: { '@id': FILE.text },
    hasPart: paths.map((path) => ({ '@id': path })),
    mentions: [{ '@id': '#run' }],
  };
}

function fileEntity(path: string, content: Buffer): Entity {
  const { name, encodingFormat } = DESCRIPTIONS[path] ?? {
    name: 'Passage around a quote',
    encodingFormat: 'text/plain',
  };
  return {
    '@id': path,
    '@type': 'File',
    ...{ name, encodingFormat, contentSize: `${content.length}`, sha256: digest(content) },
  };
}

/** The caller isn't named: a proof is for other people. */
function runEntities({ run, version }: ProofMaterial, sources: Entity[]): Entity[] {
  return [
    {
      '@id': '#run',
      '@type': 'CreateAction',
      name: 'Research run',
      identifier: run.id,
      startTime: run.createdAt,
      ...(run.finishedAt && { endTime: run.finishedAt }),
      actionStatus: { '@id': 'http://schema.org/CompletedActionStatus' },
      agent: { '@id': '#service' },
      instrument: [{ '@id': '#service' }, { '@id': '#model' }],
      object: sources.map((source) => ({ '@id': source['@id'] })),
      result: [{ '@id': FILE.text }, { '@id': FILE.report }],
    },
    {
      '@id': '#service',
      '@type': 'SoftwareApplication',
      name: 'Workspace Research Service',
      softwareVersion: version,
    },
    { '@id': '#model', '@type': 'SoftwareApplication', name: run.model },
  ];
}
