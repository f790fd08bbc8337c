import { Kind, kindOf, namesOf, scan, stringAt, TOP } from '../../core/index.ts';
import { DEEPEST } from '../../enforcement/index.ts';
import { CommandFailure } from './command-failure.ts';

/**
 * The `vendor` of a command line, as JSON text.
 *
 * @param as a user as `--as` has it: entity type, slash, id
 * @param vendor the JSON text of `--vendor`; it may be wrong, unless it is combined with a user
 * @throws CommandFailure if the user is not readable, or is named by both
 */
export function vendorFrom(as: string | undefined, vendor = '{}'): string {
  if (as === undefined) return vendor;
  const [type = '', ...rest] = as.split('/');
  const id = rest.join('/');
  if (type === '' || id === '')
    throw new CommandFailure('--as has to be an entity type and an id, such as Agent/jane.');
  const names = namesIn(vendor);
  const taken = ['entityTypeId', 'entityId'].find((name) => names.includes(name));
  if (taken !== undefined)
    throw new CommandFailure(`--as and --vendor both give ${taken}; keep one of them.`);
  const user = `"entityTypeId":${JSON.stringify(type)},"entityId":${JSON.stringify(id)}`;
  const members = vendor.trim().slice(1);
  return names.length === 0 ? `{${user}${members}` : `{${user},${members}`;
}

function namesIn(vendor: string): readonly string[] {
  try {
    const doc = scan(Buffer.from(vendor), DEEPEST);
    if (kindOf(doc, TOP) === Kind.object) return Array.from(namesOf(doc, TOP), (name) => stringAt(doc, name));
  } catch {
    // Said below: what is wrong with the text is of no interest here.
  }
  throw new CommandFailure('--vendor has to be a JSON object.');
}
