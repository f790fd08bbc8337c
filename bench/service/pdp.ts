/**
 * A PDP that answers every question with the same four masks, at once: `node bench/service/pdp.ts`. It answers OPA's data API
 * with a rules document, and any other path with a decision. It sends its port to its parent.
 */
import { serveJson } from '../json-server.ts';
import { maskOnly, maskOnlyInRules, PROPERTIES } from '../payloads/decision.ts';

const MASKED = PROPERTIES.slice(0, 4);
const DECISION = maskOnly(MASKED);
const DOCUMENT = JSON.stringify({ result: { rules: maskOnlyInRules(MASKED) } });

serveJson((path) => (path.startsWith('/v1/data/') ? DOCUMENT : DECISION));
