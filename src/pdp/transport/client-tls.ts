import lodash from 'lodash';
import { configurationError, type Problem } from '../../yaml/index.ts';
import { pemProblems, readBounded, whyUnreadable, type FileReader } from '../../files/index.ts';

/** How the service presents itself to a PDP over https, and whom it takes for the PDP. */
export interface ClientTls {
  readonly caFile?: string | undefined;
  readonly certFile?: string | undefined;
  readonly keyFile?: string | undefined;
  /** The name that the certificate of the PDP must have. */
  readonly serverName?: string | undefined;
}

/** The same with what is in the files, in the words of `node:tls`. */
export interface TlsContent {
  readonly ca: Buffer | undefined;
  readonly cert: Buffer | undefined;
  readonly key: Buffer | undefined;
  readonly servername: string | undefined;
}

/** The files that are named. */
export function tlsFilesOf({ caFile, certFile, keyFile }: ClientTls = {}): readonly string[] {
  return lodash.compact([caFile, certFile, keyFile]);
}

/**
 * Reads the files.
 *
 * @param read how each is read
 * @throws ConfigurationError if one cannot be read, or they cannot be used together
 */
export function readClientTls(
  { caFile, certFile, keyFile, serverName }: ClientTls = {},
  read: FileReader = readBounded,
): TlsContent {
  const problems: Problem[] = [];
  const contentOf = (key: string, file: string | undefined): Buffer | undefined => {
    if (file === undefined) return undefined;
    try {
      return read(file);
    } catch (error) {
      problems.push({ key, message: `${file} cannot be read: ${whyUnreadable(error)}` });
      return undefined;
    }
  };
  const content = {
    ca: contentOf('caFile', caFile),
    cert: contentOf('certFile', certFile),
    key: contentOf('keyFile', keyFile),
    servername: serverName,
  };
  if (problems.length === 0 && (content.ca ?? content.cert ?? content.key))
    problems.push(...useProblems(content));
  if (problems.length > 0) throw configurationError('The files of pdpTls', problems);
  return content;
}

function useProblems(content: TlsContent): readonly Problem[] {
  const problems = pemProblems(content);
  if (typeof problems === 'string')
    return [{ key: '', message: `They cannot be used together: ${problems}` }];
  return problems.map(({ part, problem }) => ({ key: `${part}File`, message: problem }));
}
