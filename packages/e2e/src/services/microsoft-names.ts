import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { request } from 'node:http'
import { createServer } from 'node:https'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { makeCertificate } from './proxied.ts'

/*
 * A report service under Microsoft's host names, for clients whose addresses are fixed: TLS in
 * front of it, and a copy of /etc/hosts that only the started programs see.
 */

const names = ['login.microsoftonline.com', 'api.powerbi.com', 'app.powerbi.com']

/** A loopback address that differs by process, so that several may listen on port 443. */
const address = `127.${64 + (process.pid % 128)}.${Math.floor(process.pid / 128) % 256}.1`

export type MicrosoftNames = Awaited<ReturnType<typeof startMicrosoftNames>>

/** @param folder of the certificate and the hosts file @param port of the report service */
export const startMicrosoftNames = async (folder: string, port: number) => {
  const { certificate, key } = makeCertificate(folder, names)
  const proxy = createServer(
    { key: readFileSync(key), cert: readFileSync(certificate) },
    (incoming, outgoing) => {
      const { method, url, headers } = incoming
      const forwarded = request({ host: '127.0.0.1', port, method, path: url, headers }, (answer) => {
        outgoing.writeHead(answer.statusCode ?? 502, answer.headers)
        answer.pipe(outgoing)
      })
      forwarded.on('error', () => outgoing.destroy())
      incoming.pipe(forwarded)
    },
  )
  proxy.listen(443, address)
  await once(proxy, 'listening')
  const hosts = join(folder, 'hosts')
  writeFileSync(hosts, `127.0.0.1 localhost\n${address} ${names.join(' ')}\n`)
  const script = 'mount --bind "$0" /etc/hosts && exec "$@"'
  /** Arguments of `unshare`, which runs a command that sees the copy of /etc/hosts. */
  const unshareArguments = (command: string[]) => ['--mount', 'sh', '-c', script, hosts, ...command]
  const environment = {
    PATH: process.env.PATH,
    HOME: folder,
    NODE_EXTRA_CA_CERTS: certificate,
    REQUESTS_CA_BUNDLE: certificate,
  }
  return {
    /** The argument with which Chromium resolves the names. */
    resolverRules: `--host-resolver-rules=${names.map((name) => `MAP ${name} ${address}`).join()}`,
    /** Runs a program to its end. @returns its output @throws Error with it, when it fails */
    run: async (command: string[], env: Record<string, string> = {}, cwd = folder): Promise<string> => {
      const options = { cwd, env: { ...environment, ...env }, timeout: 120_000 }
      const { stdout } = await promisify(execFile)('unshare', unshareArguments(command), options)
      return stdout
    },
    /** Starts a program that does not end. */
    start: (command: string[], env: Record<string, string>, cwd: string): ChildProcess =>
      spawn('unshare', unshareArguments(command), {
        cwd,
        env: { ...environment, ...env },
        stdio: ['ignore', 'inherit', 'inherit'],
      }),
    stop: async () => {
      proxy.closeAllConnections()
      proxy.close()
      await once(proxy, 'close')
    },
  }
}
