/** What a curl command sends. */
interface CurlRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

const COMMAND = /curl -sS (?<url>\S+) -H '(?<name>[^:']+): (?<value>[^']+)' -d '(?<body>[^']+)'/u;

/** Reads the curl command in a text, so that it can be tried without curl. */
export function curlIn(text: string): CurlRequest {
  const { url = '', name = '', value = '', body = '' } = COMMAND.exec(text)?.groups ?? {};
  return { url, headers: { [name]: value }, body };
}
