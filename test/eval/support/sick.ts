import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

type SickLabel = 'ENTAILMENT' | 'CONTRADICTION' | 'NEUTRAL';

/** A pair of SICK, with the label of the second sentence, given the first. */
export interface SickPair {
  premise: string;
  sentence: string;
  label: SickLabel;
}

/** Reads `SICK.txt` of a copy of `praguna/sick_dataset`. */
export async function readSick(folder: string): Promise<SickPair[]> {
  const [, ...lines] = (await readFile(join(folder, 'SICK.txt'), 'utf8')).split('\n');
  return lines.flatMap((line) => {
    const [, premise, sentence, , label = ''] = line.split('\t');
    if (premise === undefined || sentence === undefined) return [];
    return [{ premise, sentence, label: label.trim() as SickLabel }];
  });
}
