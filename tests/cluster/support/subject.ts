import type { Load } from './callers.ts';

/** A Deployment that callers depend on, by the release that it is of. */
export interface Subject {
  /** In a sentence, such as "the service". */
  readonly name: string;
  readonly release: string;
  readonly chart: string;
  readonly deployment: string;
  /** Selects its pods. */
  readonly selector: string;
  /** The values of the release; another number rolls the pods. */
  readonly values: (change: number) => object;
  /** What the callers send, in a namespace. */
  readonly load: (namespace: string) => Load;
  readonly killed: {
    /** The container whose process is killed; the first one if it is missing. */
    readonly container?: string;
    /** Kinds of losses that may happen until the cluster notices: nothing of them is in progress in the killed process. */
    readonly unbegun: RegExp;
    /** Kinds of losses of what is in progress: one for each caller at most. */
    readonly cut: RegExp;
  };
}
