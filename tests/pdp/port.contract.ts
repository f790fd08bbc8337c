import { inspect } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { HeaderFields, PdpPort, PdpQuestion } from '../../src/pdp/port.ts';

/** The scope that the PDP behind a port knows, and the user whom the tokens that it believes name. */
export const SCOPE = { clientId: 'scope-1', clientSecret: 'very-s3cret' } as const;
export const USER = 'jane';

/**
 * A port to a PDP that lets {@link SCOPE} in with its secret, or with a token for what concerns {@link USER}. It masks
 * `ssn`, in the records of any asset of type `Customer` too.
 */
export interface PdpUnderTest {
  readonly port: PdpPort;
  /** A token of the user that the PDP believes. */
  readonly token: string;
  /** Stops whatever stands behind the port. */
  readonly stop: () => Promise<void>;
}

type Members = Readonly<Record<string, unknown>>;

/** The body of a PDP request in context, which serves for resolution too. */
function body(members: Members): Uint8Array {
  const asked = {
    includeAssetAttributes: true,
    includeAccessPolicy: true,
    resourceTypes: [{ name: 'columns' }, { name: 'Customer' }],
    assetList: [{ template: 'Customer', path: 'c-1' }],
  };
  return new TextEncoder().encode(JSON.stringify({ ...asked, ...members }));
}

function question(members: Members, parts: Partial<PdpQuestion> = {}): PdpQuestion {
  return { calculationType: 'resolution', headers: [], body: body(members), ...parts };
}

function inContext(path: string): PdpQuestion {
  const members = { ...SCOPE, assetList: [{ template: 'Customer', path }] };
  return question(members, { calculationType: 'context' });
}

function bearer(token: string): HeaderFields {
  return [['authorization', `Bearer ${token}`]];
}

/** The JSON of a decision with one response that has an access entry like this. */
function decisionWith(entry: Members): unknown {
  const access: unknown = expect.arrayContaining([expect.objectContaining(entry)]);
  return expect.objectContaining({ response: [expect.objectContaining({ access })] });
}

async function decided(port: PdpPort, asked: PdpQuestion): Promise<unknown> {
  return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(await port.decide(asked)));
}

/** What every way to a PDP has in common (enforcement §4, §5 and §10). */
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

    it('answers a question of resolution with a decision about properties', async () => {
      const decision = await decided(pdp.port, question(SCOPE));
      expect(decision).toEqual(decisionWith({ resourceType: 'columns', path: 'ssn' }));
    });

    it('answers a question in context with a decision about the assets that it names', async () => {
      const decision = await decided(pdp.port, inContext('c-1'));
      expect(decision).toEqual(decisionWith({ resourceType: 'Customer', path: 'c-1' }));
    });

    it('answers questions that are asked at the same time, each with its own decision', async () => {
      const paths = Array.from({ length: 20 }, (_, i) => `c-${i}`);
      const decisions = await Promise.all(paths.map((path) => decided(pdp.port, inContext(path))));
      expect(decisions).toEqual(paths.map((path) => decisionWith({ resourceType: 'Customer', path })));
    });

    it('passes the headers on, so that a token alone lets a scope in', async () => {
      const asked = question({ clientId: SCOPE.clientId, entityId: USER }, { headers: bearer(pdp.token) });
      expect(await decided(pdp.port, asked)).toEqual(decisionWith({ path: 'ssn' }));
    });

    it('takes the body from a part of a buffer and leaves it as it is', async () => {
      const bytes = body(SCOPE);
      const buffer = new Uint8Array(bytes.length + 2).fill(0x7b);
      buffer.set(bytes, 1);
      const before = buffer.slice();
      await pdp.port.decide(question({}, { body: buffer.subarray(1, -1) }));
      expect(buffer).toEqual(before);
    });

    it('is rejected as unauthorized where the secret is wrong, and does not repeat it', async () => {
      const clientSecret = 'wr0ng-s3cret';
      const error: unknown = await pdp.port
        .decide(question({ ...SCOPE, clientSecret }))
        .catch((thrown) => thrown);
      expect(error).toMatchObject({ name: 'ServiceError', code: 'pdp-unauthorized', status: 401 });
      expect(inspect(error, { depth: 20, showHidden: true })).not.toContain(clientSecret);
    });

    it('is rejected as unauthorized where there is neither a secret nor a token', async () => {
      await expect(pdp.port.decide(question({ clientId: SCOPE.clientId }))).rejects.toMatchObject({
        code: 'pdp-unauthorized',
        message: expect.stringMatching(/./),
      });
    });

    it('says with what scheme to authenticate where it is rejected as unauthorized', async () => {
      await expect(pdp.port.decide(question({ clientId: SCOPE.clientId }))).rejects.toMatchObject({
        headers: { 'WWW-Authenticate': 'Bearer' },
      });
    });

    it('takes a question that lists very many assets', async () => {
      const assetList = Array.from({ length: 50_000 }, (_, i) => ({
        template: 'Customer',
        path: `customer-${i}`,
      }));
      const asked = question({ ...SCOPE, assetList });
      expect(asked.body.byteLength).toBeGreaterThan(2 ** 21);
      expect(await decided(pdp.port, asked)).toEqual(decisionWith({ path: 'ssn' }));
    });

    it('is rejected as forbidden where the token is that of somebody else, and does not repeat it', async () => {
      const asked = question({ clientId: SCOPE.clientId, entityId: 'joe' }, { headers: bearer(pdp.token) });
      const error: unknown = await pdp.port.decide(asked).catch((thrown) => thrown);
      expect(error).toMatchObject({ name: 'ServiceError', code: 'pdp-forbidden', status: 403 });
      expect(inspect(error, { depth: 20, showHidden: true })).not.toContain(pdp.token);
    });

    it('is rejected as failed where the PDP cannot read the question', async () => {
      const asked = question({}, { body: new TextEncoder().encode('{"clientId":') });
      await expect(pdp.port.decide(asked)).rejects.toMatchObject({ code: 'pdp-failed', status: 502 });
    });

    it('is rejected with the reason of the signal where nobody wants the answer any more', async () => {
      const reason = new Error('the caller went away');
      const asked = question(SCOPE, { signal: AbortSignal.abort(reason) });
      await expect(pdp.port.decide(asked)).rejects.toBe(reason);
    });

    it('goes on after a question that was rejected', async () => {
      await pdp.port.decide(question({})).catch(() => undefined);
      expect(await decided(pdp.port, question(SCOPE))).toEqual(decisionWith({ path: 'ssn' }));
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
