/** By how much the clock of an issuer of tokens may differ at most, in seconds. Clocks that differ by more are wrong. */
export const MOST_CLOCK_TOLERANCE = 300;
