import { once } from 'node:events'
import { createServer } from 'node:http'
import { type AddressInfo, createServer as createSocketServer } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import {
  type CompanyNetwork,
  companyTls,
  expiredTls,
  selfSignedTls,
  startCompanyNetwork,
  trustAuthority,
} from '../../../test/outbound/company-network.ts'
import { loadConfig } from '../config/config.ts'
import { connectionFault, faultSentence } from './connection-fault.ts'
import { openTunnel, proxyFor, routeThroughProxy } from './outbound.ts'

const credentials = { user: 'portal', password: 's@nha:do proxy' }
let network: CompanyNetwork
let plainUrl: string
let port: number
let ends: (() => unknown)[] = []
const server = createServer((_request, response) => response.end('olá'))
beforeAll(async () => {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  plainUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  network = await startCompanyNetwork({ credentials })
  port = await network.withTls(plainUrl)
})
afterEach(() => {
  for (const end of ends) end()
  ends = []
  network.tunnels.length = 0
  network.statuses.length = 0
})
afterAll(async () => {
  await network.close()
  server.close()
  server.closeAllConnections()
})

const route = (environment: Record<string, string> = {}) => {
  const { outbound } = loadConfig({ HTTPS_PROXY: network.proxyUrl, ...environment })
  ends.push(routeThroughProxy(outbound))
  return outbound
}
const trust = () => ends.push(trustAuthority())
const textOf = async (url: string) => (await fetch(url)).text()
const failureOf = (url: string) =>
  fetch(url).then(
    () => undefined,
    (error: unknown) => error,
  )

describe('routeThroughProxy', () => {
  test('routeThroughProxy sends https:// through the proxy with its credentials, and http:// directly', async () => {
    trust()
    route()
    expect(await textOf(`https://api.empresa.example:${port}/`)).toBe('olá')
    expect(network.tunnels).toEqual([`api.empresa.example:${port}`])
    await expect(fetch(plainUrl.replace('127.0.0.1', 'api.empresa.example'))).rejects.toThrow()
    expect(network.tunnels).toHaveLength(1)
  })

  test('routeThroughProxy sends http:// through HTTP_PROXY', async () => {
    route({ HTTP_PROXY: network.proxyUrl })
    expect(await textOf(plainUrl.replace('127.0.0.1', 's3.empresa.example'))).toBe('olá')
    expect(network.tunnels).toHaveLength(1)
  })

  test('routeThroughProxy never sends this machine through the proxy', async () => {
    trust()
    route({ HTTP_PROXY: network.proxyUrl })
    const urls = [plainUrl, plainUrl.replace('127.0.0.1', 'localhost'), `https://127.0.0.1:${port}`]
    for (const url of urls) expect(await textOf(url)).toBe('olá')
    expect(network.tunnels).toEqual([])
  })
})

test('a proxy may itself use TLS', async () => {
  trust()
  const proxyPort = await network.withTls(network.proxyUrl)
  const HTTPS_PROXY = network.proxyUrl.replace(/^http:(.*)@.*$/, `https:$1@localhost:${proxyPort}`)
  route({ HTTPS_PROXY })
  expect(await textOf(`https://api.empresa.example:${port}/`)).toBe('olá')
  const place = { host: 'correio.empresa.example', port }
  const socket = await openTunnel(HTTPS_PROXY, place, AbortSignal.timeout(5_000))
  socket.destroy()
  expect(network.tunnels).toEqual([`api.empresa.example:${port}`, `correio.empresa.example:${port}`])
})

describe('proxyFor', () => {
  test.each([
    ['api.empresa.example', 'empresa.example', true],
    ['api.empresa.example', '.empresa.example', true],
    ['api.empresa.example', '*.empresa.example', true],
    ['API.Empresa.example', 'empresa.EXAMPLE', true],
    ['empresa.example', '.empresa.example', true],
    ['outraempresa.example', 'empresa.example', false],
    ['api.empresa.example', 'empresa.example:1', false],
    ['api.empresa.example', `outra.example empresa.example:PORT`, true],
    ['127.0.0.1', '', true],
    ['localhost', '', true],
    ['api.empresa.example', '', false],
  ])('proxyFor decides about %s with NO_PROXY=%s as fetch does', async (host, exceptions, isDirect) => {
    trust()
    const outbound = route({ NO_PROXY: exceptions.replace('PORT', String(port)) })
    expect(proxyFor(outbound, { host, port })).toBe(isDirect ? undefined : network.proxyUrl)
    // A name of the company has no address outside of the proxy.
    await failureOf(`https://${host}:${port}/`)
    expect(network.tunnels).toHaveLength(isDirect ? 0 : 1)
  })

  test('proxyFor knows IPv6 addresses with and without brackets', () => {
    const { outbound } = loadConfig({ HTTPS_PROXY: network.proxyUrl, NO_PROXY: 'fd00::7' })
    const proxies = ['::1', '[::1]', 'fd00::7'].map((host) => proxyFor(outbound, { host, port }))
    expect(proxies).toEqual([undefined, undefined, undefined])
    expect(proxyFor(outbound, { host: 'fd00::8', port })).toBe(network.proxyUrl)
  })
})

describe('openTunnel', () => {
  test('openTunnel fails when the proxy refuses the credentials, and does not repeat them', async () => {
    const wrong = `http://portal:errada@127.0.0.1:${network.proxyPort}`
    const place = { host: 'api.empresa.example', port }
    const opening = openTunnel(wrong, place, AbortSignal.timeout(5_000))
    const error = await opening.catch((reason: unknown) => reason)
    expect(connectionFault(error)).toBe('PROXY_407')
    expect(String(error)).not.toContain('errada')
    expect(network.statuses).toEqual([407])
  })

  test("openTunnel keeps the destination's bytes that arrive with the proxy's answer", async () => {
    const proxy = createSocketServer((socket) =>
      socket.once('data', () => socket.end('HTTP/1.1 200 OK\r\n\r\n220 correio pronto\r\n')),
    )
    proxy.listen(0, '127.0.0.1')
    ends.push(() => proxy.close())
    await once(proxy, 'listening')
    const url = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`
    const place = { host: 'correio.empresa.example', port: 25 }
    const socket = await openTunnel(url, place, AbortSignal.timeout(5_000))
    expect(await text(socket)).toBe('220 correio pronto\r\n')
  })
})

describe('connectionFault', () => {
  test.each([
    ['of an unknown authority', companyTls, 'api.empresa.example', 'UNABLE_TO_VERIFY_LEAF_SIGNATURE'],
    ['that is self-signed', selfSignedTls, 'api.empresa.example', 'DEPTH_ZERO_SELF_SIGNED_CERT'],
  ])('connectionFault names a certificate %s', async (_, identity, host, code) => {
    route()
    const url = `https://${host}:${await network.withTls(plainUrl, identity)}`
    expect(connectionFault(await failureOf(url))).toBe(code)
  })

  test.each([
    ['that has expired', expiredTls, 'api.empresa.example', 'CERT_HAS_EXPIRED'],
    ['of another host', companyTls, 'api.outra.example', 'ERR_TLS_CERT_ALTNAME_INVALID'],
  ])('connectionFault names a certificate %s', async (_, identity, host, code) => {
    trust()
    route()
    const url = `https://${host}:${await network.withTls(plainUrl, identity)}`
    expect(connectionFault(await failureOf(url))).toBe(code)
  })

  test('connectionFault names a proxy that refuses the credentials, without repeating them', async () => {
    route({ HTTPS_PROXY: `http://portal:errada@127.0.0.1:${network.proxyPort}` })
    const error = await failureOf(`https://api.empresa.example:${port}`)
    expect(connectionFault(error)).toBe('PROXY_407')
    const { message, stack, cause } = error as Error
    expect(`${message} ${stack} ${cause} ${(cause as Error).stack}`).not.toContain('errada')
  })

  test('connectionFault is undefined for a server that is not there', async () => {
    expect(connectionFault(await failureOf('https://127.0.0.1:9'))).toBeUndefined()
    expect(connectionFault(undefined)).toBeUndefined()
  })
})

test('faultSentence says what is wrong and what to do', () => {
  const of = 'de https://api.empresa.example'
  expect(faultSentence('SELF_SIGNED_CERT_IN_CHAIN', of)).toBe(
    'O certificado de https://api.empresa.example foi emitido por uma autoridade que o portal não conhece: informe o certificado dela em NODE_EXTRA_CA_CERTS e reinicie o portal',
  )
  expect(faultSentence('PROXY_407', of)).toMatch(/^O proxy de saída recusou o usuário ou a senha \(407\)/)
  expect(faultSentence('PROXY_403', of)).toMatch(/\(403\).*NO_PROXY$/)
})
