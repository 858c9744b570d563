/**
 * The answers and reports of the example workspace, one per language. `[[key]]` cites a passage of `QUOTES`. `npm run
 * example` numbers the citations and locates each passage in its file, and fails if one is missing.
 */
export const QUOTES = {
  trees: [
    'papers/2021-street-trees.pdf',
    'Air under a closed canopy was 2.4 °C cooler than air over open asphalt at 15:00.',
  ],
  cover: [
    'papers/2021-street-trees.pdf',
    'Below 40 percent canopy cover the difference to open asphalt was less than 0.5 °C.',
  ],
  night: [
    'papers/2021-street-trees.pdf',
    'at 23:00 the tree-lined streets were no cooler than the open ones',
  ],
  years: ['papers/2021-street-trees.pdf', 'A new lime tree takes about 15 years to reach a crown of 6 m.'],
  roofs: [
    'papers/2022-pale-roofs.pdf',
    'the pale roof was 19 °C cooler than the dark roof, and the classroom below it was 1.8 °C cooler',
  ],
  roofstreet: ['papers/2022-pale-roofs.pdf', 'Street-level air temperature did not change measurably.'],
  roofage: [
    'papers/2022-pale-roofs.pdf',
    'A patch that was painted on the gymnasium in 2020 shows how it ages: it had lost a fifth of its reflectance after two winters, mostly to moss and dust.',
  ],
  wind: [
    'papers/2022-night-wind.pdf',
    'The wind starts about two hours after sunset and follows the river. On clear nights it lowered the air temperature by 1.6 °C within 200 m of the water.',
  ],
  warehouses: [
    'papers/2022-night-wind.pdf',
    'Behind the warehouses, in Market Square, the wind was not found on any of 17 clear nights.',
  ],
  yardexpected: [
    'papers/2022-night-wind.pdf',
    'Two of the warehouses are empty. If the town replaced one of them with an open yard, the river wind could reach Market Square. We expect a nightly effect between 0.5 and 1 °C there, as at the weighbridge, but we have not modelled it.',
  ],
  nozzles: ['papers/2023-misting.pdf', 'Two bus stops got mist nozzles for two weeks in July 2023.'],
  mist: ['papers/2023-misting.pdf', 'The effect on air temperature ended within 3 m of the nozzles.'],
  water: ['papers/2023-misting.pdf', 'Each stop used 310 litres of water per day.'],
  yard: [
    'papers/2023-school-yard.html',
    'Air temperature over the yard fell by 0.7 °C, measured at the height of a child.',
  ],
  rain: [
    'papers/2023-school-yard.html',
    'The yard now holds 70 percent of the rain of a heavy shower. Before, all of it ran into the sewer.',
  ],
  avoid: ['papers/2024-residents.md', 'Of 212 residents, 141 avoid the main street after midday in July.'],
  wishes: [
    'papers/2024-residents.md',
    '128 residents asked for trees, 47 for roofs at bus stops, and 19 for\ndrinking fountains.',
  ],
  walk: ['papers/2023-树荫与步行.md', '有连续树荫的路段，下午的行人比没有树荫的路段多 38%。'],
  gap: ['papers/2023-树荫与步行.md', '树荫中断超过 30 米时，行人会换到马路对面，或者改走河边小路。'],
  pavement: ['papers/2024-浅色路面.html', '正午时，浅色路面比深色沥青低 8.5 °C。'],
  glare: ['papers/2024-浅色路面.html', '在 96 名受访行人中，有 41 人觉得反射的阳光更刺眼。'],
  hottest: ['data/air-temperature.csv', '2021-07-16,15:00,0,Market Square,35.4'],
} as const satisfies Record<string, readonly [path: string, quote: string]>;
export type QuoteKey = keyof typeof QUOTES;

/** Sources as a report names them, by the papers' own titles. */
export const SOURCES: Record<string, { title: string; authors?: string[]; year?: string }> = {
  'papers/2021-street-trees.pdf': {
    ...{ title: 'Street trees and afternoon air temperature in Fernbrook', year: '2021' },
    authors: ['A. Moreau', 'T. Lindqvist'],
  },
  'papers/2022-pale-roofs.pdf': {
    ...{ title: 'Pale roofs on two school buildings', year: '2022' },
    authors: ['R. Okafor', 'L. Brandt'],
  },
  'papers/2022-night-wind.pdf': {
    ...{ title: 'Night wind along the river path', year: '2022' },
    authors: ['S. Haddad', 'A. Moreau'],
  },
  'papers/2023-misting.pdf': {
    ...{ title: 'Misting at bus stops: a two-week trial', year: '2023' },
    authors: ['L. Brandt', 'P. Vega'],
  },
  'papers/2023-school-yard.html': {
    ...{ title: 'A school yard without asphalt', year: '2023' },
    authors: ['P. Vega', 'R. Okafor'],
  },
  'papers/2024-residents.md': {
    ...{ title: 'Hot days in Fernbrook: what residents say', year: '2024' },
    authors: ['T. Lindqvist', 'S. Haddad'],
  },
  'papers/2023-树荫与步行.md': {
    title: '树荫与步行：芬布鲁克的一次计数',
    authors: ['林悦', 'T. Lindqvist'],
    year: '2023',
  },
  'papers/2024-浅色路面.html': { title: '浅色路面的一个夏天', authors: ['林悦', 'P. Vega'], year: '2024' },
  'data/air-temperature.csv': { title: 'air-temperature.csv' },
};

export interface ExampleTexts {
  /** The name of the workspace and of its folder in the first root. */
  name: string;
  folder: string;
  turns: { question: string; answer: string }[];
  report: {
    question: string;
    summary: string[];
    sections: { question: string; answeredBy: string; paragraphs: string[][] }[];
    about: { heading: string; sentences: string[] };
    open: string[];
  };
}

const WRITTEN = '*Written for this example: no model was asked.*';
const WRITTEN_ZH = '*为此示例编写，未调用任何模型。*';

export const TEXTS: Record<'en' | 'zh-CN', ExampleTexts> = {
  en: {
    name: 'Example: summer heat',
    folder: 'example',
    turns: [
      {
        question: 'What cools a street in the afternoon, and by how much?',
        answer: `Air under a closed canopy was 2.4 °C cooler than air over open asphalt at 15:00 [[trees]]. Below 40 percent canopy cover, the difference to open asphalt was less than 0.5 °C [[cover]]. Sections with continuous shade had 38% more pedestrians in the afternoon than sections without [[walk]].

Other measures:

- **A school yard:** air temperature over the yard fell by 0.7 °C [[yard]].
- **Pale asphalt** was 8.5 °C cooler than dark asphalt at noon [[pavement]]. Of 96 pedestrians, 41 found the reflected light more glaring [[glare]].
- **Mist:** two bus stops got mist nozzles for two weeks in July 2023 [[nozzles]]. The effect on air temperature ended within 3 m of the nozzles [[mist]].
- **A pale roof** was 19 °C cooler than the dark roof, and the classroom below it was 1.8 °C cooler [[roofs]]. Street-level air temperature did not change measurably [[roofstreet]].

The table has 35.4 for Market Square on 16 July 2021 at 15:00 [[hottest]].

${WRITTEN}`,
      },
      {
        question: 'Does any of it help at night?',
        answer: `At 23:00, the tree-lined streets were no cooler than the open ones [[night]].

On clear nights, the river wind lowered the air temperature by 1.6 °C within 200 m of the water [[wind]]. Behind the warehouses, in Market Square, the wind was not found on any of 17 clear nights [[warehouses]].

${WRITTEN}`,
      },
    ],
    report: {
      question: 'Which measures against summer heat should Fernbrook try first?',
      summary: [
        'At 15:00, air under a closed canopy was 2.4 °C cooler than air over open asphalt [[trees]].',
        'Of 212 residents, 141 avoid the main street after midday in July [[avoid]].',
        'At 23:00, the tree-lined streets were no cooler than the open ones [[night]].',
      ],
      sections: [
        {
          question: 'What cools streets by day?',
          answeredBy: 'Measured differences in air temperature, and how people react.',
          paragraphs: [
            [
              'Below 40 percent canopy cover, the difference to open asphalt was less than 0.5 °C [[cover]].',
              'Sections with continuous shade had 38% more pedestrians in the afternoon than sections without [[walk]].',
              'A new lime tree takes about 15 years to reach a crown of 6 m [[years]].',
            ],
            [
              'At noon, pale asphalt was 8.5 °C cooler than dark asphalt [[pavement]].',
              'Of 96 pedestrians, 41 found the reflected light more glaring [[glare]].',
              'Two bus stops got mist nozzles for two weeks in July 2023 [[nozzles]].',
              'The effect on air temperature ended within 3 m of the nozzles [[mist]].',
              'Each stop used 310 litres of water per day [[water]].',
            ],
          ],
        },
        {
          question: 'What helps in and around buildings?',
          answeredBy: 'Measurements at the school.',
          paragraphs: [
            [
              'The pale roof was 19 °C cooler than the dark roof, and the classroom below it was 1.8 °C cooler [[roofs]].',
              'A patch that was painted on the gymnasium in 2020 had lost a fifth of its reflectance after two winters [[roofage]].',
              'Air temperature over the school yard fell by 0.7 °C [[yard]].',
              'The yard now holds 70 percent of the rain of a heavy shower [[rain]].',
            ],
          ],
        },
        {
          question: 'What helps at night?',
          answeredBy: 'Measurements after sunset.',
          paragraphs: [
            [
              'On clear nights, the river wind lowered the air temperature by 1.6 °C within 200 m of the water [[wind]].',
              'Behind the warehouses, in Market Square, the wind was not found on any of 17 clear nights [[warehouses]].',
              'If the town replaced one of the warehouses with an open yard, a nightly effect between 0.5 and 1 °C is expected there, but it was not modelled [[yardexpected]].',
            ],
          ],
        },
      ],
      about: {
        heading: 'About this report',
        sentences: [
          'It was written for this example: no model was asked.',
          'The town, the people, and the figures are invented.',
        ],
      },
      open: [
        'Where between 40 and 80 percent canopy cover does the cooling begin?',
        'Do tree crowns slow the river wind?',
      ],
    },
  },
  'zh-CN': {
    name: '示例：夏季高温',
    folder: 'example-zh',
    turns: [
      {
        question: '什么措施能让街道在下午降温？降多少？',
        answer: `15:00 时，封闭树冠下的气温比开阔沥青路面上低 2.4 °C [[trees]]。树冠覆盖率低于 40% 时，与开阔沥青路面的差别小于 0.5 °C [[cover]]。有连续树荫的路段，下午的行人比没有树荫的路段多 38% [[walk]]。

其他措施：

- **校园。** 校园上方的气温下降了 0.7 °C [[yard]]。
- **浅色路面。** 正午时，浅色路面比深色沥青低 8.5 °C [[pavement]]。96 名行人中有 41 人觉得反射的阳光更刺眼 [[glare]]。
- **喷雾。** 2023 年 7 月，两个公交车站装了两周喷雾嘴 [[nozzles]]。它对气温的影响在距喷嘴 3 m 之内就消失了 [[mist]]。
- **浅色屋顶。** 浅色屋顶比深色屋顶低 19 °C，其下的教室低 1.8 °C [[roofs]]。街道的气温没有可测的变化 [[roofstreet]]。

${WRITTEN_ZH}`,
      },
      {
        question: '这些措施在夜间有用吗？',
        answer: `23:00 时，有树的街道并不比开阔的街道凉快 [[night]]。

晴朗的夜晚，在离水 200 m 之内，河风使气温下降 1.6 °C [[wind]]。在 17 个晴朗的夜晚，仓库后面都没有测到风 [[warehouses]]。

${WRITTEN_ZH}`,
      },
    ],
    report: {
      question: '为应对夏季高温，小镇应当先尝试哪些措施？',
      summary: [
        '15:00 时，封闭树冠下的气温比开阔沥青路面上低 2.4 °C [[trees]]。',
        '在 212 名居民中，有 141 人在 7 月份的午后避开主街 [[avoid]]。',
        '23:00 时，有树的街道并不比开阔的街道凉快 [[night]]。',
      ],
      sections: [
        {
          question: '什么措施能让街道在白天降温？',
          answeredBy: '测得的气温差别，以及行人的反应。',
          paragraphs: [
            [
              '树冠覆盖率低于 40% 时，与开阔沥青路面的差别小于 0.5 °C [[cover]]。',
              '有连续树荫的路段，下午的行人比没有树荫的路段多 38% [[walk]]。',
              '树荫中断超过 30 米时，行人会换到马路对面 [[gap]]。',
            ],
            [
              '正午时，浅色路面比深色沥青低 8.5 °C [[pavement]]。',
              '96 名行人中，有 41 人觉得反射的阳光更刺眼 [[glare]]。',
              '2023 年 7 月，两个公交车站装了两周喷雾嘴 [[nozzles]]。',
              '对气温的影响在距喷嘴 3 m 之内就消失了 [[mist]]。',
              '每个车站每天用水 310 升 [[water]]。',
            ],
          ],
        },
        {
          question: '什么措施对建筑物内外有帮助？',
          answeredBy: '在学校的测量。',
          paragraphs: [
            [
              '浅色屋顶比深色屋顶低 19 °C，其下的教室低 1.8 °C [[roofs]]。',
              '校园上方的气温下降了 0.7 °C [[yard]]。',
              '校园现在能留住一场大雨中 70% 的雨水 [[rain]]。',
            ],
          ],
        },
        {
          question: '什么措施在夜间有帮助？',
          answeredBy: '日落之后的测量。',
          paragraphs: [
            [
              '晴朗的夜晚，在离水 200 m 之内，河风使气温下降 1.6 °C [[wind]]。',
              '在 17 个晴朗的夜晚，仓库后面都没有测到风 [[warehouses]]。',
            ],
          ],
        },
      ],
      about: {
        heading: '关于这份报告',
        sentences: ['它为此示例编写，未调用任何模型。', '城镇、人物和数字均为虚构。'],
      },
      open: ['树冠覆盖率在 40% 与 80% 之间的哪一点开始降温？', '树冠会减弱河风吗？'],
    },
  },
};
