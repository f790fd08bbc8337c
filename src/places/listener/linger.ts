/** How long a caller has to read an answer that ends the connection while more of its message may come, in milliseconds. */
export const LINGER = 500;
