/**
 * Writes the JSON schema of the Compose specification that `examples/compose.yaml` is validated against, without network, by
 * `tests/examples`: `node scripts/compose-schema.ts`. It is taken from Docker's own reader of Compose files (Apache-2.0), which
 * the Go toolchain downloads. Run it by hand to support a newer specification.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { moduleFolder } from './tools/go-module.ts';

const file = path.join(
  moduleFolder('github.com/compose-spec/compose-go/v2@v2.16.2'),
  'schema/compose-spec.json',
);
writeFileSync(
  'tests/examples/compose-spec.json',
  `${JSON.stringify(JSON.parse(readFileSync(file, 'utf8')))}\n`,
);
