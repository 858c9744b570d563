/** A file with sentences that it says, and sentences with something invented, which the mark has to name. */
export interface MarkedSource {
  text: string;
  says: string[];
  invented: [sentence: string, ...named: string[]][];
}

/** Written without a look at the rules. Prose, lists, and tables, in English and Chinese. */
export const SOURCES: MarkedSource[] = [
  {
    text: '# Retrofits\n\nWe measured building retrofits in Osaka at 630 sites. The mean reduction was 2.5 °C.\n',
    says: [
      'Building retrofits in Osaka were measured at 630 sites.',
      'Retrofits at 630 sites in Osaka lowered the temperature by 2.5 °C on average.',
      'The mean reduction was 2.5 °C.',
    ],
    invented: [
      ['Building retrofits in Osaka were measured at 999 sites.', '999'],
      ['Retrofits in Kyoto were measured at 630 sites.', 'Kyoto'],
      ['The mean reduction was 3.5 °C.', '3.5'],
      ['In 2031, retrofits in Osaka were measured at 630 sites.', '2031'],
      ['The mean reduction was 2.5 percent.', '2.5'],
    ],
  },
  {
    text: '# Ferry\n\nThe ferry between Bergen and Stavanger carried 41,200 cars in 2023. It ran on electricity from 14 March on. A crossing takes 55 minutes.\n',
    says: [
      'In 2023, 41,200 cars took the ferry between Bergen and Stavanger.',
      'The ferry has run on electricity since 14 March.',
      'Crossing takes 55 minutes.',
    ],
    invented: [
      ['In 2023, 44,200 cars took the ferry between Bergen and Stavanger.', '44,200'],
      ['The ferry has run on electricity since 14 May.', '14 May'],
      ['A crossing takes 55 seconds.', '55'],
      ['The ferry between Bergen and Tromsø carried 41,200 cars.', 'Tromsø'],
    ],
  },
  {
    text: '## Staff\n\n- 12 nurses on the day shift\n- 5 nurses on the night shift\n- Dr. Amara Okafor leads the ward since 2019\n- the budget is 1.4 million euros\n',
    says: [
      'The night shift has 5 nurses.',
      'Dr. Amara Okafor has led the ward since 2019.',
      'The ward has a budget of 1.4 million euros.',
      'There are 12 nurses on the day shift and 5 on the night shift.',
    ],
    invented: [
      ['The night shift has 7 nurses.', '7'],
      ['Dr. Amara Okafor has led the ward since 2016.', '2016'],
      ['Dr. Lena Fischer has led the ward since 2019.', 'Fischer'],
      ['The ward has a budget of 1.4 billion euros.', '1.4'],
    ],
  },
  {
    text: '# Harbour\n\n| Year | Ships | Tonnes |\n|---|---|---|\n| 2020 | 812 | 45,100 |\n| 2021 | 779 | 43,900 |\n| 2022 | 901 | 51,300 |\n',
    says: [
      'In 2021, 779 ships came to the harbour.',
      'In 2022 the harbour had 901 ships.',
      'In 2020, 45,100 tonnes were moved.',
    ],
    invented: [
      ['In 2021, 777 ships came to the harbour.', '777'],
      ['In 2024 the harbour had 901 ships.', '2024'],
      ['In 2020, 54,100 tonnes were moved.', '54,100'],
    ],
  },
  {
    text: 'The glacier retreated by 38 metres between 2001 and 2015. Marta Nowak, who led the survey, expects a further loss of 12 metres by 2030.\n',
    says: [
      'Between 2001 and 2015, the glacier retreated by 38 metres.',
      'Marta Nowak led the survey.',
      'A further loss of 12 metres is expected by 2030.',
    ],
    invented: [
      ['Between 2001 and 2016, the glacier retreated by 38 metres.', '2016'],
      ['The glacier retreated by 38 kilometres between 2001 and 2015.', '38'],
      ['Jana Nowak led the survey.', 'Jana'],
      ['A further loss of 21 metres is expected by 2030.', '21'],
    ],
  },
  {
    text: '# API limits\n\nA request may hold up to 20 MB. Clients may send 600 requests per minute. A token expires after 90 days.\n',
    says: [
      'Requests can be up to 20 MB.',
      'Clients may send 600 requests per minute.',
      'Tokens expire after 90 days.',
    ],
    invented: [
      ['Requests can be up to 25 MB.', '25'],
      ['Clients may send 600 requests per hour.', '600'],
      ['Tokens expire after 90 minutes.', '90'],
      ['Requests can be up to 20 GB.', '20'],
    ],
  },
  {
    text: '# 调查\n\n我们在大阪的630个地点测量了建筑改造的效果。平均降温2.5摄氏度。\n',
    says: ['在大阪的630个地点测量了建筑改造。', '平均降温为2.5摄氏度。'],
    invented: [
      ['在大阪的999个地点测量了建筑改造。', '999'],
      ['平均降温为3.5摄氏度。', '3.5'],
      ['2031年在大阪的630个地点测量了建筑改造。', '2031'],
    ],
  },
  {
    text: '# 人员\n\n- 白班有12名护士\n- 夜班有5名护士\n- 预算为140万元\n- 病房自2019年起由陈思远负责\n',
    says: ['夜班有5名护士。', '预算为140万元。', '陈思远自2019年起负责病房。'],
    invented: [
      ['夜班有8名护士。', '8'],
      ['预算为140亿元。', '140'],
      ['陈思远自2016年起负责病房。', '2016'],
    ],
  },
  {
    text: '# 港口\n\n| 年份 | 船舶 | 吨位 |\n|---|---|---|\n| 2020 | 812 | 45100 |\n| 2021 | 779 | 43900 |\n',
    says: ['2021年港口有779艘船舶。', '2020年的吨位为45100。'],
    invented: [
      ['2021年港口有797艘船舶。', '797'],
      ['2024年港口有779艘船舶。', '2024'],
    ],
  },
  {
    text: 'Sleep was recorded in 84 adults (mean age 46.2 years). Snoring fell by a third after six weeks. No adverse events were seen.\n',
    says: [
      'Sleep was recorded in 84 adults with a mean age of 46.2 years.',
      'After six weeks, snoring fell by a third.',
      'No adverse events were seen.',
    ],
    invented: [
      ['Sleep was recorded in 48 adults.', '48'],
      ['After eight weeks, snoring fell by a third.', 'eight'],
      ['After six weeks, snoring fell by half.', 'half'],
      ['The mean age was 42.6 years.', '42.6'],
    ],
  },
  {
    text: '1. Install Node.js 24.\n2. Run the installer, which needs 3 GB of disk.\n3. Open http://localhost:3000 in Firefox or Chrome.\n',
    says: [
      'The installer needs 3 GB of disk.',
      'Node.js 24 has to be installed.',
      'It is opened in Firefox or Chrome.',
    ],
    invented: [
      ['The installer needs 3 TB of disk.', '3'],
      ['Node.js 22 has to be installed.', '22'],
      ['It is opened in Safari.', 'Safari'],
    ],
  },
  {
    text: '# Museum\n\nThe museum opened on 3 October 1987 and was rebuilt by the architect Kenji Sato. In its first year 250,000 people came. Entry costs $14; on Thursdays it is free.\n',
    says: [
      'The museum opened on 3 October 1987.',
      'It was rebuilt by the architect Kenji Sato.',
      'Entry costs $14 and is free on Thursdays.',
      'In its first year, the museum had 250,000 visitors.',
    ],
    invented: [
      ['The museum opened on 30 October 1987.', '30 October 1987'],
      ['It was rebuilt by the architect Tadao Ando.', 'Ando'],
      ['Entry costs €14.', '14'],
      ['Entry is free on Tuesdays.', 'Tuesday'],
      ['In its first year, the museum had 520,000 visitors.', '520,000'],
    ],
  },
  {
    text: '| Material | Strength (MPa) | Density (g/cm³) |\n|---|---|---|\n| Pine | 85 | 0.51 |\n| Oak | 97 | 0.74 |\n| Bamboo | 140 | 0.68 |\n',
    says: [
      'Oak has a strength of 97 MPa.',
      'The density of bamboo is 0.68 g/cm³.',
      'Pine has a strength of 85 MPa and a density of 0.51 g/cm³.',
    ],
    invented: [
      ['Oak has a strength of 79 MPa.', '79'],
      ['The density of bamboo is 0.86 g/cm³.', '0.86'],
      ['Oak has a strength of 97 GPa.', 'GPa'],
    ],
  },
  {
    text: 'In the second quarter of 2022 revenue was 18.4 million euros, up 7 % on the year. Costs were flat. Nordvind Energi bought the plant in Aalborg for 210 million kroner.\n',
    says: [
      'Revenue was 18.4 million euros in the second quarter of 2022.',
      'Revenue rose by 7 % on the year.',
      'Nordvind Energi bought the plant in Aalborg.',
    ],
    invented: [
      ['Revenue was 18.4 million euros in the third quarter of 2022.', 'third quarter'],
      ['Revenue rose by 17 % on the year.', '17'],
      ['Nordvind Energi bought the plant in Odense.', 'Odense'],
      ['Nordvind Energi bought the plant in Aalborg for 210 million euros.', '210'],
    ],
  },
  {
    text: 'The trial ran at Hospital Clínic in Barcelona. Of 310 patients, 154 received the drug and 156 a placebo. The dose was 5 mg twice a day.\n',
    says: [
      'The trial ran at Hospital Clínic in Barcelona with 310 patients.',
      '154 patients received the drug and 156 a placebo.',
      'Patients received 5 mg twice a day.',
    ],
    invented: [
      ['The trial ran in Madrid with 310 patients.', 'Madrid'],
      ['145 patients received the drug.', '145'],
      ['Patients received 5 g twice a day.', '5'],
    ],
  },
  {
    text: '* The kiln reaches 1,280 °C.\n* Firing takes 9 hours.\n* Glaze B holds 22 % iron oxide.\n* It was built by the Vega workshop in 2008.\n',
    says: [
      'The kiln reaches 1,280 °C.',
      'Firing takes 9 hours.',
      'Glaze B contains 22 % iron oxide.',
      'The Vega workshop built it in 2008.',
    ],
    invented: [
      ['The kiln reaches 1,820 °C.', '1,820'],
      ['Firing takes 9 days.', '9'],
      ['Glaze B contains 27 % iron oxide.', '27'],
      ['The Vega workshop built it in 2003.', '2003'],
    ],
  },
  {
    text: '# 试验\n\n该试验共纳入310名患者，其中154名服用药物。剂量为每天两次，每次5毫克。试验于2022年3月结束。\n',
    says: ['试验纳入了310名患者。', '154名患者服用药物。', '试验于2022年3月结束。'],
    invented: [
      ['试验纳入了130名患者。', '130'],
      ['每次剂量为5克。', '5'],
      ['试验于2022年5月结束。', '2022年5月'],
    ],
  },
  {
    text: '### Route\n\nThe trail is 74 km long and climbs 2,150 m. It starts in Ushguli. Two huts are open from June to September.\n',
    says: [
      'The trail is 74 km long and climbs 2,150 m.',
      'The trail starts in Ushguli.',
      'Two huts are open from June to September.',
    ],
    invented: [
      ['The trail is 47 km long.', '47'],
      ['The trail starts in Mestia.', 'Mestia'],
      ['Two huts are open from May to September.', 'May'],
      ['The trail is 74 miles long.', '74'],
    ],
  },
  {
    text: '| Team | Won | Lost |\n|---|---|---|\n| Lynx | 14 | 3 |\n| Otters | 9 | 8 |\n| Herons | 6 | 11 |\n\nThe season ended on 12 May 2024.\n',
    says: [
      'The Lynx won 14 games and lost 3.',
      'The Herons lost 11 games.',
      'The season ended on 12 May 2024.',
    ],
    invented: [
      ['The Lynx won 16 games.', '16'],
      ['The Falcons lost 11 games.', 'Falcons'],
      ['The season ended on 21 May 2024.', '21 May 2024'],
    ],
  },
  {
    text: 'Wind supplied 31 % of the power in Jutland last year; in 2010 it was 19 %. Hanne Lund of the grid operator says that 2,400 MW more are planned by 2028.\n',
    says: [
      'Last year wind supplied 31 % of the power in Jutland.',
      'In 2010, wind supplied 19 % of the power.',
      'According to Hanne Lund, 2,400 MW more are planned by 2028.',
    ],
    invented: [
      ['Last year wind supplied 37 % of the power in Jutland.', '37'],
      ['According to Hanne Lund, 2,400 kW more are planned.', '2,400'],
      ['According to Hanne Lund, 2,400 MW more are planned by 2035.', '2035'],
      ['Last year wind supplied 31 % of the power in Scania.', 'Scania'],
    ],
  },
  {
    text: '# 能源\n\n| 地区 | 风电 | 太阳能 |\n|---|---|---|\n| 北部 | 31% | 12% |\n| 南部 | 18% | 25% |\n\n计划到2028年新增2400兆瓦。\n',
    says: ['北部的风电占31%。', '南部的太阳能占25%。', '计划到2028年新增2400兆瓦。'],
    invented: [
      ['北部的风电占37%。', '37'],
      ['计划到2035年新增2400兆瓦。', '2035'],
      ['计划到2028年新增4200兆瓦。', '4200'],
    ],
  },
];
