import type { PdpQuestion } from '../../port.ts';
import { evaluate } from './evaluate.ts';
import { identifyCaller } from './identify.ts';
import type { PolicyFile } from './policy.ts';
import { readQuestion } from './question.ts';

/**
 * Answers one question to the PDP.
 *
 * @returns the decision (enforcement §5), JSON in UTF-8
 * @throws PdpRefusal where there is none: 400 the question is not understood, 401 who asks is not known, 403 may not ask
 */
export async function answerQuestion(
  file: PolicyFile,
  { calculationType, headers, body }: PdpQuestion,
): Promise<Uint8Array> {
  const question = readQuestion(body);
  const caller = await identifyCaller(file, question, headers);
  const decision = evaluate(file, calculationType, question, caller);
  return new TextEncoder().encode(JSON.stringify(decision));
}
