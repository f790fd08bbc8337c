import * as fc from 'fast-check';

// Of a list that may have 40 elements, fast-check makes one of 12 at most unless it is told otherwise.
fc.configureGlobal({ defaultSizeToMaxWhenMaxSpecified: true });
