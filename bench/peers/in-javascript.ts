import slowRedact from '@pinojs/redact';
import fastRedact from 'fast-redact';
import { JSONPath } from 'jsonpath-plus';
import _ from 'lodash';
import { inProcess, type Contestant } from '../measure/contestant.ts';

const MASK_STRING = '***';

/** What people would use instead, in JavaScript: each parses the payload, masks properties of every record, and writes it. */
export function peersInJavaScript(text: string, properties: readonly string[]): Contestant[] {
  const paths = properties.map((property) => `[*].${property}`);
  const redactFast = fastRedact({ paths, censor: maskOf });
  const redactSlow = slowRedact({ paths, censor: maskOf });
  return [
    inProcess('lodash', () => JSON.stringify(withLodash(JSON.parse(text), properties))),
    inProcess('@pinojs/redact', () => String(redactSlow(JSON.parse(text)))),
    inProcess('fast-redact', () => String(redactFast(JSON.parse(text)))),
    inProcess('jsonpath-plus', () => JSON.stringify(withJsonPath(JSON.parse(text), paths))),
  ];
}

function maskOf(value: unknown): string | null {
  return typeof value === 'string' ? MASK_STRING : null;
}

function withLodash(records: readonly object[], properties: readonly string[]): unknown {
  for (const record of records) {
    for (const property of properties) {
      if (_.has(record, property)) _.set(record, property, maskOf(_.get(record, property)));
    }
  }
  return records;
}

function withJsonPath(json: object, paths: readonly string[]): unknown {
  for (const path of paths) {
    JSONPath({
      path: `$${path}`,
      json,
      eval: false,
      callback: (value, _type, { parent, parentProperty }) => {
        if (isObject(parent)) parent[String(parentProperty)] = maskOf(value);
      },
    });
  }
  return json;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
