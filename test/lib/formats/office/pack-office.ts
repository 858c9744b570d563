import { decoders } from '../../../../lib/formats/all-decoders.ts';
import { formatOf, type NameOf } from '../../../../lib/formats/all-formats.ts';
import type { Decoded } from '../../../../lib/formats/format.ts';
import { packZip } from '../../../support/samples/zip.ts';

/** The parts of an Office document: XML, and the relationships of one by ID, with type and target. */
export interface OfficePart {
  xml: string;
  links?: Record<string, [type: string, target: string]>;
}

/** Packs an Office document whose main part is `main.xml`; all parts are in one folder. */
export function packOffice(parts: Record<string, OfficePart>): Buffer {
  const entries: Record<string, string> = {
    '_rels/.rels': relationships({ r: ['officeDocument', 'main.xml'] }),
  };
  for (const [name, { xml, links }] of Object.entries(parts)) {
    entries[name] = xml;
    if (links !== undefined) entries[`_rels/${name}.rels`] = relationships(links);
  }
  return packZip(entries);
}

function relationships(links: NonNullable<OfficePart['links']>): string {
  const each = Object.entries(links).map(
    ([id, [type, target]]) => `<Relationship Id="${id}" Type="x/${type}" Target="${target}"/>`,
  );
  return `<Relationships>${each.join('')}</Relationships>`;
}

export function decodeAs(path: string, bytes: Uint8Array | string): Promise<Decoded> {
  return decoders[formatOf(path)?.name as NameOf<'encoded'>](Buffer.from(bytes));
}

const point = (index: number, text: string) => `<c:pt idx="${index}"><c:v>${text}</c:v></c:pt>`;

/** A chart as PowerPoint writes it, with a share as its value. */
export const CHART = `<c:chartSpace><c:chart>
  <c:title><c:tx><c:rich><a:p><a:r><a:t>Revenue </a:t></a:r><a:r><a:t>by metal</a:t></a:r></a:p></c:rich></c:tx></c:title>
  <c:plotArea><c:barChart>
    <c:ser><c:tx><c:strRef><c:f>S!B1</c:f><c:strCache>${point(0, 'Share')}</c:strCache></c:strRef></c:tx>
      <c:cat><c:strRef><c:strCache>${point(0, 'Zinc')}${point(1, 'Osmium')}</c:strCache></c:strRef></c:cat>
      <c:val><c:numRef><c:numCache><c:formatCode>0.0%</c:formatCode>${point(0, '0.125')}${point(1, '0.5')}</c:numCache></c:numRef></c:val></c:ser>
    <c:ser><c:tx><c:v>Tons</c:v></c:tx><c:val><c:numRef><c:numCache><c:formatCode>General</c:formatCode>${point(1, '7')}</c:numCache></c:numRef></c:val></c:ser>
  </c:barChart><c:valAx><c:title><c:tx><c:rich><a:p><a:r><a:t>Tons per year</a:t></a:r></a:p></c:rich></c:tx></c:title></c:valAx></c:plotArea>
</c:chart></c:chartSpace>`;

export const CHART_LINES = `Chart: Revenue by metal
Tons per year
| Share | Tons
Zinc | 0.125 (12.5%)
Osmium | 0.5 (50.0%) | 7`;
