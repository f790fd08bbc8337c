const OTHER = /[^a-z\d-]/iu;
const OTHERS = /[^a-z\d-]/giu;

/** Whether a name of a header field has other characters than letters, digits and `-`. */
export function isOddlySpelt(name: string): boolean {
  return OTHER.test(name);
}

/**
 * The name of a header field with `-` for `_` and other characters: applications behind CGI and WSGI cannot distinguish the two, and
 * some servers and PHP make `_` of `.` and others.
 */
export function dashed(name: string): string {
  return isOddlySpelt(name) ? name.replaceAll(OTHERS, '-') : name;
}
