import type { Rules } from '../../core/index.ts';
import type { Question } from '../../enforcement/index.ts';
import { ServiceError } from '../../errors.ts';
import type { Answers, Message } from '../port.ts';
import { quotesConfidential } from './confidential.ts';

const NOT_SHOWN = 'What is wrong with the answer is not shown: names in it quote credentials or identifiers.';

/** What asks a PDP and reads its answers. */
interface Reader {
  ask(question: Question): readonly Message[];
  read(answers: Answers, question: Question): Rules;
}

/**
 * A protocol whose errors show no names of an answer that quote anything confidential: answers may have members that are named after
 * assets or users.
 */
export function discreet<P extends Reader>(protocol: P): P {
  return {
    ...protocol,
    read(answers, question) {
      try {
        return protocol.read(answers, question);
      } catch (error) {
        throw quotes(error, protocol, question) ? withoutMessage(error) : error;
      }
    },
  };
}

/** Whether the names that an error shows quote what the PDP was asked, which is built again only for that. */
function quotes(error: unknown, protocol: Reader, question: Question): error is ServiceError {
  if (!(error instanceof ServiceError) || error.quoted.length === 0) return false;
  const names = error.quoted.join(' ');
  const { headers } = question;
  return protocol.ask(question).some((message) => quotesConfidential(names, { ...message, headers }));
}

function withoutMessage({ code, title }: ServiceError): ServiceError {
  return new ServiceError(code, `${title}. ${NOT_SHOWN}`);
}
