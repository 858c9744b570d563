type Pair = [sentence: string, quote: string];

const MARGINS = 'Product | Margin (%) | Volume\nProduct A | 12 | 300\nProduct B | 9 | 120';
const REGIONS = '地区 | 营收 | 成本\n华东 | 50 | 35\n华南 | 40 | 30';

/** Sentences that are their quote's but for one thing, by which they say something else. */
export const OTHERWISE: Record<string, Pair[]> = {
  'a word of a series': [
    ['The seller bears the cost of shipping.', 'The buyer bears the cost of shipping.'],
    ['Rent is due monthly.', 'Rent is due quarterly.'],
    ['It opened in spring 2018.', 'It opened in autumn 2018.'],
    ['The median income was 40,000 dollars.', 'The mean income was 40,000 dollars.'],
    ['Net profit was 3 million euros.', 'Gross profit was 3 million euros.'],
    ['The vaccine prevented infection in humans.', 'The vaccine prevented infection in mice.'],
    ['The tenant must repaint the walls.', 'The tenant may repaint the walls.'],
    ['Exactly 500 people came.', 'About 500 people came.'],
    ['由甲方承担运费。', '由乙方承担运费。'],
    ['公司成立于2018年上半年。', '公司成立于2018年下半年。'],
    ['患者左腿骨折。', '患者右腿骨折。'],
    ['饭前服用该药。', '饭后服用该药。'],
  ],
  'an opposite': [
    ['The gene is activated by heat.', 'The gene is repressed by heat.'],
    ['Enable the flag before the upgrade.', 'Disable the flag before the upgrade.'],
    ['The tumour was malignant.', 'The tumour was benign.'],
    ['The bank bought the shares.', 'The bank sold the shares.'],
    ['The offer excludes VAT.', 'The offer includes VAT.'],
  ],
  'a prefix': [
    ['The substance is soluble in water.', 'The substance is insoluble in water.'],
    ['The clause is legal.', 'The clause is illegal.'],
    ['The part is flammable.', 'The part is non-flammable.'],
    ['The data were encrypted.', 'The data were unencrypted.'],
    ['The committee agreed.', 'The committee disagreed.'],
    ['The tank was overfilled.', 'The tank was underfilled.'],
  ],
  'what limits the quote': [
    ['The drug cures the disease.', 'The drug might cure the disease.'],
    ['He committed the murder.', 'He allegedly committed the murder.'],
    ['The company closed the plant.', 'The company plans to close the plant.'],
    ['The vote was unanimous.', 'The vote was nearly unanimous.'],
    ['The seller may cancel.', 'The seller may cancel if payment is late.'],
    ['The warranty covers water damage.', 'The warranty covers water damage only if the seal is intact.'],
    ['该药会导致肝损伤。', '该药可能会导致肝损伤。'],
    ['承租人可转租。', '经出租人同意，承租人可转租。'],
  ],
  'two exchanged words': [
    ['Germany beat Brazil in the final.', 'Brazil beat Germany in the final.'],
    ['Group 1 outperformed group 2.', 'Group 2 outperformed group 1.'],
    [
      'Group A received the drug and group B received the placebo.',
      'Group A received the placebo and group B received the drug.',
    ],
    ['She was born in Rome and died in Paris.', 'She was born in Paris and died in Rome.'],
  ],
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

/** Sentences that say what their quote says, though such words differ. */
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
