/** A title with another spelling of it, as references and catalogs have them. */
export const SAME_TITLES: [string, string][] = [
  ['Attention is all you need', 'Attention Is All You Need.'],
  [
    'BERT: Pre-training of deep bidirectional transformers',
    '{BERT}: Pretraining of Deep Bidirectional Transformers',
  ],
  ['Titanium dioxide (TiO2) nanomaterials', 'Titanium dioxide (TiO$_2$) nanomaterials'],
  ['An O(n²) algorithm for string matching', 'An $O(n^2)$ algorithm for string matching'],
  ['Behavioural study of obedience', 'Behavioral Study of Obedience'],
  ['Modelling of colour vision in pigeons', 'Modeling of color vision in pigeons'],
  ['Über die Zukunft der künstlichen Intelligenz', 'Uber die Zukunft der kunstlichen Intelligenz'],
  ['Prospect theory: An analysis of decision under risk', 'Prospect Theory'],
  [
    'Prospect theory—an analysis of decision under risk',
    'Prospect theory: An Analysis of Decision Under Risk',
  ],
  ['RETRACTED ARTICLE: Night hunting of barn owls', 'Night hunting of barn owls'],
  ['The market for “lemons”: Quality uncertainty', 'The Market for "Lemons" : quality uncertainty'],
  ['Support-vector networks in practice', 'Support vector networks in practice'],
  ['On-line learning of large data sets', 'Online learning of large datasets'],
  ['α-Synuclein in Lewy bodies of the brain', '$\\alpha$-Synuclein in Lewy bodies of the brain'],
  ['Food & drink in early modern Europe', 'Food and drink in early modern Europe'],
  ['基于深度学习的图像语义分割方法综述', '基于深度学习的图像语义分割方法 综述'],
  ['知识图谱研究综述：方法与应用', '知识图谱研究综述'],
  ['Fitting linear mixed‐effects models using lme4', 'Fitting Linear Mixed-Effects Models Using lme4'],
  ['Visualizing data using t-SNE', 'Visualising Data using t-SNE'],
  ['Should I stay or should I go? Migration of young owls', 'Should I Stay or Should I Go?'],
  [
    'Observation of gravitational waves from a binary black hole merger',
    'Observation of Gravitational Waves from a Binary Black Hole Merger.',
  ],
];

/** A title with a misquotation of it, or another title that is near. */
export const OTHER_TITLES: [string, string][] = [
  ['Attention is all you need', 'Attention is all you want'],
  ['Attention is all you need', 'Memory is all you need'],
  ['Language models are few-shot learners', 'Language models are zero-shot learners'],
  ['Language models are few-shot learners', 'Language models are few-shot reasoners'],
  ['Why most published research findings are false', 'Why most published research findings are true'],
  ['Deep residual learning for image recognition', 'Deep residual learning for speech recognition'],
  ['Llama 2: Open foundation models', 'Llama 3: Open foundation models'],
  ['The PRISMA 2020 statement', 'The PRISMA 2009 statement'],
  ['Using thematic analysis in psychology', 'Using statistical analysis in psychology'],
  [
    'Observation of gravitational waves from a binary black hole merger',
    'Observation of gravitational waves from a binary neutron star inspiral',
  ],
  [
    'Safety and efficacy of the BNT162b2 mRNA Covid-19 vaccine',
    'Efficacy and safety of the mRNA-1273 SARS-CoV-2 vaccine',
  ],
  ['Random forests', 'Random fields'],
  ['基于深度学习的图像语义分割方法综述', '基于深度学习的图像目标检测方法综述'],
  ['Molecular structure of nucleic acids', 'Molecular structure of nucleic proteins'],
  [
    'Chain-of-thought prompting elicits reasoning in large language models',
    'Chain-of-thought prompting improves reasoning in large language models',
  ],
];
