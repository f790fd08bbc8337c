import { readFileSync } from 'node:fs';
import path from 'node:path';
import { isMap, isSeq, parseDocument, type Node } from 'yaml';
import { DemoFailure } from './failure.ts';

const FILE = path.resolve(import.meta.dirname, '../../examples/policies/demo.yaml');
const TEXT = readFileSync(FILE, 'utf8');
const DOCUMENT = parseDocument(TEXT);

/**
 * The YAML of policies, as it is written in examples/policies/demo.yaml.
 *
 * @throws DemoFailure if the file has no policy of such a name
 */
export function policyLines(names: readonly string[]): readonly string[] {
  return names.flatMap((name) => {
    const [first = '', ...others] = linesOf(policyNamed(name), 4);
    return [`- ${first}`, ...others.map((line) => `  ${line}`)];
  });
}

/**
 * The YAML of a data mapper.
 *
 * @throws DemoFailure if the file has no mapper of such a name
 */
export function mapperLines(assetType: string, name: string): readonly string[] {
  const mapper = DOCUMENT.getIn(['mappers', assetType, name]);
  if (!isMap(mapper)) throw new DemoFailure(`No mapper is called ${name}.`);
  return [`${name}:`, ...linesOf(mapper, 6).map((line) => `  ${line}`)];
}

function policyNamed(name: string): Node {
  const policies = DOCUMENT.get('policies');
  const items = isSeq(policies) ? policies.items.filter((item) => isMap(item)) : [];
  const policy = items.find((item) => item.get('name') === name);
  if (policy === undefined) throw new DemoFailure(`No policy is called "${name}".`);
  return policy;
}

/** The lines of a node without its indentation (in spaces) and without comments. */
function linesOf(node: Node, indentation: number): readonly string[] {
  const [start, end] = node.range ?? [0, 0];
  const lines = TEXT.slice(start, end).trimEnd().split('\n');
  return lines.map((line, i) => (i === 0 ? line : line.slice(indentation)));
}
