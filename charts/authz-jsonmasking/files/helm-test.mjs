import { isDeepStrictEqual } from 'node:util';

const { SERVICE_URL, HEADERS = '{}', REQUEST, EXPECTED } = process.env;

function fail(message) {
  process.stderr.write(`${message}\n`);
  process.exit(1);
}

const response = await fetch(`${SERVICE_URL}/enforce`, {
  method: 'POST',
  headers: { ...JSON.parse(HEADERS), 'Content-Type': 'application/json' },
  body: REQUEST,
  signal: AbortSignal.timeout(30_000),
}).catch((error) => fail(`${SERVICE_URL} cannot be reached: ${error.cause?.message ?? error.message}`));
const answer = await response.text();
if (response.status !== 200) fail(`Expected 200, but the answer is ${response.status}: ${answer}`);
if (EXPECTED !== undefined && !isDeepStrictEqual(JSON.parse(answer), JSON.parse(EXPECTED))) {
  fail(`Expected ${EXPECTED}, but the answer is ${answer}`);
}
process.stdout.write(`Enforced: ${answer}\n`);
