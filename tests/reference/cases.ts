import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { EnforcementProblem, ReferenceConfig, ReferenceParameters } from './enforce.ts';

interface CaseFile {
  readonly config: ReferenceConfig;
  readonly cases: readonly Case[];
}

/** A conformance case, as far as the reference can be asked it. */
interface Case {
  readonly name: string;
  readonly config?: Readonly<Record<string, unknown>>;
  readonly request: {
    readonly parameters: ReferenceParameters;
    readonly vendor: EnforcementProblem['vendor'];
    readonly body?: unknown;
    readonly json?: unknown;
    readonly jsonRaw?: string;
  };
  readonly pdp?: { readonly status?: number; readonly body: unknown; readonly raw?: true };
  readonly expect: {
    readonly status: number;
    readonly json?: unknown;
    readonly jsonAny?: readonly unknown[];
    readonly raw?: string;
    readonly logs?: readonly string[];
    readonly notLogs?: readonly string[];
  };
}

interface NamedProblem {
  readonly name: string;
  readonly problem: EnforcementProblem;
  readonly expect: Case['expect'];
}

const NO_RULES = { response: [] };
const FOLDER = path.resolve('tests/conformance/cases');
/** What the reference answers. Every other status is decided before a decision meets a payload. */
const STATUSES: ReadonlySet<number> = new Set([200, 400, 422, 502]);

/** The conformance cases in which a PDP's answer is enforced on a payload. */
export function enforcementCases(): NamedProblem[] {
  return readdirSync(FOLDER)
    .filter((file) => file.endsWith('.json'))
    .flatMap((file) => problemsOf(file));
}

function problemsOf(file: string): NamedProblem[] {
  const { config, cases }: CaseFile = JSON.parse(readFileSync(path.join(FOLDER, file), 'utf8'));
  return cases.filter(isAboutEnforcement).map((each) => ({
    name: `${file}: ${each.name}`,
    problem: problemOf(config, each),
    expect: each.expect,
  }));
}

/** The reference reads decisions of the resolution protocol only. */
function isAboutEnforcement({ config, request, pdp, expect }: Case): boolean {
  if (config?.['pdpProtocol'] !== undefined) return false;
  return request.body === undefined && pdp?.status === undefined && STATUSES.has(expect.status);
}

function problemOf(base: ReferenceConfig, { config = {}, request, pdp }: Case): EnforcementProblem {
  const { parameters, vendor, json, jsonRaw = JSON.stringify(json) } = request;
  const decisionText = pdp?.raw === true ? String(pdp.body) : undefined;
  const decision = pdp?.body ?? NO_RULES;
  return { config: overridden(base, config), parameters, vendor, jsonText: jsonRaw, decision, decisionText };
}

/** A case may override keys of the configuration; null removes one. */
function overridden(base: ReferenceConfig, changes: Readonly<Record<string, unknown>>): ReferenceConfig {
  const entries = Object.entries({ ...base, ...changes }).filter(([, value]) => value !== null);
  return Object.fromEntries(entries);
}
