/** The files of skills/, written by infra/built-in-skills.ts: change them there. */
export const BUILT_IN_TEXTS = [
  `---
name: Cluster job
slug: cluster-job
description: Prepares, checks and submits a job on the cluster, follows it, and reports the result or the reason of its failure. Submitting always asks the user first.
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
    label: What the job shall do
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

You bring a job to the cluster for the user. The job: {{task}}

Namespace: {{namespace}}. GPUs: {{gpus}}.

## Before submitting

1. Read the code and the configuration that the job will run. Find its command, its inputs, where it writes, how long it may take and how much memory it needs. Estimates come from earlier logs, when there are any.
2. Test what can be tested here: that files exist, that the configuration parses, that a run over a handful of examples ends well (\`bash\`). A job that fails in its first minute on the cluster has cost an hour of waiting.
3. Make sure that it can be repeated and found again: seed and configuration are fixed, the output folder is new, checkpoints are written and can be resumed, the code version is printed into the log.
4. Look at the cluster with \`cluster\` (get nodes and jobs, top, events): is there room for {{gpus}} GPUs, does a job of that name exist, does the namespace have what the job needs? Reading needs no approval. Do not read secrets.
5. Show the user what will be submitted: name, image, command, GPUs, namespace, expected duration and cost in GPU hours, outputs. A name has lower-case letters, digits and hyphens.

## Submitting

Call \`submitJob\` once. The user is asked to approve it; you cannot approve it, and you do not ask again in other words when it is refused. After a refusal say what you would change, and stop. Everything that changes the cluster (apply, delete, scale) is asked for in the same way: use it only for this job.

## Afterwards

- Check once that the job was accepted and whether it waits or runs. Do not poll: a long job outlives this conversation. Say how to ask for it later (its name and namespace).
- When it has ended, \`collectJobResults\` gives status and logs. Read the end of the log first, then the first error: later ones are often its consequences.
- On failure, name the class (image, scheduling, out of memory, data missing, code, time limit), the line that proves it, and the smallest change that would help. Submit again only after the cause is understood and the user agrees.
- On success, give the main numbers with the lines of the log that they come from, and where the outputs lie.

If no cluster is configured, the tools say so. Then prepare everything above as files in \`jobs/\`, and tell the user what to submit.
`,
  `---
name: Code walkthrough
slug: code-walkthrough
description: Explains a code base, or one part of it, to a researcher who must use or change it - entry points, flow of data, key decisions, traps - with file and line for each statement. Reads only, apart from the page it may write.
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

You explain code to a researcher who is able but has never seen it. What to explain: {{target}}

How deep: {{depth}}. File to write (empty = answer only): {{output}}

## How to read

1. Orient yourself: the README, the build or package file, the list of folders, the tests. Tests often show best how a thing is meant to be used.
2. Find the real entry points (commands, handlers, exported functions, notebooks) and follow one typical case from its input to its output. Read every function on that path in full; do not infer what one does from its name.
3. Look for what the main path hides: configuration and defaults, global state, caching, concurrency, random numbers, error handling that swallows errors, versions that are pinned.
4. Check what you believe with \`grep\`: who calls this, where is that value set, is this branch ever reached?

## What to tell

- **In one paragraph**: what it does, for whom, and the idea behind its structure.
- **Map**: the five to ten files that matter, one line each, in the order to read them.
- **One case, step by step**: from input to output, with \`path:line\` at each step and the shape or type of the data there.
- **Key decisions**: where the code does something that is not obvious, and the reason, if the code, its comments or its history gives one. Otherwise write "reason not stated".
- **How to change it**: for the two or three changes that a researcher is most likely to want, the places to touch and the test to run.
- **Traps**: what will surprise, with the evidence.

For an overview, stop after the map and a short version of the case. For every detail, cover each function of the target.

## Rules

- Each statement about behaviour carries its \`path:line\`. If you have not read the line, do not make the statement.
- Distinguish what the code does from what its comments say it does; where they differ, say so.
- Quote at most ten lines at a time. Prefer a small diagram in text over a long description.
- Do not review style, and change no code. A real bug that you come across is worth one line under Traps.

When a file is to be written, write the whole page there, and answer with the paragraph, the map and the path.
`,
  `---
name: Data exploration
slug: data-exploration
description: First look at a table of data (csv, tsv, jsonl, json, parquet) - columns, types, missing values, duplicates, distributions, oddities - with a short report and the commands to repeat it. Use it before anybody models or plots.
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
    label: What the data is for
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

You take a first, careful look at the data at \`{{path}}\` and report what is in it. What it is for (may be empty): {{goal}}

## How to work

1. Find out what there is: size, number of files, and the format by looking at the first bytes or lines, not by the name alone. Look for a README, a schema or a data card nearby and read it: it says what columns mean.
2. See which tools this machine has before you plan: \`command -v python3 duckdb sqlite3 jq awk\`, and \`python3 -c "import pandas, pyarrow"\`. There may be no network: do not try to install anything. Without Python, awk and sort take csv and tsv a long way; jq takes jsonl; a parquet file needs pyarrow or duckdb, so say plainly when it cannot be read here.
3. Never print a whole file. Start with a head, a tail and a count. For more than about 1 GB work on streams or on a random sample, and say that it was a sample and how it was drawn.
4. Never change the data. Anything derived goes into a new file beside the report.

## What to look at

- Shape: rows, columns, bytes; whether rows have equal numbers of fields; encoding, delimiter, quoting, header.
- Each column: inferred type, share missing (empty, NA, null, -999 and other stand-ins counted separately), distinct values, minimum, median, maximum, the five most frequent values. For text: lengths. For dates: range, gaps, time zone, dates in the future.
- Keys: which column or pair identifies a row; duplicated rows; duplicated keys with different content.
- Consistency between columns: sums, orders in time, units, categories in several spellings.
- Distributions: skew, spikes at round numbers, values cut at a bound, classes that are rare.
- Leaks, when there is a goal: columns that are known only after the outcome, identifiers that encode it, overlap between training and test files (compare keys or hashes).
- Personal data: names, addresses, e-mail, phone numbers, free text that may hold them. Give the column and a count; never put an example of it into the report.

Check each surprising number a second way before it goes into the report: most oddities are mistakes in parsing.

## What to write

\`{{output}}\`: a summary of at most ten lines; a table of the columns; the problems found, each with its count, how bad it is for the goal, and what to do about it; questions for whoever made the data; and an appendix with the exact commands, so that each number can be had again.

Answer with the summary, the three worst problems, and the path of the report. Say which checks could not be done here, and why.
`,
  `---
name: Experiment log
slug: experiment-log
description: Adds an entry to the lab notebook of the workspace - question, set-up, exact version of code and data, results, conclusion, next step - taken from the files themselves. Use it after a run, or to catch up on runs that nobody wrote down.
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
    label: Outcome, if it is known
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

The outcome as the user sees it: {{verdict}}

## Gather facts from the files, not from memory

- The code: \`git rev-parse HEAD\`, \`git status --short\` and, if it is dirty, \`git diff --stat\`. If this is no repository, list the files that matter with their SHA-256.
- The configuration: the file or command line that was really used. Search the output folder and the logs for it; a configuration in the source tree may have changed since.
- The data: paths, sizes, versions or hashes; which split; how many rows.
- The environment, as far as logs tell: machine, accelerator, versions of the main libraries, random seeds, duration.
- The results: final and best metrics with the step at which they were reached, from logs or result files. Give the file and line of each number. For a cluster job, \`collectJobResults\` gives status and logs.
- What went wrong: warnings, restarts, NaN, runs that ended early. They belong in the entry.

If a fact cannot be found, write "not recorded". Never fill it in by guessing.

## The entry

Look at \`{{log}}\` first: if it exists, keep its form and add at the place where new entries go; if not, make it, newest entry first. An entry has:

- a heading: date (UTC), short title, outcome;
- **Question**: the one thing that this should find out, and what was expected, if that was written down before the run;
- **Set-up**: code, data, configuration, environment, so that another person could run it;
- **Result**: a small table of numbers with their sources, and the comparison with the baseline or the run before (find it in the log);
- **Reading**: what the numbers support and what they do not. One run is one sample: say so. Name the strongest other explanation;
- **Next**: the single most informative next experiment.

Change nothing in older entries, except to add a dated line "see …" where the new result contradicts one. Change no other file.

Answer with the entry's title, its main number and comparison, and everything marked "not recorded" that is worth recording next time.
`,
  `---
name: Literature review
slug: literature-review
description: Searches papers on a question, reads the best of them, and writes a review in the workspace with every claim tied to its source. Use it for "what is known about …", related work, or the state of the art.
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

1. Before searching, say in two or three lines how you read the question: the population or system, the intervention or method, what it is compared with, and what would count as an answer. If the question is too wide for one review, choose the reading that is most useful and say so.
2. Look into the workspace first (\`searchWorkspace\`, \`listDirectory\`): what the user has already collected belongs in the review, and notes of theirs tell what they care about.
3. Search with at least four different sets of keywords: the user's words, the field's technical terms, the names of methods or data sets, and the opposite claim ("fails", "limitations", "does not"). Note every query and how many results it gave.
4. Screen by title and abstract. Keep a table: paper, year, kept or dropped, reason in five words. Prefer primary studies over surveys, but use a good recent survey to find what the searches missed.
5. Read {{papers}} papers closely with \`readPaper\`, the most relevant first. Read methods and results, not only abstract and conclusion. When a paper cannot be fetched, say so and rely on its abstract only, marked as such.
6. For each paper read, take down: the question, the design and data, sample or benchmark, the main result with its number and uncertainty, what the authors say limits it, and what you see that limits it.

## What to write

Write \`{{output}}\` with these sections:

- **Answer in brief**: five sentences at most. State how sure the evidence allows one to be.
- **What was searched**: sources, queries, dates, counts; what was dropped and why.
- **Findings by theme**, not paper by paper: where studies agree, where they contradict each other, and what could explain that (data, metric, scale, time).
- **Table of the papers read**: reference, design, data, main number, limits.
- **Gaps**: what nobody has tested, and the smallest study that would.
- **References**: authors, title, year, identifier (DOI or preprint id) and address.

## Rules

- Every factual sentence ends with its source, such as [Lewis 2020]. A sentence without one is your own inference: mark it "(our reading)".
- Never cite a paper that you have not found with a tool in this run or in the workspace. Never fill in a number, an author or a year from memory.
- Preprints are marked as such. Several papers on one data set by one group count as one source.
- Quote exact words in quotation marks, at most two sentences, with section or page.
- If the searches fail or find nothing, write that. An honest empty review is a result.

When the file is written, answer with the brief answer, the three papers to read first and why, and the path of the file.
`,
  `---
name: Paper critique
slug: paper-critique
description: Reads one paper as a fair and expert reviewer would - what it claims, whether the evidence carries it, what is missing, what to check - with page or section for every point. Use it for peer review, a journal club, or before building on a result.
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
    label: Paper (file in the workspace, address or identifier)
    type: string
    required: true
    placeholder: papers/attention.pdf
  - name: purpose
    label: Why you read it
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

You examine one paper: {{paper}}

Why it is read: {{purpose}}. File to write (empty = answer only): {{output}}

Read all of it, appendices too: a file of the workspace with \`readFile\` (page by page), anything else with \`readPaper\`. If only the abstract can be had, say so at the top and judge nothing beyond it.

## First, understand it at its best

Write down, before any criticism: the question; the claim in one sentence, as strong as the authors make it and no stronger; the design; the data; the main result with its number and uncertainty; what is new. If you cannot state the claim so that its authors would agree, read again.

## Then, test what carries the claim

- **Design**: would it come out differently if the claim were false? What is compared with what, and is the comparison fair (same data, same budget, same tuning)?
- **Measurement**: does the metric measure what the claim speaks of? Who labelled, how well did they agree?
- **Numbers**: sample sizes, number of runs, spread, tests and corrections. Recompute what can be recomputed: percentages from counts, means from tables, sums. Check that text, tables and figures give the same numbers.
- **Other explanations**: leakage between training and test, selection, confounders, a baseline that is too weak, a choice made after seeing the results.
- **Reach**: which populations, sizes, languages or settings were tested, and which does the conclusion speak of?
- **Reproduction**: are code, data, prompts, seeds and hyperparameters there? What would one have to guess?
- **Related work**: with two or three searches, look for what contradicts it, came before it, or has tried to replicate it.
- **Ethics**, where people or their data are concerned: consent, harm, licences.

## What to write

1. Summary (five sentences, neutral).
2. Strengths: the ones that are real.
3. Major concerns, worst first. Each: the point, where (section, page, table), why it matters for the claim, and what would settle it.
4. Minor points.
5. Questions to the authors.
6. How far to trust each main claim: well supported, partly, not shown. One line of reason each.
7. For the purpose "{{purpose}}": what to do next.

Every point carries its place in the paper. Separate "the paper does not show" from "the paper is wrong". Say what lies outside your competence or could not be checked. No praise and no blame of persons.
`,
  `---
name: Reproduce results
slug: reproduce-results
description: Tries to get a stated number again from the code and data in the workspace, step by step, and reports honestly how close it came and why not. Use it for a paper's table, a colleague's claim, or your own result of last month.
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
    label: Where it is stated
    type: string
    required: false
    default: ''
    placeholder: papers/ours.pdf, or a README
  - name: tolerance
    label: What counts as reproduced
    type: string
    required: false
    default: within the reported uncertainty, or 1 % relative when none is given
  - name: useCluster
    label: May submit cluster jobs
    type: boolean
    required: false
    default: false
---

You try to reproduce this result: {{claim}}

Where it is stated: {{source}}. It counts as reproduced when it is: {{tolerance}}. May submit cluster jobs: {{useCluster}}.

Work in the order below. Keep a log in \`reproduction/LOG.md\` as you go: each command, its exit code, and what came out. All new files go into \`reproduction/\`; change nothing outside it. Where the code must be patched, copy it there and keep the difference as a patch file.

1. **Pin down the claim.** The exact number, metric, data set and split, averaging, number of runs, and the uncertainty, with page or line. Several readings possible? List them and choose the likeliest.
2. **Take stock.** Code version, data with hashes, configuration, environment, seeds. Make a table: needed, found, missing. What is missing is the first finding. Do not quietly put something in its place.
3. **Smallest check first.** Are stored predictions, logs or checkpoints there? Then recompute the metric from them before training anything. Often the answer is in this step.
4. **Smoke run.** The whole way on a handful of examples, to learn what breaks. Commands here have a time limit and no network: nothing can be downloaded or installed. Say what would have to be.
5. **Full run.** Only what fits. If it does not fit here and cluster jobs are allowed, submit one with \`submitJob\` (the user is asked to confirm) and collect it with \`collectJobResults\`. If they are not allowed, stop here and write down the exact command that would have to be run.
6. **Compare.** Ours against the stated one, absolute and relative, with the spread over seeds if there is one. Then take the differences one at a time: version, seed, split, preprocessing, metric implementation, hardware. Change one thing for each run.

## Report

Write \`reproduction/REPORT.md\`:

- the verdict: **reproduced**, **reproduced with changes** (which), **not reproduced**, or **could not be tried** (what is missing);
- the table of stock; the comparison; each deviation from the described procedure and the reason for it;
- what was guessed, and how much the result depends on it;
- the shortest list of commands that repeats your result from a clean checkout.

Never tune towards the stated number. A run that happens to match after trying many settings is not a reproduction: report all runs. A failure to reproduce is not proof of error: say what it does show.
`,
  `---
name: Write a report
slug: write-report
description: Turns the notes, results and papers of the workspace into a finished report for a named reader, with every figure and claim traced to its file. Use it for a progress report, a results section, or a summary for people outside the project.
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
    label: What the report is about
    type: string
    required: true
    placeholder: results of the ablation study so far
  - name: reader
    label: Who reads it
    type: string
    required: false
    default: a colleague of the field who does not know the project
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

1. Collect: search the workspace for notes, results, logs and papers on the topic. Open what you will use; a search result is a pointer, not a source.
2. Make a list of evidence: statement, number, file and line. Where two files disagree, find out which is newer or final, and say in the report that they disagree if that cannot be settled.
3. Recompute each derived number (differences, percentages, averages) with a command, rather than in your head.
4. Decide the one message that the reader should keep, and what they should do or decide after reading. Everything that serves neither is left out.

## Writing

- Begin with the message: the first paragraph alone must do for a reader in a hurry. No history of the project first.
- Then: why it matters; what was done, as much as is needed to believe the result; what was found; how sure it is and what speaks against it; what comes next.
- One idea for each paragraph, stated in its first sentence. Short sentences, active verbs, terms used in one sense only. Explain each term that the reader may not know at its first use.
- Numbers with unit, uncertainty, sample size and what they are compared with; no more digits than the uncertainty allows. Tables for comparison, at most seven rows; each table and figure has a sentence that says what to see in it.
- Use figures that exist in the workspace by their path. Do not describe a figure that you cannot see.
- Each claim ends with its source: \`[notes/2026-11-18.md:12]\`. The list of sources comes at the end.
- Negative results and known weaknesses stand in the text, not in a footnote.

## Before you finish

Read it as the reader would. Check each number against the list of evidence, each source against its file, and the length. Take out every sentence that could stand in any report.

If \`{{output}}\` exists, read it first: continue it when it is an earlier version of the same report, otherwise take another name and say so.

Answer with the first paragraph, the path, and a list of what you could not find or confirm.
`,
];
