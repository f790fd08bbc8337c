/** What is not known of a caller, in words that complete "it depends on …". */
export type Unknown = 'entityId' | 'entityTypeId' | 'bearer token' | 'claim';

/** True, false, or what has to be known to decide (the logic of Kleene). */
export type Truth = boolean | Unknown;

export function both(terms: Iterable<Truth>): Truth {
  let result: Truth = true;
  for (const term of terms) {
    if (term === false) return false;
    if (result === true) result = term;
  }
  return result;
}

export function either(terms: Iterable<Truth>): Truth {
  let result: Truth = false;
  for (const term of terms) {
    if (term === true) return true;
    if (result === false) result = term;
  }
  return result;
}

export function not(term: Truth): Truth {
  return typeof term === 'boolean' ? !term : term;
}
