import type { CalculationType, HeaderFields } from '../../port.ts';
import type { Decision } from './decision.ts';
import { evaluate } from './evaluate.ts';
import { identifyCaller, type Identify } from './identify.ts';
import type { PolicyFile } from '../../policies/index.ts';
import type { Question } from './question.ts';

/**
 * Answers one question to the PDP.
 *
 * @param identify how it finds out who asks
 * @throws PdpRefusal if there is no decision: 400 the question is not understood, 401 who asks is not known, 403 may not ask
 */
export async function decide(
  file: PolicyFile,
  calculationType: CalculationType,
  question: Question,
  headers: HeaderFields,
  identify: Identify = identifyCaller,
): Promise<Decision> {
  const caller = await identify(file, question, headers);
  return evaluate(file, calculationType, question, caller);
}
