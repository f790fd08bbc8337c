const BODY = `{
  "parameters": {},
  "vendor": { "entityTypeId": "Agent", "entityId": "jane" },
  "json": [
    { "id": "c1", "name": "Ann Lee", "country": "US", "creditLimit": 12500.0, "phone": "+1 202 555 0143" },
    { "id": "c3", "name": "Eva Sol", "country": "ES", "creditLimit": 4000.0, "phone": "+34 91 555 0123" }
  ]
}`;

/** A command that puts a payload to the service of `make run`; the README has the same. */
export function sampleCurl(port: number): string {
  return `curl -sS http://127.0.0.1:${port}/enforce -H 'Content-Type: application/json' -d '${BODY}'`;
}
