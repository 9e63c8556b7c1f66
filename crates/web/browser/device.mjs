// A sound device for Firefox: it plays to none where the machine has none, and Chromium makes one up by itself.

import { spawn } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

/** Milliseconds in which the server starts. */
const PATIENCE = 10_000;
const MODULES = 'load-module module-null-sink sink_name=cap rate=48000 channels=2\nload-module module-native-protocol-unix\nset-default-sink cap\n';

/**
 * Starts a sound server whose device plays to nobody, for as long as this program runs. Returns the environment by which a
 * browser finds it, or the environment as it is where the program `pulseaudio` is missing.
 * @returns {Promise<Record<string, string | undefined>>}
 */
export async function silentDevice() {
  const folder = mkdtempSync(path.join(tmpdir(), 'maxout-sound-'));
  chmodSync(folder, 0o700);
  const script = path.join(folder, 'server.pa');
  writeFileSync(script, MODULES);
  const env = { ...process.env, XDG_RUNTIME_DIR: folder };
  const server = spawn('pulseaudio', ['-n', '--exit-idle-time=-1', '--use-pid-file=false', '--daemonize=no', '-F', script], { env, stdio: 'ignore' });
  let missing = false;
  server.on('error', () => { missing = true; });
  // The tests end without it.
  server.unref();
  process.on('exit', () => {
    server.kill();
    rmSync(folder, { recursive: true, force: true });
  });
  const socket = path.join(folder, 'pulse/native');
  for (let waited = 0; !existsSync(socket) && !missing && server.exitCode === null && waited < PATIENCE; waited += 50) await new Promise((resolve) => setTimeout(resolve, 50));
  if (existsSync(socket)) return env;
  console.log("--  no sound server (expected the program pulseaudio): Firefox plays to this machine's device, if there is one");
  return process.env;
}
