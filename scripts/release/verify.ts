import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Spec, Validation } from '@cyclonedx/cyclonedx-library';
import { VERSION } from '../../src/version.ts';
import { EXECUTABLE } from '../standalone/contents.ts';
import { run } from '../standalone/run.ts';
import { ensureTool } from '../tools/tool.ts';
import { checksumsOf, filesOf, readChecksums } from './checksums.ts';
import { chartPackage, NPM_PACKAGE, PUBLISHED_CHARTS } from './paths.ts';

type Verification = readonly [claim: string, holds: boolean];

/** What the npm package must have, and what must stay out of it. */
const IN_NPM = ['package/dist/main.js', 'package/LICENSE', 'package/README.md', 'package/package.json'];
const NOT_IN_NPM = /^package\/(?:src|tests|scripts|bench|build|node_modules|\.)/u;

/** Checks everything that was built against what it claims to be. */
export async function verifyRelease(folder: string): Promise<readonly Verification[]> {
  const sboms = filesOf(folder).filter((file) => file.endsWith('.cdx.json'));
  return [
    ['SHA256SUMS has the checksum of every file', readChecksums(folder) === checksumsOf(folder)],
    ...(await Promise.all(sboms.map((file) => verifySbom(folder, file)))),
    ...verifyNpm(folder),
    ...PUBLISHED_CHARTS.flatMap((chart) => verifyChart(path.join(folder, chartPackage(chart)))),
    ...verifyStandalone(folder),
  ];
}

async function verifySbom(folder: string, file: string): Promise<Verification> {
  const validator = new Validation.JsonStrictValidator(Spec.Version.v1dot6);
  const problem = await validator.validate(readFileSync(path.join(folder, file), 'utf8'));
  return [`${file} is valid CycloneDX 1.6`, problem === null];
}

function verifyNpm(folder: string): readonly Verification[] {
  const archive = path.join(folder, NPM_PACKAGE);
  const files = run('tar', ['-tzf', archive]).toString().trim().split('\n');
  const manifest = run('tar', ['-xzOf', archive, 'package/package.json']).toString();
  return [
    [
      `${NPM_PACKAGE} has the program, its licence and its manual`,
      IN_NPM.every((file) => files.includes(file)),
    ],
    [`${NPM_PACKAGE} has no sources, tests or tools`, !files.some((file) => NOT_IN_NPM.test(file))],
    [`${NPM_PACKAGE} has version ${VERSION}`, manifest.includes(`"version": "${VERSION}"`)],
  ];
}

function verifyChart(file: string): readonly Verification[] {
  const helm = ensureTool('helm');
  if (helm === undefined || !existsSync(file)) return [];
  const sample = file.includes('policy-agent') ? [] : ['--values', 'values.sample.yaml'];
  const rendered = run(helm, ['template', 'my', file, ...sample]).toString();
  const name = path.basename(file);
  return [
    [`${name} renders the image of version ${VERSION}`, rendered.includes(`authz-jsonmasking:${VERSION}`)],
    [
      `${name} passes the lint`,
      run(helm, ['lint', '--strict', file, ...sample])
        .toString()
        .includes('0 chart(s) failed'),
    ],
  ];
}

function verifyStandalone(folder: string): readonly Verification[] {
  const archives = filesOf(folder).filter((file) => /^standalone\/.*\.tar\.gz$/u.test(file));
  return archives.flatMap((archive) => {
    const work = mkdtempSync(path.join(tmpdir(), 'authz-jsonmasking-verify-'));
    try {
      run('tar', ['-xzf', path.resolve(folder, archive), '-C', work]);
      return verifyUnpacked(path.join(work, path.basename(archive, '.tar.gz')), archive);
    } finally {
      rmSync(work, { recursive: true });
    }
  });
}

function verifyUnpacked(unpacked: string, archive: string): readonly Verification[] {
  const files = filesOf(unpacked);
  const isWhole: Verification = [
    `${archive} has the checksum of every file inside`,
    readChecksums(unpacked) === checksumsOf(unpacked) && files.includes(EXECUTABLE),
  ];
  if (!archive.includes(`-${process.arch}.`)) return [isWhole];
  const said = run(path.join(unpacked, EXECUTABLE), ['version']).toString().trim();
  return [isWhole, [`${archive} runs, and has version ${VERSION}`, said === VERSION]];
}
