import { describeSource, publicationUrl, sourcesOf } from '../../api-contract/report-places.ts';
import { clean, webAddress } from '../result/lay-out.ts';
import { digest } from './digest.ts';
import { FILE, type ProofMaterial, type ProofQuote } from './schema.ts';

/** https://w3id.org/ro/crate/1.2 */
export const CRATE = 'https://w3id.org/ro/crate/1.2';

export type Entity = Record<string, unknown> & { '@id': string };

const DESCRIPTIONS: Record<string, { description: string; encodingFormat: string }> = {
  [FILE.text]: { description: 'Report with its quotes as footnotes.', encodingFormat: 'text/markdown' },
  [FILE.report]: {
    description: 'Sentences of the report, with their quotes and verdicts.',
    encodingFormat: 'application/json',
  },
  [FILE.quotes]: { description: 'Quotes, with their places and hashes.', encodingFormat: 'application/json' },
  [FILE.plan]: { description: 'Questions that the report answers.', encodingFormat: 'application/json' },
  [FILE.calls]: {
    description: 'Model calls, with hashes of requests and answers.',
    encodingFormat: 'application/json',
  },
};

type DescribedMaterial = Pick<ProofMaterial, 'run' | 'report' | 'version'>;

/** Returns the JSON-LD that describes the files of a proof as an RO-Crate, and the run that wrote the report. */
export function metadataOf(
  material: DescribedMaterial,
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
  const parts = [...files].filter(([path]) => path !== FILE.preview);
  const preview = files.get(FILE.preview);
  return {
    '@context': `${CRATE}/context`,
    '@graph': [
      {
        '@id': FILE.metadata,
        '@type': 'CreativeWork',
        name: 'Metadata of the proof',
        conformsTo: { '@id': CRATE },
        about: { '@id': './' },
      },
      rootOf(
        material,
        parts.map(([path]) => path),
      ),
      ...parts.map(([path, content]) => fileEntity(path, content)),
      ...(preview ? [previewEntity(preview)] : []),
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

function rootOf({ report }: DescribedMaterial, paths: string[]): Entity {
  return {
    '@id': './',
    '@type': 'Dataset',
    name: report.title.trim() || 'Report',
    description: `A research report on the question "${report.question}", with the quotes that its sentences cite.`,
    datePublished: report.createdAt.slice(0, 10),
    inLanguage: report.language,
    license: { '@id': '#rights' },
    mainEntity: { '@id': FILE.text },
    hasPart: paths.map((path) => ({ '@id': path })),
    mentions: { '@id': '#run' },
  };
}

function fileEntity(path: string, content: Buffer): Entity {
  const { description, encodingFormat } = DESCRIPTIONS[path] ?? {
    description: 'Passage around a quote.',
    encodingFormat: 'text/plain',
  };
  return {
    '@id': path,
    '@type': 'File',
    ...{ name: path, description, encodingFormat },
    ...{ contentSize: `${content.length}`, sha256: digest(content) },
  };
}

/** The website of a crate is none of its data. */
function previewEntity(content: Buffer): Entity {
  return {
    ...{ '@id': FILE.preview, '@type': 'CreativeWork', name: 'List of the files', about: { '@id': './' } },
    ...{ encodingFormat: 'text/html', contentSize: `${content.length}`, sha256: digest(content) },
  };
}

/**
 * The caller isn't named: a proof is for other people. A `SoftwareApplication` must have a URL, which neither the service nor the
 * model is known to have.
 */
function runEntities({ run, version }: DescribedMaterial, sources: Entity[]): Entity[] {
  return [
    {
      '@id': '#run',
      '@type': 'CreateAction',
      name: 'Research run',
      identifier: run.id,
      startTime: run.createdAt,
      ...(run.finishedAt && { endTime: run.finishedAt }),
      agent: { '@id': '#service' },
      instrument: [{ '@id': '#service' }, { '@id': '#model' }],
      object: sources.map((source) => ({ '@id': source['@id'] })),
      result: [{ '@id': FILE.text }, { '@id': FILE.report }],
    },
    {
      '@id': '#service',
      '@type': 'Service',
      name: 'Workspace Research Service',
      version,
    },
    { '@id': '#model', '@type': 'Service', name: run.model },
  ];
}
