import { once } from 'node:events';
import http2 from 'node:http2';

/** All that a client of HTTP/2 gets for each of several paths: header fields, body and trailers. */
export async function answersByHttp2(port: number, paths: readonly string[]): Promise<readonly string[]> {
  const client = http2.connect(`http://127.0.0.1:${port}`);
  client.on('error', () => undefined);
  const texts = await Promise.all(paths.map((path) => receivedAt(client, path)));
  client.destroy();
  return texts;
}

async function receivedAt(client: http2.ClientHttp2Session, path: string): Promise<string> {
  const stream = client.request({ ':path': path, te: 'trailers' });
  const parts: string[] = [];
  stream.on('response', (fields) => parts.push(JSON.stringify(fields)));
  stream.on('data', (chunk) => parts.push(String(chunk)));
  stream.on('trailers', (fields) => parts.push(JSON.stringify(fields)));
  stream.on('error', (error: Error) => parts.push(error.name));
  stream.end();
  await once(stream, 'close');
  return parts.join('\n');
}
