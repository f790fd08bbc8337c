import * as z from 'zod/mini';
import { NEW_WORK, readWork, type Example, type Work } from './work.ts';
import { DAMAGED, workFrom } from './permalink.ts';

/** What the page begins with. */
export interface Start {
  readonly work: Work;
  /** What the work shows, or why it is not that of the link; empty if it is the reader's own. */
  readonly note: string;
  readonly examples: readonly Example[];
}

const startSchema = z.object({
  /** The policy file that the playground was started with, if it was. */
  policies: z.optional(z.string()),
  examples: z.array(z.object({ title: z.string(), note: z.string(), work: z.unknown() })),
});

/** The work of the link, else that of the policy file, else the first example. */
export async function loadStart(): Promise<Start> {
  const response = await fetch('/start.json');
  const { policies, examples: found } = startSchema.parse(await response.json());
  const examples = found.flatMap(({ title, note, work: written }) => {
    const work = readWork(written);
    return work === undefined ? [] : [{ title, note, work }];
  });
  const linked = await workFrom(location.hash);
  const ofFile = policies === undefined ? undefined : { ...NEW_WORK, policies };
  if (linked === 'damaged') return { work: ofFile ?? NEW_WORK, note: DAMAGED, examples };
  const own = linked ?? ofFile;
  const [first] = examples;
  if (own !== undefined || first === undefined) return { work: own ?? NEW_WORK, note: '', examples };
  return { ...first, examples };
}
