const MS_PER_SECOND = 1000;

let second = NaN;
/** The time up to the point of the seconds. */
let beginning = '';

/** The time, ISO 8601 in UTC. All but the milliseconds is written once a second: there is a line for each request. */
export function now(): string {
  const time = Date.now();
  const ms = time % MS_PER_SECOND;
  if (time - ms !== second) {
    second = time - ms;
    beginning = new Date(second).toISOString().slice(0, -'000Z'.length);
  }
  return `${beginning}${ms < 10 ? '00' : ms < 100 ? '0' : ''}${ms}Z`;
}
