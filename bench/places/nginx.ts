import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { stop } from '../service/child.ts';
import { contender, type Contender } from '../service/contender.ts';
import { freePort } from '../../scripts/tools/free-port.ts';

/** What `make tools` installs. */
const PROGRAM = path.resolve('.tools/bin/nginx');
const TEMPORARY = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];
const LOOK_EVERY = 5;

/**
 * Starts an nginx that passes answers as they are, in one process.
 *
 * @returns undefined if nginx is not installed
 */
export async function startNginx(upstream: number): Promise<Contender | undefined> {
  if (!existsSync(PROGRAM)) return undefined;
  const folder = mkdtempSync(path.join(tmpdir(), 'bench-nginx-'));
  const port = await freePort();
  writeFileSync(path.join(folder, 'nginx.conf'), configuration(port, upstream));
  const child = spawn(PROGRAM, ['-p', folder, '-e', 'error.log', '-c', 'nginx.conf'], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const end = async (): Promise<void> => {
    await stop(child);
    rmSync(folder, { recursive: true });
  };
  await untilServing(child, port);
  return { ...contender('nginx', child, port, end), masks: false };
}

async function untilServing(child: ChildProcess, port: number): Promise<void> {
  const isServing = await fetch(`http://127.0.0.1:${port}/health/liveness`).then(
    ({ ok }) => ok,
    () => false,
  );
  if (isServing) return;
  if (child.exitCode !== null) throw new Error('nginx did not start');
  await wait(LOOK_EVERY);
  await untilServing(child, port);
}

/** Its paths are relative to the folder of nginx. */
function configuration(port: number, upstream: number): string {
  return `daemon off; master_process off; pid nginx.pid; error_log error.log; events {}
http {
  access_log off; keepalive_requests 1000000000;
  ${TEMPORARY.map((name) => `${name}_temp_path ${name};`).join(' ')}
  upstream application { server 127.0.0.1:${upstream}; keepalive 128; }
  server {
    listen 127.0.0.1:${port};
    location / {
      proxy_pass http://application; proxy_http_version 1.1; proxy_set_header Connection "";
      proxy_buffers 64 16k; proxy_max_temp_file_size 0;
    }
  }
}
`;
}
