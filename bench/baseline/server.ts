/**
 * The least that anyone would write by hand on the same stack: `node bench/baseline/server.ts PDP_URL`. It masks properties of
 * records by default and knows nothing else: no conditions, filters, partial masks, roots or dry runs, no exact numbers, no
 * checks of what it is sent or told, no limits but one, no log.
 */
import type { AddressInfo } from 'node:net';
import axios from 'axios';
import express, { type Request } from 'express';
import _ from 'lodash';

interface Decision {
  readonly response: readonly {
    readonly access: readonly { readonly attributes: { readonly column: readonly string[] } }[];
  }[];
}

interface EnforceBody {
  readonly vendor: object;
  readonly json: readonly object[];
}

const [, , pdpUrl = ''] = process.argv;
const app = express();
app.use(express.json({ limit: '16mb' }));

app.get('/health/liveness', (_request, response) => void response.json({ status: 'UP' }));

// oxlint-disable-next-line oxc/no-async-endpoint-handlers -- Express 5 answers rejected promises
app.post('/enforce', async (request: Request<object, unknown, EnforceBody>, response) => {
  const { vendor, json } = request.body;
  const question = {
    ...vendor,
    includeAssetAttributes: true,
    includeAccessPolicy: true,
    resourceTypes: [{ name: 'columns' }],
  };
  const { authorization } = request.headers;
  const { data } = await axios.post<Decision>(pdpUrl, question, { headers: { authorization } });
  const properties = data.response.flatMap(({ access }) =>
    access.flatMap(({ attributes }) => attributes.column),
  );
  for (const record of json) mask(record, properties);
  response.json(json);
});

function mask(record: object, properties: readonly string[]): void {
  for (const property of properties) {
    if (_.has(record, property))
      _.set(record, property, typeof _.get(record, property) === 'string' ? '***' : null);
  }
}

const server = app.listen(0, '127.0.0.1', () => {
  const address: AddressInfo | string | null = server.address();
  if (typeof address === 'object' && address !== null) process.send?.({ port: address.port });
});
process.once('disconnect', () => process.exit());
