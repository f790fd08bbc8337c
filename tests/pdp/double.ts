import type { Answers, Call, Transport } from '../../src/pdp/port.ts';

/** A question on its way, which the test answers. */
interface Asked {
  readonly question: Call;
  readonly answer: (text: string) => void;
  readonly fail: (error: unknown) => void;
}

/** A PDP in the hands of a test, which sees each question and answers it when it likes. */
export interface PdpDouble extends Transport {
  /** What was asked, oldest first. */
  readonly asked: readonly Asked[];
  /** Has every question from now on answered at once; undefined leaves them to the test again. */
  readonly always: (outcome: (() => string) | undefined) => void;
  readonly isClosed: () => boolean;
}

/** The text of the one answer of a call. */
export function textOf(answers: Answers): string {
  return answers.map((answer) => Buffer.from(answer).toString()).join('\n');
}

/** A question is given up when its signal is aborted, as the port has it. */
export function createPdpDouble(): PdpDouble {
  const asked: Asked[] = [];
  let outcome: (() => string) | undefined;
  let closed = false;
  return {
    asked,
    always: (next) => {
      outcome = next;
    },
    isClosed: () => closed,
    async decide(question) {
      question.signal?.throwIfAborted();
      const { promise, resolve, reject } = Promise.withResolvers<Answers>();
      const answer = (text: string): void => resolve([Buffer.from(text)]);
      question.signal?.addEventListener('abort', () => reject(question.signal?.reason));
      asked.push({ question, answer, fail: reject });
      if (outcome !== undefined) settle(outcome, answer, reject);
      return promise;
    },
    connection: () =>
      Promise.resolve(closed ? { connected: false, reason: 'it is closed' } : { connected: true }),
    close() {
      closed = true;
      return Promise.resolve();
    },
  };
}

function settle(outcome: () => string, answer: Asked['answer'], fail: Asked['fail']): void {
  try {
    answer(outcome());
  } catch (error) {
    fail(error);
  }
}
