/**
 * How deep an answer of a PDP may nest: five hundred conditions in each other, each in a list. Twice as deep, reading them would need
 * more than the stack of the process.
 */
export const DEEPEST_DECISION = 1024;
