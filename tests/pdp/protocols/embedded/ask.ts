import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { decide } from '../../../../src/pdp/protocols/embedded/answer.ts';
import { loadPolicyFile } from '../../../../src/pdp/protocols/embedded/policy-file/load.ts';
import type { PolicyFile } from '../../../../src/pdp/policies/policy.ts';
import type { Asked } from '../../../../src/pdp/port.ts';
import { readQuestion } from '../../../../src/pdp/protocols/embedded/question.ts';
import { PdpRefusal, serviceErrorFrom } from '../../../../src/pdp/protocols/embedded/refusal.ts';

/** A question, with what enforcement always asks for. */
export type Vendor = Readonly<Record<string, unknown>>;

/** Loads policies from a text, as from a file with other files beside it. */
export function policiesFrom(
  yaml: string,
  otherFiles: Readonly<Record<string, string>> = {},
  maskKeys?: ReadonlySet<string>,
): PolicyFile {
  const directory = mkdtempSync(path.join(tmpdir(), 'policies-'));
  try {
    for (const [name, text] of Object.entries({ ...otherFiles, 'policies.yaml': yaml })) {
      writeFileSync(path.join(directory, name), text);
    }
    return loadPolicyFile(path.join(directory, 'policies.yaml'), maskKeys);
  } finally {
    rmSync(directory, { recursive: true });
  }
}

/** The decision of the embedded PDP as an object. The flags that enforcement sets are set. */
export async function ask(
  policies: PolicyFile,
  vendor: Vendor = {},
  { calculationType = 'resolution', headers = [] }: Partial<Asked> = {},
): Promise<unknown> {
  const question = { includeAssetAttributes: true, includeAccessPolicy: true, ...vendor };
  try {
    const read = readQuestion(Buffer.from(JSON.stringify(question)));
    return await decide(policies, calculationType, read, headers);
  } catch (error) {
    throw error instanceof PdpRefusal ? serviceErrorFrom(error) : error;
  }
}

/** What a decision with these sections looks like. */
export function decision(sections: {
  readonly access?: readonly unknown[];
  readonly allowed?: readonly unknown[];
  readonly denied?: readonly unknown[];
}): unknown {
  const { access = [], allowed = [], denied = [] } = sections;
  return { tokenValidity: 0, maskShort: true, response: [{ access, privileges: { allowed, denied } }] };
}

/** An entry of the access section for one property. */
export function accessEntry(column: string, action: string, policy: string): unknown {
  return {
    path: column,
    resourceType: 'columns',
    attributes: { column: [column] },
    actions: [{ action }],
    policies: [{ name: policy, metadata: {} }],
  };
}
