/**
 * A PDP that answers every question with the decision that its parent told it last: `node bench/decisions/pdp.ts`. If that is to be
 * new, each answer has another number in each place of {@link FIRST_NUMBER}. It sends its port to its parent.
 */
import { FIRST_NUMBER } from '../core/cases.ts';
import { serveJson } from '../json-server.ts';
import { told, type Told } from './told.ts';

let current: Told = { decision: '{"response":[]}', isNew: false };
let number = FIRST_NUMBER;

function answer(): string {
  if (!current.isNew) return current.decision;
  number += 1;
  return current.decision.replaceAll(String(FIRST_NUMBER), String(number));
}

serveJson(answer);
process.on('message', (message) => {
  current = told.parse(message);
  process.send?.({});
});
