type Pair = [sentence: string, quote: string];

const MARGINS = 'Product | Margin (%) | Volume\nProduct A | 12 | 300\nProduct B | 9 | 120';
const REGIONS = '地区 | 营收 | 成本\n华东 | 50 | 35\n华南 | 40 | 30';

/** Sentences that differ from their quote in one word, which changes the meaning. */
export const OTHERWISE: Record<string, Pair[]> = {
  'an end of a range': [
    ['The dose is 10 mg.', 'The dose is 5 to 10 mg.'],
    ['Keep the culture at 37 °C.', 'Keep the culture at 30–37 °C.'],
    ['The project takes three weeks.', 'The project takes two to three weeks.'],
  ],
  'another cell of a table': [
    ['Product B had a margin of 12.', MARGINS],
    ['Product A had a volume of 12.', MARGINS],
    ['华东地区营收为35。', REGIONS],
    ['华南地区营收为50。', REGIONS],
  ],
};

/** Sentences that mean the same as their quote, although such words differ. */
export const LIKEWISE: Pair[] = [
  ['The part is not flammable.', 'The part is non-flammable.'],
  ['The samples were not contaminated.', 'The samples were uncontaminated.'],
  ['The unit is inactive.', 'The unit is not active.'],
  ['The tumour is benign.', 'The tumour is not malignant.'],
  ['The valuable ring was lost.', 'The invaluable ring was lost.'],
  ['Both the buyer and the seller sign the contract.', 'The contract is signed by the seller and the buyer.'],
  ['Heydarov speaks Russian, English, and Turkish.', 'Heydarov speaks Turkish, English, and Russian.'],
  ['Smith and Jones met in Rome.', 'Jones and Smith met in Rome.'],
  ['原告与被告达成和解。', '被告与原告达成和解。'],
  ['The drug may lower blood pressure.', 'The drug can lower blood pressure.'],
  ['If it rains, the match is cancelled.', 'The match is cancelled if it rains.'],
  ['The dose is up to 10 mg.', 'The dose is 5 to 10 mg.'],
  ['It opened to the public in 2018.', 'It opened to the public in May 2018.'],
  ['Sales fell by 12 % in 2023.', 'Sales fell by 12 % in 2023 to 4.1 million euros.'],
  ['There were 300 units of Product 7.', 'Name | Margin | Units\nProduct 7 | 12 | 300\nProduct 9 | 9 | 120'],
  ['It rose to 10 percent.', 'It rose from 5 to 10 percent.'],
  ['Product A had a margin of 12 percent.', MARGINS],
  ['The margin of Product A was 12 percent at a volume of 300.', MARGINS],
  ['华南地区的营收为40。', REGIONS],
];
