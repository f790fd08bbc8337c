import type { Settings, User, Work } from './work.ts';

/** The parts of a request to `/enforce` that the reader types, without the payload. */
export interface Question {
  readonly parameters: Readonly<Record<string, string | boolean>>;
  readonly vendor: Readonly<Record<string, unknown>>;
}

const PARAMETERS = [
  'root',
  'assetType',
  'calculationType',
  'maskString',
  'assetId',
  'protectedObject',
] as const;

/** What a user asks of the service. */
export function questionOf({ settings }: Pick<Work, 'settings'>, user: User): Question {
  const { entityTypeId, entityId, clientId = '' } = user;
  const environment = settings.mapper === '' ? {} : { environment: { resourceFullPath: [settings.mapper] } };
  return {
    parameters: parametersOf(settings),
    vendor: { ...filled({ clientId, entityTypeId, entityId }), ...environment },
  };
}

/** What the page asks its server: the question, with the policies and the payload as texts, so that both may be wrong. */
export function explainRequest(work: Work, user: User): string {
  const { source, settings, payload } = work;
  const { attrName, object, filterDefault } = settings;
  return JSON.stringify({
    ...questionOf(work, user),
    claims: user.claims,
    source: { kind: source, text: work[source] },
    settings: filled({ attrName, object, filterDefault }),
    payload,
  });
}

function parametersOf(settings: Settings): Question['parameters'] {
  const texts = filled(Object.fromEntries(PARAMETERS.map((name) => [name, settings[name]])));
  return settings.filter === '' ? texts : { ...texts, filter: settings.filter === 'true' };
}

function filled(texts: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(texts).filter(([, value]) => value !== ''));
}
