/**
 * A draft about one file of the repository. Each sentence is true, and paraphrases the file if that is
 * natural.
 */
export interface Draft {
  source: string;
  sentences: string[];
}

const PAPERS = 'infra/example/files/papers';

export const DRAFTS: Draft[] = [
  {
    source: `${PAPERS}/2021-street-trees.pdf`,
    sentences: [
      'At 15:00, the air under a closed canopy was 2.4 °C cooler than the air over open asphalt.',
      'The measurements come from five streets on five clear days in July 2021.',
      'Fernbrook has 9,400 residents and no weather station of its own.',
      'The main street was widened in 1974, when its lime trees were felled.',
      'The sensors differed by at most 0.2 °C when they were compared side by side.',
      'Station Road has a canopy of 35 percent, from 22 young maples.',
      'Below 40 percent canopy cover, the difference to open asphalt was less than 0.5 °C.',
      'A new lime tree takes about 15 years to reach a crown of 6 m.',
      'At 23:00, the tree-lined streets were no cooler than the open ones.',
    ],
  },
  {
    source: `${PAPERS}/2022-night-wind.pdf`,
    sentences: [
      'On clear nights, the wind lowered the air temperature by 1.6 °C within 200 m of the water.',
      'The wind starts about two hours after sunset and follows the river.',
      'The warehouses on Quay Street form a closed row of 180 m.',
      'In Market Square, the wind was not found on any of 17 clear nights.',
      'Sensors in the line of the gap were 0.9 °C cooler than their neighbours.',
      'The cool air was followed with 14 sensors in August 2022.',
      'New buildings on the riverside should leave gaps of at least 12 m.',
    ],
  },
  {
    source: `${PAPERS}/2022-pale-roofs.pdf`,
    sentences: [
      'One of two equal school buildings got a pale roof coating in May 2022.',
      'At noon in June, the pale roof was 19 °C cooler than the dark one.',
      'The classroom under the pale roof exceeded 28 °C on 4 school days, the one under the dark roof on 11.',
      'The coating cost 14 euros per square metre.',
      'A patch on the gymnasium had lost a fifth of its reflectance after two winters.',
      'The buildings of Fernbrook School have flat roofs of 640 m² each.',
      'The air temperature at street level did not change measurably.',
    ],
  },
  {
    source: `${PAPERS}/2023-misting.pdf`,
    sentences: [
      'Two bus stops got mist nozzles for two weeks in July 2023.',
      'The nozzles ran from 12:00 to 18:00 when the air was above 30 °C.',
      'The authors asked 388 waiting passengers.',
      'Passengers rated the stops with mist 1.1 points cooler on a scale of seven points.',
      'Each stop used 310 litres of water per day.',
      'The effect on air temperature ended within 3 m of the nozzles.',
      'The nozzles were mounted at the stops Market Square and Station.',
      'The authors do not recommend permanent misting.',
    ],
  },
  {
    source: `${PAPERS}/2023-school-yard.html`,
    sentences: [
      'In spring 2023, Fernbrook School replaced a third of the asphalt of its yard.',
      'The material cost 21,000 euros.',
      'At 16:00 on hot days, the new surface was 11 °C cooler than the asphalt.',
      'Air temperature over the yard fell by 0.7 °C.',
      'The yard now holds 70 percent of the rain of a heavy shower.',
      'The yard got grass, gravel, and 9 field maples.',
    ],
  },
  {
    source: `${PAPERS}/2024-residents.md`,
    sentences: [
      'In September 2023, 212 residents answered a letter about the summer.',
      'They are older than the town as a whole, and 61 percent are over 60.',
      'Of the 212 residents, 141 avoid the main street after midday in July.',
      '128 residents asked for trees, and 47 for roofs at bus stops.',
      'A third of the residents sleep badly when the night stays above 20 °C.',
      'Most of those who sleep badly live around Market Square.',
    ],
  },
  {
    source: 'infra/example/files/notes/reading-notes.md',
    sentences: [
      'The night wind paper of 2022 is the only paper about nights.',
      'Mostly older people answered the survey of residents of 2024.',
      'A gap of 30 m in the shade is too long.',
      'The school yard of 2023 was cheap because parents worked.',
      'People like the mist of 2023, but sensors hardly see it.',
    ],
  },
  {
    source: `${PAPERS}/2023-树荫与步行.md`,
    sentences: [
      '2023 年 7 月，研究者在六个晴天统计了四个路段的行人。',
      '有连续树荫的路段，下午的行人多 38%。',
      '差别在 32 °C 以上的日子里最大。',
      '在 26 °C 以下的日子里，差别消失。',
      '树荫中断超过 30 米时，行人会换到马路对面。',
      '同样多的树，种成连续的树荫比分散种植更有用。',
    ],
  },
  {
    source: `${PAPERS}/2024-浅色路面.html`,
    sentences: [
      '2024 年 5 月，磨坊路一段 120 米长的路面改铺为浅色沥青。',
      '正午时，浅色路面比深色沥青低 8.5 °C。',
      '路面上方 1.5 米处的气温只低 0.3 °C。',
      '96 名受访行人中，有 41 人觉得反射的阳光更刺眼。',
      '有树荫的地方不需要浅色路面。',
    ],
  },
  {
    source: 'docs/zh-CN/quickstart.md',
    sentences: [
      '使用 Node 20 时，会输出十几条 EBADENGINE 警告。',
      '首次启动会先构建服务和控制台，大约需要一分钟。',
      '示例包含八篇短论文，另有一个对话和一份报告。',
      '操作系统需要 Linux 或 macOS。',
    ],
  },
];
