import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { request } from 'node:https'
import { join } from 'node:path'

/* Calls through a local TLS proxy with a self-signed certificate. */

/** The host names in deploy/nginx and deploy/caddy. */
export const hosts = { portal: 'bi.empresa.com.br', reports: 'relatorios.empresa.com.br' }

/** Creates a self-signed certificate for these names, in files named as in the examples. */
export const makeCertificate = (
  folder: string,
  hostNames: readonly string[] = Object.values(hosts),
): { certificate: string; key: string } => {
  const certificate = join(folder, 'certificado.pem')
  const key = join(folder, 'chave.pem')
  const names = hostNames.map((name) => `DNS:${name}`)
  execFileSync(
    'openssl',
    [
      'req',
      '-x509',
      '-newkey',
      'ec',
      '-pkeyopt',
      'ec_paramgen_curve:P-256',
      '-nodes',
      '-days',
      '2',
      '-subj',
      '/CN=BI Manager',
      '-addext',
      `subjectAltName=${names.join()}`,
      '-keyout',
      key,
      '-out',
      certificate,
    ],
    { stdio: 'ignore' },
  )
  return { certificate, key }
}

interface Call {
  method?: string
  headers?: Record<string, string>
  body?: Buffer | string
  /** The local address that the call is sent from. */
  localAddress?: string
}

interface Answer {
  status: number
  headers: Record<string, string | string[] | undefined>
  text: string
}

/**
 * Returns a function that calls one host through the proxy and verifies its certificate.
 * @param onText receives the body so far; returning true ends the call
 */
export const callThrough =
  (port: number, host: string, certificate: string, address = '127.0.0.1') =>
  (
    path: string,
    { method = 'GET', headers = {}, body, localAddress }: Call = {},
    onText?: (text: string) => boolean,
  ) =>
    new Promise<Answer>((resolve, reject) => {
      const options = { host: address, port, servername: host, path, method, localAddress, agent: false }
      const sent = request(
        { ...options, headers: { host, ...headers }, ca: readFileSync(certificate) },
        (response) => {
          let text = ''
          const answer = () => resolve({ status: response.statusCode ?? 0, headers: response.headers, text })
          response.setEncoding('utf8')
          response.on('data', (chunk: string) => {
            text += chunk
            if (!onText?.(text)) return
            answer()
            sent.destroy()
          })
          response.on('end', answer)
        },
      )
      sent.on('error', reject)
      sent.end(body)
    })
