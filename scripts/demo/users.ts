/** A user whose view the demo shows. */
export interface User {
  readonly title: string;
  readonly entityId: string;
  readonly entityTypeId: string;
}

/** The two users that examples/policies/demo.yaml treats differently. */
export const USERS: readonly User[] = [
  { title: 'What Jane, an agent, gets', entityId: 'jane', entityTypeId: 'Agent' },
  { title: 'What Max, a manager, gets', entityId: 'max', entityTypeId: 'Manager' },
];
