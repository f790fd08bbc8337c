import { inspect } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { Path } from '../../src/core/paths/path.ts';
import type { Rules } from '../../src/core/rule.ts';
import type { HeaderFields, Question } from '../../src/enforcement/question.ts';
import type { Pdp } from '../../src/pdp/port.ts';
import { questionInContext, questionOf } from './questions.ts';

/** The scope that the PDP behind a port knows, and the user whom the tokens that it believes name. */
export const SCOPE = { clientId: 'scope-1', clientSecret: 'very-s3cret' } as const;
export const USER = 'jane';

/**
 * A port to a PDP that lets {@link SCOPE} in with its secret, or with a token for what concerns {@link USER}. It masks
 * `ssn`, in the records of any asset of type `Customer` too.
 */
export interface PdpUnderTest {
  readonly port: Pdp;
  /** A token of the user that the PDP believes. */
  readonly token: string;
  /** Stops whatever stands behind the port. */
  readonly stop: () => Promise<void>;
}

type Members = Readonly<Record<string, unknown>>;

/** The user whom every question is about, unless it says otherwise. */
const ABOUT_USER = { entityTypeId: 'User', entityId: USER };

function question(members: Members, parts: Partial<Question> = {}): Question {
  return questionOf({ ...ABOUT_USER, ...members }, parts);
}

function inContext(...ids: readonly string[]): Question {
  return questionInContext({ ...ABOUT_USER, ...SCOPE }, { type: 'Customer', ids });
}

function bearer(token: string): HeaderFields {
  return [['authorization', `Bearer ${token}`]];
}

/** What is to be masked, as paths, and the assets that it is masked for. */
function maskedIn({ properties }: Rules): unknown {
  return properties.map(({ about, assetIds }) => ({
    ...('properties' in about && { paths: about.properties.map((path) => path.map(nameOf).join('.')) }),
    ...(assetIds && { assets: [...assetIds] }),
  }));
}

function nameOf(segment: Path[number]): string {
  return segment.kind === 'name' ? segment.name : segment.kind;
}

const SSN = { paths: ['ssn'] };

async function decided(pdp: Pdp, asked: Question): Promise<unknown> {
  return maskedIn((await pdp.decide(asked)).rules);
}

/** What every way to a PDP has in common (docs/pdp-contract.md). */
export function describePdpPort(name: string, setup: () => Promise<PdpUnderTest>): void {
  describe(`the port to a PDP, ${name},`, () => {
    let pdp: PdpUnderTest;

    beforeEach(async () => {
      pdp = await setup();
    });
    afterEach(async () => {
      await pdp.port.close();
      await pdp.stop();
    });

    it('answers a question of resolution with rules about properties', async () => {
      expect(await decided(pdp.port, question(SCOPE))).toEqual([SSN]);
    });

    it('answers a question in context with rules about the assets that it names', async () => {
      expect(await decided(pdp.port, inContext('c-1'))).toContainEqual({ ...SSN, assets: ['c-1'] });
    });

    it('answers questions that are asked at the same time, each with its own decision', async () => {
      const ids = Array.from({ length: 20 }, (_, i) => `c-${i}`);
      const decisions = await Promise.all(ids.map((id) => decided(pdp.port, inContext(id))));
      expect(decisions).toEqual(ids.map((id) => expect.arrayContaining([{ ...SSN, assets: [id] }])));
    });

    it('gives equal decisions the same fingerprint, and others another', async () => {
      const [one, same, other] = await Promise.all(
        ['c-1', 'c-1', 'c-2'].map(async (id) => (await pdp.port.decide(inContext(id))).fingerprint),
      );
      expect(same).toEqual(one);
      expect(other).not.toEqual(one);
    });

    it('passes the headers on, so that a token alone lets a scope in', async () => {
      const asked = question({ clientId: SCOPE.clientId }, { headers: bearer(pdp.token) });
      expect(await decided(pdp.port, asked)).toEqual([SSN]);
    });

    it('leaves the request as it is', async () => {
      const asked = question(SCOPE);
      const before = Buffer.from(asked.vendor.doc.bytes);
      await pdp.port.decide(asked);
      expect(asked.vendor.doc.bytes).toEqual(before);
    });

    it('is rejected as unauthorized if the secret is wrong, and does not repeat it', async () => {
      const clientSecret = 'wr0ng-s3cret';
      const error: unknown = await pdp.port
        .decide(question({ ...SCOPE, clientSecret }))
        .catch((thrown) => thrown);
      expect(error).toMatchObject({ name: 'ServiceError', code: 'pdp-unauthorized' });
      expect(inspect(error, { depth: 20, showHidden: true })).not.toContain(clientSecret);
    });

    it('is rejected as unauthorized if there is neither a secret nor a token', async () => {
      await expect(pdp.port.decide(question({ clientId: SCOPE.clientId }))).rejects.toMatchObject({
        code: 'pdp-unauthorized',
        message: expect.stringMatching(/./),
      });
    });

    it('says with what scheme to authenticate if it is rejected as unauthorized', async () => {
      await expect(pdp.port.decide(question({ clientId: SCOPE.clientId }))).rejects.toMatchObject({
        headers: { 'WWW-Authenticate': 'Bearer' },
      });
    });

    it('takes a question about very many assets', async () => {
      const ids = Array.from({ length: 20_000 }, (_, i) => `customer-${i}`);
      expect(await decided(pdp.port, inContext(...ids))).toContainEqual(
        expect.objectContaining({ assets: expect.arrayContaining(['customer-19999']) }),
      );
    });

    it('is rejected as forbidden if the token is that of somebody else, and does not repeat it', async () => {
      const asked = question({ clientId: SCOPE.clientId, entityId: 'joe' }, { headers: bearer(pdp.token) });
      const error: unknown = await pdp.port.decide(asked).catch((thrown) => thrown);
      expect(error).toMatchObject({ name: 'ServiceError', code: 'pdp-forbidden' });
      expect(inspect(error, { depth: 20, showHidden: true })).not.toContain(pdp.token);
    });

    it('is rejected with the reason of the signal if nobody wants the answer any more', async () => {
      const reason = new Error('the caller went away');
      const asked = question(SCOPE, { signal: AbortSignal.abort(reason) });
      await expect(pdp.port.decide(asked)).rejects.toBe(reason);
    });

    it('answers after a question that was rejected', async () => {
      await pdp.port.decide(question({})).catch(() => undefined);
      expect(await decided(pdp.port, question(SCOPE))).toEqual([SSN]);
    });

    it('is connected, before a question and after one', async () => {
      expect(await pdp.port.connection()).toEqual({ connected: true });
      await pdp.port.decide(question(SCOPE));
      expect(await pdp.port.connection()).toEqual({ connected: true });
    });

    it('is no longer connected once it is closed, and says why', async () => {
      await pdp.port.decide(question(SCOPE));
      await pdp.port.close();
      expect(await pdp.port.connection()).toEqual({
        connected: false,
        reason: expect.stringMatching(/closed/),
      });
    });

    it('cannot be asked once it is closed, and may be closed again', async () => {
      await pdp.port.close();
      await expect(pdp.port.decide(question(SCOPE))).rejects.toMatchObject({ code: 'pdp-unreachable' });
      await expect(pdp.port.close()).resolves.toBeUndefined();
    });
  });
}
