/** The name of a header field with `-` for `_`: applications behind CGI and WSGI cannot distinguish the two. */
export function dashed(name: string): string {
  return name.replaceAll('_', '-');
}
