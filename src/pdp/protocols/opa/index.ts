import { TOP, namesOf, scan, stringAt } from '../../../core/index.ts';
import { DEEPEST, type HeaderFields, type Question } from '../../../enforcement/index.ts';
import type { Message } from '../../port.ts';
import {
  accessQuestion,
  member,
  memberAt,
  objectOf,
  type AccessQuestionSettings,
} from '../../access-question.ts';
import { discreet, parseAnswer, validityIn } from '../../decisions/index.ts';
import { onlyAnswer, type Protocol } from '../../protocol.ts';
import { readCompiled } from './compile-answer.ts';
import { readResult, type ResultSettings } from './data-answer.ts';

export { OPA_KEYS } from './section.ts';

/** How OPA is asked. */
export interface OpaSettings extends AccessQuestionSettings, ResultSettings {
  /** The document, `/v1/data/…`, or the filters, `/v1/compile/…`. */
  readonly url: URL;
  /** Names of request headers that the policy may see. */
  readonly pdpHeaders: readonly string[];
}

/** As deep as a request may nest, in one more object. */
const MAX_DEPTH = DEEPEST + 1;
const LIST = { open: Buffer.from('['), close: Buffer.from(']'), before: '', after: '' };
const COMPILE = '/v1/compile/';
/** Filters in a form that does not depend on a database, and masks. */
const UCAST = 'application/vnd.opa.ucast.all+json';

/** OPA's REST API: a document of a policy, or filters and masks that OPA compiles from one (docs/opa.md). */
export function opaProtocol(settings: OpaSettings): Protocol {
  const isCompile = settings.url.pathname.startsWith(COMPILE);
  const accept = isCompile ? UCAST : undefined;
  const ask = (question: Question): Message => ({
    url: settings.url,
    accept,
    body: Buffer.from(inputOf(question, settings)),
  });
  return discreet({
    ask: (question) => [ask(question)],
    read(answers, question) {
      const answer = parseAnswer(onlyAnswer(answers));
      return isCompile
        ? readCompiled(answer, question.settings)
        : readResult(answer, question, () => ask(question), settings);
    },
    readingOf: ({ assets }) => assets?.ids,
    validityOf: (answers) => (isCompile ? undefined : validityIn(onlyAnswer(answers), 'result')),
  });
}

function inputOf(question: Question, settings: OpaSettings): string {
  const { subject, action, resource, context } = accessQuestion(question, settings);
  const headers =
    settings.pdpHeaders.length === 0 ? [] : [member('headers', headersText(question, settings))];
  const input = objectOf([
    member('subject', subject),
    member('action', action),
    member('resource', withIds(resource, question)),
    member('context', context),
    ...headers,
  ]);
  return objectOf([member('input', input)]);
}

/** In context mode, the resource lists the assets that the question is about. */
function withIds(resource: string, { assets }: Question): string {
  if (assets === undefined) return resource;
  const doc = scan(Buffer.from(resource), MAX_DEPTH);
  const others = [...namesOf(doc, TOP)].filter((name) => stringAt(doc, name) !== 'ids');
  const ids = member('ids', assets.idsAsJson(LIST).toString());
  return objectOf([...others.map((name) => memberAt(doc, name)), ids]);
}

function headersText({ headers }: Question, { pdpHeaders }: OpaSettings): string {
  const named = pdpHeaders.map((name) => name.toLowerCase());
  const present = named.flatMap((name) => {
    const value = valueOf(headers, name);
    return value === undefined ? [] : [[name, value] as const];
  });
  return JSON.stringify(Object.fromEntries(present));
}

/** Fields that are repeated are one list (RFC 9110 §5.3), cookies one string. */
function valueOf(headers: HeaderFields, wanted: string): string | undefined {
  const values = headers.filter(([name]) => name.toLowerCase() === wanted).map(([, value]) => value);
  return values.length === 0 ? undefined : values.join(wanted === 'cookie' ? '; ' : ', ');
}
