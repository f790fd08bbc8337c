import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';

const { CONFIG, REQUEST, EXPECTED } = process.env;
const { vendor = {}, parameters = {}, json } = JSON.parse(REQUEST);

function fail(message) {
  process.stderr.write(`${message}\n`);
  process.exit(1);
}

function enforced() {
  writeFileSync('/tmp/config.yaml', CONFIG);
  const flags = ['--vendor', JSON.stringify(vendor), '--parameters', JSON.stringify(parameters)];
  const line = ['/app/dist/main.js', 'enforce', '--config', '/tmp/config.yaml', ...flags];
  const options = { input: JSON.stringify(json), encoding: 'utf8', timeout: 30_000 };
  const { status, stdout, stderr, error } = spawnSync(process.execPath, line, options);
  if (status !== 0) fail(`The PDP does not decide: ${error?.message ?? stderr.trim()}`);
  return JSON.parse(stdout);
}

const answer = enforced();
if (EXPECTED !== undefined && !isDeepStrictEqual(answer, JSON.parse(EXPECTED))) {
  fail(`Expected ${EXPECTED}, but the PDP's decision leaves ${JSON.stringify(answer)}`);
}
process.stdout.write(`Decided: ${JSON.stringify(answer)}\n`);
