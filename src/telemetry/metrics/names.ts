/** The name of a metric of this service; those of the process and of Node keep the names that everyone has for them. */
export function metricName(name: string): string {
  return `authz_jsonmasking_${name}`;
}
