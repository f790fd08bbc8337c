/** Somebody whom the service is asked for. */
export interface User {
  readonly title: string;
  readonly entityId: string;
  readonly entityTypeId: string;
}

/** The two users whom examples/policies/demo.yaml tells apart. */
export const USERS: readonly User[] = [
  { title: 'what Jane gets, an agent', entityId: 'jane', entityTypeId: 'Agent' },
  { title: 'what Max gets, a manager', entityId: 'max', entityTypeId: 'Manager' },
];
