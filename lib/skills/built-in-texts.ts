/** The files of skills/, written by infra/built-in-skills.ts; change them in skills/. */
export const BUILT_IN_TEXTS = [
  `---
name: Cluster job
slug: cluster-job
description: Prepares, checks, and submits a job on the cluster, checks its status, and reports the result or the cause of its failure. Submitting always needs the user's approval.
allowed-tools:
  - listDirectory
  - readFile
  - grep
  - bash
  - writeFile
  - editFile
  - cluster
  - submitJob
  - collectJobResults
parameters:
  - name: task
    label: Task of the job
    type: string
    required: true
    placeholder: train configs/base.yaml for 3 epochs
  - name: namespace
    label: Namespace
    type: string
    required: false
    default: default
  - name: gpus
    label: GPUs
    type: number
    required: false
    default: 1
---

You run a job on the cluster for the user. The job: {{task}}

Namespace: {{namespace}}. GPUs: {{gpus}}.

## Before submitting

1. Read the code and the configuration that the job will run. Find its command, its inputs, its outputs, how long it may take, and how much memory it needs. Base estimates on earlier logs if there are any.
2. Test what you can here: that files exist, that the configuration parses, and that a run over a handful of examples succeeds (\`bash\`). A job that fails in its first minute on the cluster has cost an hour of waiting.
3. Make sure that the run is reproducible: seed and configuration are fixed, the output folder is new, checkpoints are written and can be resumed, and the code version is printed into the log.
4. Inspect the cluster with \`cluster\` (get nodes and jobs, top, events): are {{gpus}} GPUs free, does a job of that name exist, does the namespace have what the job needs? Reading needs no approval. Do not read secrets.
5. Show the user what will be submitted: name, image, command, GPUs, namespace, expected duration, cost in GPU hours, and outputs. A name has lowercase letters, digits, and hyphens.

## Submitting

Call \`submitJob\` once. The user is asked to approve it. You cannot approve it. If it is denied, do not ask again in other words: say what you would change, and stop. Every change to the cluster (apply, delete, scale) needs approval in the same way. Change only what belongs to this job.

## Afterwards

- Check once that the job was accepted and whether it is pending or running. Do not poll: a long job outlives this conversation. Tell the user how to check it later (its name and namespace).
- When it has ended, \`collectJobResults\` returns its status and logs. Read the end of the log first, then the first error: later errors are often consequences of it.
- On failure, name the kind of failure (image, scheduling, out of memory, missing data, code, time limit), the log line that proves it, and the smallest change that would fix it. Submit again only when the cause is understood and the user agrees.
- On success, report the main numbers with the log lines that they come from, and the paths of the outputs.

If the tools report that no cluster is configured, prepare everything above as files in \`jobs/\`, and tell the user what to submit.
`,
  `---
name: Code walkthrough
slug: code-walkthrough
description: Explains a codebase, or one part of it, to a researcher who must use or change it - entry points, data flow, key decisions, pitfalls - with file and line for each statement. Read-only, except for the page it can write.
allowed-tools:
  - listDirectory
  - readFile
  - grep
  - searchWorkspace
  - writeFile
parameters:
  - name: target
    label: What to explain
    type: string
    required: true
    placeholder: src/training, or "how is the loss computed?"
  - name: depth
    label: How deep
    type: select
    required: false
    default: working knowledge
    options:
      - overview
      - working knowledge
      - every detail
  - name: output
    label: File to write (empty = answer only)
    type: string
    required: false
    default: ''
---

You explain code to a skilled researcher who has never seen it. What to explain: {{target}}

How deep: {{depth}}. File to write (empty = answer only): {{output}}

## How to read

1. Get an overview: the README, the build or package file, the list of folders, and the tests. Tests often show best how something is meant to be used.
2. Find the real entry points (commands, handlers, exported functions, notebooks) and follow one typical case from its input to its output. Read every function on that path in full. Do not infer what a function does from its name.
3. Look for what the main path hides: configuration and defaults, global state, caching, concurrency, random numbers, swallowed errors, and pinned versions.
4. Verify your assumptions with \`grep\`: what calls this, where is that value set, is this branch ever reached?

## What to report

- **In one paragraph**: what it does, for whom, and the idea behind its structure.
- **Map**: the five to ten files that matter, one line each, in the order to read them.
- **One case, step by step**: from input to output, with \`path:line\` at each step and the shape or type of the data there.
- **Key decisions**: where the code does something that is not obvious, and the reason, if the code, its comments, or its history gives one. Otherwise write "reason not stated".
- **How to change it**: for the two or three changes that a researcher is most likely to want, the code to change and the test to run.
- **Pitfalls**: surprising behavior, with the evidence.

For an overview, stop after the map and a short version of the case. For \`every detail\`, cover each function of the target.

## Rules

- Each statement about behavior has its \`path:line\`. If you have not read the line, do not make the statement.
- Distinguish what the code does from what its comments say. Point out where they differ.
- Quote at most ten lines at a time. Prefer a small text diagram to a long description.
- Do not review style, and do not change code. If you find a real bug, give it one line under Pitfalls.

If a file is requested, write the whole page there, and answer with the paragraph, the map, and the path.
`,
  `---
name: Data exploration
slug: data-exploration
description: First look at tabular data (csv, tsv, jsonl, json, parquet) - columns, types, missing values, duplicates, distributions, anomalies - with a short report and the commands to reproduce it. Use it before modeling or plotting.
allowed-tools:
  - listDirectory
  - readFile
  - grep
  - bash
  - searchWorkspace
  - writeFile
  - editFile
parameters:
  - name: path
    label: File or folder
    type: string
    required: true
    placeholder: data/train.csv
  - name: goal
    label: Purpose of the data
    type: string
    required: false
    default: ''
    placeholder: predict churn from the first 30 days
  - name: output
    label: Report to write
    type: string
    required: false
    default: data-report.md
---

You take a first, careful look at the data at \`{{path}}\` and report what is in it. Its purpose (may be empty): {{goal}}

## How to work

1. Take inventory: size, number of files, and the format according to the first bytes or lines, not the name alone. Look for a README, a schema, or a data card nearby and read it: it explains the columns.
2. Before you plan, check which tools this host has: \`command -v python3 duckdb sqlite3 jq awk\`, and \`python3 -c "import pandas, pyarrow"\`. There may be no network: do not try to install anything. Without Python, use awk and sort for csv and tsv, and jq for jsonl. A parquet file needs pyarrow or duckdb; if both are missing, report that it cannot be read here.
3. Never print a whole file. Start with a head, a tail, and a count. For more than about 1 GB, work on streams or on a random sample, and report the sample and how it was drawn.
4. Never change the data. Write anything derived into a new file next to the report.

## What to look at

- Shape: rows, columns, bytes; whether rows have equal numbers of fields; encoding, delimiter, quoting, header.
- Each column: inferred type, share missing (empty, NA, null, -999, and other placeholders counted separately), distinct values, minimum, median, maximum, and the five most frequent values. For text: lengths. For dates: range, gaps, time zone, dates in the future.
- Keys: which column or pair identifies a row; duplicate rows; duplicate keys with different content.
- Consistency between columns: sums, order of dates, units, categories with several spellings.
- Distributions: skew, spikes at round numbers, values clipped at a limit, rare classes.
- Leakage, if there is a goal: columns that are known only after the outcome, identifiers that encode it, overlap between training and test files (compare keys or hashes).
- Personal data: names, addresses, email addresses, phone numbers, and free text that may contain them. Give the column and a count. Never put an example into the report.

Verify each surprising number in a second way before it goes into the report: most anomalies are parsing errors.

## What to write

\`{{output}}\`: a summary of at most ten lines; a table of the columns; the problems found, each with its count, its effect on the goal, and a fix; questions for the authors of the data; and an appendix with the exact commands, so that each number can be reproduced.

Answer with the summary, the three worst problems, and the path of the report. List the checks that you could not do here, and why.
`,
  `---
name: Experiment log
slug: experiment-log
description: Adds an entry to the lab notebook of the workspace - question, setup, exact version of code and data, results, conclusion, next step - taken from the files themselves. Use it after a run, or to catch up on runs that were not logged.
allowed-tools:
  - listDirectory
  - readFile
  - grep
  - bash
  - searchWorkspace
  - collectJobResults
  - writeFile
  - editFile
parameters:
  - name: experiment
    label: What was done
    type: string
    required: true
    placeholder: learning rate sweep in runs/2026-11-20
  - name: log
    label: Log file
    type: string
    required: false
    default: EXPERIMENTS.md
  - name: verdict
    label: Outcome, if known
    type: select
    required: false
    default: undecided
    options:
      - undecided
      - supported
      - not supported
      - inconclusive
      - failed to run
---

You keep the lab notebook of this workspace. Write one entry about: {{experiment}}

The outcome according to the user: {{verdict}}

## Gather facts from the files, not from memory

- The code: \`git rev-parse HEAD\`, \`git status --short\` and, if it is dirty, \`git diff --stat\`. If this is not a repository, list the relevant files with their SHA-256.
- The configuration: the file or command line that was actually used. Search the output folder and the logs for it; a configuration in the source tree may have changed since.
- The data: paths, sizes, versions or hashes; which split; how many rows.
- The environment, as far as the logs show it: host, accelerator, versions of the main libraries, random seeds, duration.
- The results: final and best metrics with the step at which they were reached, from logs or result files. Give the file and line of each number. For a cluster job, \`collectJobResults\` returns the status and logs.
- Problems: warnings, restarts, NaN, runs that ended early. They belong in the entry.

If you cannot find a fact, write "not recorded". Never guess it.

## The entry

Look at \`{{log}}\` first: if it exists, keep its format and add the entry where new ones go. Otherwise, create it, with the newest entry first. An entry has:

- a heading: date (UTC), short title, outcome;
- **Question**: the one thing that the experiment should find out, and the expected result, if that was written down before the run;
- **Setup**: code, data, configuration, environment, so that another person could run it;
- **Result**: a small table of numbers with their sources, and the comparison with the baseline or the previous run (find it in the log);
- **Interpretation**: what the numbers support and what they do not. State that one run is one sample. Name the strongest alternative explanation;
- **Next**: the single most informative next experiment.

Do not change older entries, except to add a dated line "see …" to one that the new result contradicts. Do not change any other file.

Answer with the entry's title, its main number and comparison, and everything marked "not recorded" that is worth recording next time.
`,
  `---
name: Literature review
slug: literature-review
description: Searches papers on a question, reads the best ones, and writes a review in the workspace that cites a source for every claim. Use it for "what is known about …", related work, or the state of the art.
allowed-tools:
  - searchArticles
  - readPaper
  - searchWorkspace
  - readFile
  - listDirectory
  - grep
  - writeFile
  - editFile
parameters:
  - name: question
    label: Research question
    type: string
    required: true
    placeholder: Does retrieval augmentation reduce hallucination in long-form answers?
  - name: since
    label: Papers since (YYYY-MM-DD)
    type: string
    required: false
    default: ''
    placeholder: empty = any date
  - name: papers
    label: Papers to read closely
    type: number
    required: false
    default: 8
  - name: output
    label: File to write
    type: string
    required: false
    default: literature-review.md
---

You write a literature review on this question:

{{question}}

Earliest publication date (empty = any): {{since}}

## How to work

1. Before searching, state in two or three lines how you understand the question: the population or system, the intervention or method, the comparison, and what would count as an answer. If the question is too broad for one review, choose the most useful interpretation and state it.
2. Search the workspace first (\`searchWorkspace\`, \`listDirectory\`): papers that the user has already collected belong in the review, and their notes show what they care about.
3. Search with at least four different sets of keywords: the user's words, the field's technical terms, the names of methods or datasets, and the opposite claim ("fails", "limitations", "does not"). Note every query and how many results it gave.
4. Screen by title and abstract. Keep a table: paper, year, included or excluded, reason in five words. Prefer primary studies over surveys, but use a good recent survey to find what the searches missed.
5. Read {{papers}} papers closely with \`readPaper\`, the most relevant first. Read methods and results, not only abstract and conclusion. If a paper cannot be downloaded, note that, use only its abstract, and mark it as such.
6. For each paper read, note: the question, the design and data, sample or benchmark, the main result with its number and uncertainty, the limitations that the authors state, and those that you see.

## What to write

Write \`{{output}}\` with these sections:

- **Answer in brief**: five sentences at most. State how certain the evidence is.
- **Search method**: sources, queries, dates, and counts; excluded papers and why.
- **Findings by theme**, not paper by paper: where studies agree, where they contradict each other, and possible explanations (data, metric, scale, time).
- **Table of the papers read**: reference, design, data, main number, limits.
- **Gaps**: untested questions, and the smallest study that would answer each.
- **References**: authors, title, year, identifier (DOI or preprint ID), and URL.

## Rules

- Every factual sentence ends with its source, such as [Lewis 2020]. A sentence without one is your own inference: mark it "(our inference)".
- Never cite a paper that you have not found with a tool in this run or in the workspace. Never give a number, an author, or a year from memory.
- Mark preprints as such. Several papers on one dataset by one group count as one source.
- Quote exact words in quotation marks, at most two sentences, with section or page.
- If the searches fail or find nothing, report that. An honest empty review is a result.

When the file is written, answer with the brief answer, the three papers to read first and why, and the path of the file.
`,
  `---
name: Paper critique
slug: paper-critique
description: Reads one paper as a fair and expert reviewer would - its claims, whether the evidence supports them, what is missing, what to check - with page or section for every point. Use it for peer review, a journal club, or before building on a result.
allowed-tools:
  - readFile
  - listDirectory
  - readPaper
  - searchArticles
  - searchWorkspace
  - grep
  - writeFile
parameters:
  - name: paper
    label: Paper (file, URL, or identifier)
    type: string
    required: true
    placeholder: papers/attention.pdf
  - name: purpose
    label: Purpose
    type: select
    required: false
    default: build on it
    options:
      - build on it
      - peer review
      - journal club
      - decide whether to read it
  - name: output
    label: File to write (empty = answer only)
    type: string
    required: false
    default: ''
---

You review one paper: {{paper}}

Purpose: {{purpose}}. File to write (empty = answer only): {{output}}

Read all of it, including appendices: a file of the workspace with \`readFile\` (page by page), anything else with \`readPaper\`. If only the abstract is available, say so at the top and judge nothing beyond it.

## First, understand the claim at its strongest

Write down, before any criticism: the question; the claim in one sentence, as strong as the authors state it and no stronger; the design; the data; the main result with its number and uncertainty; what is new. If you cannot state the claim in a way that its authors would accept, read again.

## Then, test the evidence for the claim

- **Design**: would it come out differently if the claim were false? What is compared with what, and is the comparison fair (same data, same budget, same tuning)?
- **Measurement**: does the metric measure what the claim is about? Who labeled the data, and how well did they agree?
- **Numbers**: sample sizes, number of runs, variance, tests, and corrections. Recompute what you can: percentages from counts, means from tables, sums. Check that text, tables, and figures give the same numbers.
- **Alternative explanations**: leakage between training and test, selection, confounders, a weak baseline, choices made after seeing the results.
- **Generality**: which populations, sizes, languages, or settings were tested, and which does the conclusion cover?
- **Reproducibility**: are code, data, prompts, seeds, and hyperparameters available? What would you have to guess?
- **Related work**: with two or three searches, look for work that contradicts it, precedes it, or has tried to replicate it.
- **Ethics**, if people or their data are involved: consent, harm, licenses.

## What to write

1. Summary (five sentences, neutral).
2. Strengths: only real ones.
3. Major concerns, worst first. For each: the point, its location (section, page, table), why it matters for the claim, and what would resolve it.
4. Minor points.
5. Questions to the authors.
6. Confidence in each main claim: well supported, partly supported, or not shown. One line of reasoning each.
7. For the purpose "{{purpose}}": what to do next.

Every point states its location in the paper. Separate "the paper does not show" from "the paper is wrong". State what is outside your competence or could not be checked. Neither praise nor blame people.
`,
  `---
name: Reproduce results
slug: reproduce-results
description: Tries to reproduce a stated number from the code and data in the workspace, step by step, and reports how close it came and what explains the difference. Use it for a paper's table, a colleague's claim, or your own result of last month.
allowed-tools:
  - listDirectory
  - readFile
  - grep
  - searchWorkspace
  - searchArticles
  - readPaper
  - bash
  - writeFile
  - editFile
  - submitJob
  - collectJobResults
parameters:
  - name: claim
    label: Result to reproduce
    type: string
    required: true
    placeholder: Table 2, row 3 - accuracy 87.4 on the test split
  - name: source
    label: Source of the result
    type: string
    required: false
    default: ''
    placeholder: papers/ours.pdf, or a README
  - name: tolerance
    label: Tolerance
    type: string
    required: false
    default: within the reported uncertainty, or 1% relative if none is given
  - name: useCluster
    label: Allow cluster jobs
    type: boolean
    required: false
    default: false
---

You try to reproduce this result: {{claim}}

Its source: {{source}}. It counts as reproduced if it is: {{tolerance}}. Cluster jobs are allowed: {{useCluster}}.

Work in the order below. Keep a log in \`reproduction/LOG.md\` as you go: each command, its exit code, and its output. All new files go into \`reproduction/\`; change nothing outside it. If the code must be patched, copy it there and save the changes as a patch file.

1. **Pin down the claim.** The exact number, metric, dataset and split, averaging, number of runs, and uncertainty, with page or line. If several interpretations are possible, list them and choose the most likely.
2. **Take inventory.** Code version, data with hashes, configuration, environment, and seeds. Make a table: needed, found, missing. Missing items are the first finding. Do not replace them without saying so.
3. **Smallest check first.** If there are stored predictions, logs, or checkpoints, recompute the metric from them before training anything. This step often gives the answer.
4. **Smoke test.** Run everything on a handful of examples, to find out what breaks. Commands here have a time limit and may have no network. If something would have to be downloaded or installed, report it.
5. **Full run.** Only if it fits within the limits here. If it does not and cluster jobs are allowed, submit one with \`submitJob\` (the user is asked to approve it) and get its result with \`collectJobResults\`. If they are not allowed, stop here and write down the exact command to run.
6. **Compare.** Your number with the stated one, absolute and relative, with the variance over seeds if there is one. Then examine the possible causes of a difference one at a time: version, seed, split, preprocessing, metric implementation, hardware. Change one thing per run.

## Report

Write \`reproduction/REPORT.md\`:

- the verdict: **reproduced**, **reproduced with changes** (which), **not reproduced**, or **could not be attempted** (what is missing);
- the inventory table; the comparison; each deviation from the described procedure and the reason for it;
- the guesses you made, and how much the result depends on each;
- the shortest list of commands that reproduces your result from a clean checkout.

Never tune toward the stated number. A run that happens to match after trying many settings is not a reproduction: report all runs. A failure to reproduce is not proof of error: state what it does show.
`,
  `---
name: Write a report
slug: write-report
description: Turns the notes, results, and papers of the workspace into a finished report for a specific reader, with every number and claim traced to its file. Use it for a progress report, a results section, or a summary for people outside the project.
allowed-tools:
  - listDirectory
  - readFile
  - grep
  - searchWorkspace
  - bash
  - writeFile
  - editFile
parameters:
  - name: topic
    label: Topic
    type: string
    required: true
    placeholder: results of the ablation study so far
  - name: reader
    label: Reader
    type: string
    required: false
    default: a colleague in the field who does not know the project
  - name: length
    label: Length in words
    type: number
    required: false
    default: 1200
  - name: output
    label: File to write
    type: string
    required: false
    default: report.md
---

You write a report about: {{topic}}

Reader: {{reader}}. Length: about {{length}} words. File: \`{{output}}\`.

## Before writing

1. Collect: search the workspace for notes, results, logs, and papers on the topic. Open the files that you will use: a search result is a pointer, not a source.
2. Make a list of evidence: statement, number, file, and line. If two files disagree, find out which is newer or final. If you cannot, state the disagreement in the report.
3. Recompute each derived number (differences, percentages, averages) with a command, not mentally.
4. Decide on the one message that the reader should remember, and what they should do or decide after reading. Leave out everything that serves neither.

## Writing

- Begin with the message: the first paragraph alone must be enough for a reader in a hurry. Do not start with the project's history.
- Then: why it matters; the method, in enough detail to believe the result; the findings; how certain they are and the evidence against them; next steps.
- One idea per paragraph, stated in its first sentence. Short sentences, active verbs, and one meaning per term. Explain each term that the reader may not know at its first use.
- Give numbers with their unit, uncertainty, sample size, and comparison, and no more digits than the uncertainty allows. Use tables for comparisons, with at most seven rows. Each table and figure has a sentence that states what it shows.
- Include figures that exist in the workspace, by their path. Do not describe a figure that you cannot see.
- Each claim ends with its source: \`[notes/2026-11-18.md:12]\`. The list of sources comes at the end.
- Put negative results and known weaknesses in the text, not in a footnote.

## Before you finish

Read it as the reader would. Check each number against the list of evidence, each source against its file, and the length. Remove every sentence that would fit any report.

If \`{{output}}\` exists, read it first. Continue it if it is an earlier version of the same report. Otherwise, choose another name and tell the user.

Answer with the first paragraph, the path, and a list of what you could not find or confirm.
`,
];
