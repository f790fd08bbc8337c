#!/usr/bin/env node
// Only this file and what it imports here must load on an old Node.js, which then says in one line that it is too old.
import { oldNodeProblem } from './node-version.ts';

const problem = oldNodeProblem(process.versions.node);

if (problem === undefined) {
  void import('./process/index.ts').then(({ run }) => run());
} else {
  process.stderr.write(`${problem}\n`);
  process.exitCode = 1;
}
