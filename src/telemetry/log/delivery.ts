import { Writable } from 'node:stream';
import type { LogSink } from './sink.ts';

/**
 * The stream that winston writes to: hands each line to the sink at once. When lines were lost and others got through
 * since, a notice follows, so that the log itself says where it is not whole.
 *
 * @param notice the line for so many lost since the start.
 */
export function deliverTo(sink: LogSink, notice: (lost: number) => string): Writable {
  let reported = 0;
  let seen = 0;

  function reportLoss(): void {
    const { lost } = sink;
    // While the count still grows, the notice would be lost as well.
    if (lost > reported && lost === seen) {
      reported = lost;
      sink.write(notice(lost));
    }
    seen = lost;
  }

  return new Writable({
    decodeStrings: false,
    write(line: string, _encoding, done) {
      reportLoss();
      sink.write(line);
      done();
    },
  });
}
