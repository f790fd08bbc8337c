import { isDeepStrictEqual } from 'node:util';
import { createEnforcer } from 'authz-jsonmasking';

const { CONFIG, REQUEST, EXPECTED } = process.env;

async function enforced() {
  const enforcer = await createEnforcer(JSON.parse(CONFIG));
  try {
    const masked = await enforcer.enforce({ ...JSON.parse(REQUEST), signal: AbortSignal.timeout(30_000) });
    return masked.value();
  } finally {
    await enforcer.close();
  }
}

function fail(message) {
  process.stderr.write(`${message}\n`);
  process.exit(1);
}

const answer = await enforced().catch((error) => fail(`The PDP does not decide: ${error.message}`));
if (EXPECTED !== undefined && !isDeepStrictEqual(answer, JSON.parse(EXPECTED))) {
  fail(`Expected ${EXPECTED}, but the PDP's decision leaves ${JSON.stringify(answer)}`);
}
process.stdout.write(`Decided: ${JSON.stringify(answer)}\n`);
