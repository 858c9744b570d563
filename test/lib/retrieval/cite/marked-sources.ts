/**
 * A file with true sentences, and with sentences that contain something invented, which the mark must name.
 */
export interface MarkedSource {
  text: string;
  says: string[];
  invented: [sentence: string, ...named: string[]][];
}

/**
 * Written without a look at the rules. Prose, lists, and tables, in English, German, and Chinese. Left out is what code can't tell: sums that the
 * reader makes, adjectives of countries, first words of a sentence that may be names, and Chinese names of persons.
 */
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
  {
    text: 'The grant of £2.3m runs from April 2021 to March 2024 and funds three PhD students at the University of Leeds. The principal investigator is Prof. Ngozi Adeyemi (Chemistry).',
    says: [
      'The grant runs for three years, from April 2021 to March 2024.',
      'It funds 3 PhD students at Leeds.',
      'The principal investigator is Ngozi Adeyemi, a professor of chemistry.',
      'The grant is worth £2.3 million.',
      'Ngozi Adeyemi leads the project.',
    ],
    invented: [
      ['The grant is worth £3.2 million.', '3.2'],
      ['It funds five PhD students.'],
      ['It runs until March 2025.', '2025'],
      ['The principal investigator is Prof. Nneka Adeyemi.', 'Nneka'],
      ['The grant is worth $2.3 million.'],
    ],
  },
  {
    text: '## Results\n\nAccuracy improved from 71.3% to 84.9% after fine-tuning on 12k samples (p = 0.003). Training took 6 h on four A100 GPUs.',
    says: [
      'Accuracy rose by 13.6 percentage points, from 71.3 % to 84.9 %.',
      'Fine-tuning used 12,000 samples.',
      'Training took six hours on 4 A100 GPUs.',
      'The improvement was significant (p = 0.003).',
    ],
    invented: [
      ['Accuracy rose from 71.3 % to 89.4 %.', '89.4'],
      ['Fine-tuning used 21,000 samples.', '21,000'],
      ['Training took six hours on 4 H100 GPUs.', 'H'],
      ['p = 0.03.', '0.03'],
      ['Training took 6 days.'],
    ],
  },
  {
    text: 'Die Brücke wurde am 3. Mai 1954 eröffnet. Sie ist 1,2 km lang und kostete 14 Mio. Mark. Bauleiter war Karl Brenner.',
    says: [
      'Die Brücke ist 1,2 Kilometer lang.',
      'Am 3. Mai 1954 wurde die Brücke eröffnet.',
      'Karl Brenner leitete den Bau.',
      'Sie kostete 14 Millionen Mark.',
    ],
    invented: [
      ['Die Brücke ist 2,1 km lang.', '2,1'],
      ['Am 3. Mai 1945 wurde die Brücke eröffnet.', '1945'],
      ['Kurt Brenner leitete den Bau.'],
      ['Sie kostete 14 Millionen Euro.', 'Millionen'],
    ],
  },
  {
    text: '- **Opening hours**: Mon–Fri 9:00–17:30, Sat 10:00–14:00\n- **Phone**: +49 30 1234567\n- **Address**: Lindenstraße 12, 10969 Berlin',
    says: [
      'The office is open from 9:00 to 17:30 on weekdays.',
      'On Saturdays it is open from 10 am to 2 pm.',
      'The address is Lindenstraße 12, 10969 Berlin.',
      'The phone number is +49 30 1234567.',
    ],
    invented: [
      ['The office is open from 9:00 to 18:30 on weekdays.', '18'],
      ['The address is Lindenstraße 21, 10969 Berlin.', '21'],
      ['The phone number is +49 30 1234576.', '1234576'],
      ['On Saturdays it is open from 10 am to 4 pm.', '4 pm'],
    ],
  },
  {
    text: '| Model | Params | MMLU | Price per 1M tokens |\n|---|---|---|---|\n| Alpha-S | 3B | 62.1 | $0.10 |\n| Alpha-L | 70B | 79.8 | $0.90 |\n| Beta | 8B | 68.4 | $0.20 |\n',
    says: [
      'Alpha-L has 70B parameters and scores 79.8 on MMLU.',
      'Beta costs $0.20 per million tokens.',
      'Alpha-S scores 62.1 on MMLU.',
      'Alpha-L is the most expensive model at $0.90 per 1M tokens.',
    ],
    invented: [
      ['Beta scores 64.8 on MMLU.', '64.8'],
      ['Alpha-L has 7B parameters.'],
      ['Alpha-S costs $0.01 per million tokens.', '0.01'],
      ['Alpha-S scores 79.8 on MMLU.'],
    ],
  },
  {
    text: 'The committee met on Tuesday, 9 January 2024. Seven of its nine members were present; Ms Dubois and Mr Chen were absent. The motion passed 5–2.',
    says: [
      'Seven of nine members were present at the meeting of 9 January 2024.',
      'Dubois and Chen were absent.',
      'The motion passed by 5 votes to 2.',
    ],
    invented: [
      ['Eight of nine members were present.'],
      ['Dubois and Cheng were absent.', 'Cheng'],
      ['The motion passed by 6 votes to 1.', '6'],
      ['The committee met on 19 January 2024.', '19'],
      ['The motion passed by 2 votes to 5.'],
    ],
  },
  {
    text: 'Under the new rules (in force since 2022-07-01), SMEs with fewer than 50 employees are exempt. Fines range from €500 to €25,000.',
    says: [
      'The rules have been in force since 1 July 2022.',
      'Companies with fewer than 50 employees are exempt.',
      'Fines range from €500 to €25,000.',
      'The maximum fine is €25,000.',
    ],
    invented: [
      ['The rules have been in force since 1 June 2022.', 'June'],
      ['Companies with fewer than 250 employees are exempt.', '250'],
      ['Fines go up to €250,000.', '250,000'],
      ['Companies with more than 50 employees are exempt.'],
    ],
  },
  {
    text: '患者的平均年龄为62岁，其中女性占58%。随访时间为18个月，共有23人失访。研究由王建国教授主持。',
    says: ['患者平均年龄62岁。', '女性占58%。', '随访18个月后，23人失访。', '王建国教授主持了该研究。'],
    invented: [
      ['患者平均年龄26岁。', '26'],
      ['女性占85%。', '85'],
      ['随访时间为18年。'],
      ['共有32人失访。', '32'],
    ],
  },
  {
    text: 'The reef lost half of its coral cover between 1985 and 2012, mainly through cyclones (48%), crown-of-thorns starfish (42%) and bleaching (10%).',
    says: [
      'Between 1985 and 2012 the reef lost 50 % of its coral cover.',
      'Cyclones caused 48 % of the loss.',
      'Bleaching accounted for 10 % and starfish for 42 % of the loss.',
    ],
    invented: [
      ['Bleaching accounted for 42 % of the loss.'],
      ['Between 1985 and 2021 the reef lost half of its coral cover.', '2021'],
      ['Cyclones caused 84 % of the loss.', '84'],
    ],
  },
  {
    text: 'Run `npm ci` first. The server listens on port 8080 by default; set `PORT` to change it. Logs are kept for 14 days in /var/log/app.',
    says: [
      'By default the server listens on port 8080.',
      'Logs are kept for two weeks in /var/log/app.',
      'Set `PORT` to change the port.',
      '`npm ci` has to be run first.',
    ],
    invented: [
      ['By default the server listens on port 8081.', '8081'],
      ['Logs are kept for 41 days.', '41'],
      ['Set `HOST` to change the port.', 'HOST'],
      ['Logs are kept in /var/log/web.'],
    ],
  },
  {
    text: 'Dr. Smith et al. (2019) sampled 240 lakes in Finland and found microplastics in 93 % of them; the median was 0.4 particles per litre.',
    says: [
      'The median was 0.4 particles per litre.',
      'Microplastics were found in most of the 240 lakes sampled in Finland.',
    ],
    invented: [
      ['Smith et al. (2018) found microplastics in 93 % of 240 lakes.', '2018'],
      ['The median was 4 particles per litre.'],
      ['240 lakes in Sweden were sampled.', 'Sweden'],
      ['Microplastics were found in 39 % of the lakes.', '39'],
    ],
  },
  {
    text: 'The company was founded in 1998 by Anna Kovács and Péter Szabó in Budapest. It has 1,150 employees and made a net profit of HUF 4.2 billion in fiscal 2023, down from 5.1 billion the year before.',
    says: [
      'Anna Kovács and Péter Szabó founded the company in Budapest in 1998.',
      'It employs 1150 people.',
      'Net profit fell from 5.1 to 4.2 billion forints in 2023.',
      'The net profit was HUF 4.2 billion in 2023.',
    ],
    invented: [
      ['It employs 11,500 people.', '11,500'],
      ['Anna Kovács founded the company in Debrecen.', 'Debrecen'],
      ['The company was founded in 1989.', '1989'],
      ['Net profit was 4.2 million in 2023.'],
    ],
  },
  {
    text: '| Product | Price |\n|---|---|\n| Chair | €49 |\n| Desk | €199 |\n| Lamp | €25 |\n',
    says: ['The desk costs €199.', 'The lamp costs €25.'],
    invented: [
      ['A desk costs €49.', '49'],
      ['The lamp costs €199.', '199'],
    ],
  },
  {
    text: 'Das Ticket kostet 12 €. Es gilt zwei Stunden.\n',
    says: ['Das Ticket kostet 12 Euro.', 'Das Ticket kostet €12.'],
    invented: [
      ['Das Ticket kostet 12 $.', '12'],
      ['Das Ticket kostet 12 £.', '12'],
    ],
  },
  {
    text: 'Release 4.2.1 came out on 17 June 2025 and replaced 3.0.13. Eva Holm wrote the notes. Petra Berg tested it. It has 30 users worldwide.\n',
    says: [
      'Release 4.2.1 came out on 17 June 2025.',
      'Eva Holm wrote the notes.',
      'It has 30 users globally.',
    ],
    invented: [
      ['Release 4.2.0 came out on 17 June 2025.', '4.2.0'],
      ['The notes are by Petra Holm.', 'Petra Holm'],
    ],
  },
  {
    text: 'Unemployment was 8 %, inflation 5 % and growth 4 %. Rents rose from 900 € to 1,140 €.\n',
    says: ['Unemployment was 8 %, and growth was 4 %.', 'Rents rose by 240 €, from 900 € to 1,140 €.'],
    invented: [
      ['Unemployment was 8 %, inflation 5 % and growth 3 %.', '3 %'],
      ['Rents rose by 140 €, from 900 € to 1,140 €.', '140'],
    ],
  },
];
