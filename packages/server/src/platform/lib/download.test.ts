import type { RequestListener } from 'node:http'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { companyTls, startCompanyNetwork, trustAuthority } from '../../../test/outbound/company-network.ts'
import { type DownloadLimits, download } from './download.ts'

let listener: RequestListener
const server = createServer(companyTls, (request, response) => listener(request, response))
let port = 0
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, resolve))
  port = (server.address() as AddressInfo).port
})
afterAll(() => {
  server.closeAllConnections()
  server.close()
})

let undoTrust: () => void
let seen: string[]
beforeEach(() => {
  undoTrust = trustAuthority()
  seen = []
  listener = (request, response) => {
    seen.push(`${request.headers.host}${request.url}`)
    response.end('a\n1\n')
  }
})
afterEach(() => undoTrust())

const direct = { httpsProxy: undefined, httpProxy: undefined, direct: [] }
const from = (address: string, limits: Partial<DownloadLimits> = {}) =>
  download(address, {
    routes: direct,
    privateHosts: ['localhost'],
    maxBytes: 1_000,
    timeoutMs: 5_000,
    ...limits,
  })
const here = (path = '/a.csv') => `https://localhost:${port}${path}`

test('download downloads from a host that the operator allows', async () => {
  expect(String(await from(here('/a.csv?chave=1')))).toBe('a\n1\n')
  expect(seen).toEqual([`localhost:${port}/a.csv?chave=1`])
})

describe('a private address', () => {
  test.each([
    ['localhost', 'https://localhost:PORT/a.csv'],
    ['of version 4', 'https://127.0.0.1:PORT/a.csv'],
    ['as a number', 'https://2130706433:PORT/a.csv'],
    ['as octal digits', 'https://0177.0.0.1:PORT/a.csv'],
    ['of version 6', 'https://[::1]:PORT/a.csv'],
    ['inside version 6', 'https://[::ffff:127.0.0.1]:PORT/a.csv'],
    ['of the metadata of clouds', 'https://169.254.169.254/latest/meta-data'],
  ])('%s is not called', async (_name, address) => {
    const call = from(address.replace('PORT', String(port)), { privateHosts: [] })
    await expect(call).rejects.toThrow(/^O endereço é de uma rede interna/)
    expect(seen).toEqual([])
  })

  test('a private address is not called after a redirect either', async () => {
    listener = (request, response) => {
      seen.push(request.url ?? '')
      response.writeHead(302, { location: `https://127.0.0.1:${port}/segredo` }).end()
    }
    await expect(from(here())).rejects.toThrow(/^O endereço é de uma rede interna/)
    expect(seen).toEqual(['/a.csv'])
  })
})

test.each(['http://localhost/a.csv', 'file:///etc/passwd', 'https://ana:senha@localhost/a', 'nada'])(
  '%s is refused',
  async (address) => {
    await expect(from(address)).rejects.toThrow('O endereço deve começar com https://')
  },
)

describe('a redirect', () => {
  const redirects = (location: string) => {
    listener = (request, response) => {
      seen.push(request.url ?? '')
      if (request.url === '/a.csv') response.writeHead(302, { location }).end()
      else response.end('b\n')
    }
  }
  test('a redirect is followed to another https:// address', async () => {
    redirects('/b.csv')
    expect(String(await from(here()))).toBe('b\n')
  })

  test('a redirect is not followed to http://, nor without end', async () => {
    redirects(`http://localhost:${port}/b.csv`)
    await expect(from(here())).rejects.toThrow('O endereço redireciona para um que não é https://.')
    redirects('/a.csv')
    await expect(from(here())).rejects.toThrow('O endereço redireciona vezes demais.')
  })
})

describe('an answer', () => {
  const large = Buffer.alloc(2_000, 'x')
  test.each<[string, RequestListener, RegExp]>([
    ['with an error', (_, response) => response.writeHead(403).end(), /^O endereço respondeu 403/],
    [
      'that switches protocols',
      (_, response) => response.writeHead(101, { connection: 'Upgrade', upgrade: 'x' }).end(),
      /^O endereço respondeu 101/,
    ],
    ['that announces too much', (_, response) => response.end(large), /^O arquivo passa do limite/],
    [
      'that sends too much',
      (_, response) => {
        response.write(large)
        response.end()
      },
      /^O arquivo passa/,
    ],
    [
      'that was compressed',
      (_, response) => response.setHeader('content-encoding', 'gzip').end('x'),
      /comprimido/,
    ],
    ['that never ends', (_, response) => void response.write('a'), /^O endereço não enviou o arquivo em 0.5/],
    [
      'that breaks off',
      (_, response) => {
        response.writeHead(200, { 'content-length': '100' }).write('a')
        setTimeout(() => response.destroy(), 50)
      },
      /^(O endereço não pôde ser lido|A conexão terminou)/,
    ],
  ])('%s is refused', async (_name, answer, sentence) => {
    listener = answer
    await expect(from(here(), { timeoutMs: 500 })).rejects.toThrow(sentence)
  })

  test('an answer with an untrusted certificate is refused, and says what to do', async () => {
    undoTrust()
    await expect(from(here())).rejects.toThrow(/^O certificado do endereço .*NODE_EXTRA_CA_CERTS/)
  })
})

test('download leaves through the proxy, which gets no internal address', async () => {
  const network = await startCompanyNetwork()
  try {
    const routes = { ...direct, httpsProxy: network.proxyUrl }
    const address = `https://planilhas.empresa.example:${port}/a.csv`
    expect(String(await from(address, { routes }))).toBe('a\n1\n')
    expect(network.tunnels).toEqual([`planilhas.empresa.example:${port}`])
    for (const internal of [`https://127.0.0.1:${port}/`, `https://localhost:${port}/`])
      await expect(from(internal, { routes, privateHosts: [] })).rejects.toThrow(/rede interna/)
    expect(network.tunnels).toHaveLength(1)
  } finally {
    await network.close()
  }
})
