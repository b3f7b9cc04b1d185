import { type ChildProcess, execFile, fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

/** First message of a contained program: its code is loaded, so it needs no more files. */
export const LOADED = 'loaded'

/** DATA_DIR may be inside the project, so the project's root is not among these. */
const code = [
  '../../',
  '../../../package.json',
  '../../../node_modules/',
  '../../../../../package.json',
  '../../../../../node_modules/',
]
  .map((path) => fileURLToPath(new URL(path, import.meta.url)))
  .map((path) => `--allow-fs-read=${path}`)

interface ContainedOptions {
  allow: 'addons' | 'worker'
  /** Milliseconds until it is killed; 0: never. */
  timeout?: number
}

/**
 * Starts a program that parses uploads. Node's permission model lets it read only its code, and
 * start no process. The model does not cover the network; `denyFileDescriptors` does.
 */
export const startContainedProcess = (
  program: string,
  { allow, timeout = 0 }: ContainedOptions,
): ChildProcess =>
  fork(program, [], {
    // libvips would decode an image of more than 100 MiB into a file.
    env: { VIPS_DISC_THRESHOLD: '1g' },
    execArgv: ['--permission', `--allow-${allow}`, ...code],
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    timeout,
    killSignal: 'SIGKILL',
  })

/** This machine cannot contain a process; no upload is parsed until an administrator acts. */
export class CannotContain extends Error {
  override readonly name = 'CannotContain'
  /** Shown to the user; the message is for the log. */
  readonly detail =
    'O arquivo não pôde ser conferido, porque falta um programa no servidor. Avise o administrador.'
}

/**
 * Denies a process that has sent LOADED every new file descriptor: the kernel then refuses it files
 * and sockets, native code included. Other systems than Linux lack this limit, so it only warns.
 * @throws CannotContain on a Linux without prlimit; another Error when prlimit fails
 */
export const denyFileDescriptors = async ({ pid }: ChildProcess): Promise<void> => {
  try {
    await promisify(execFile)('prlimit', ['--pid', String(pid), '--nofile=0:0'])
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    if (process.platform === 'linux') {
      throw new CannotContain('prlimit is missing: install the package util-linux. Uploads are refused.')
    }
    process.emitWarning('This system has no prlimit: what parses uploads could reach the network.', {
      code: 'BI_MANAGER_NO_PRLIMIT',
    })
  }
}
