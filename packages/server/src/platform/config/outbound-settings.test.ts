import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { authorityFile, companyTls } from '../../../test/outbound/company-network.ts'
import { ConfigError, loadConfig } from './config.ts'

const folder = mkdtempSync(join(tmpdir(), 'bi-manager-outbound-'))
afterAll(() => rmSync(folder, { recursive: true }))
const file = (name: string, content: string): string => {
  const path = join(folder, name)
  writeFileSync(path, content)
  return path
}

const proxy = 'http://portal:s%40nha@proxy.empresa.example:3128'
const outboundOf = (environment: Record<string, string>) => loadConfig(environment).outbound

describe('the settings of outbound connections', () => {
  test('the settings of outbound connections name no proxy by default', () => {
    expect(outboundOf({ NO_PROXY: 'empresa.example' })).toEqual({
      httpsProxy: undefined,
      httpProxy: undefined,
      direct: [],
    })
  })

  test('the settings of outbound connections never send this machine and the internal address of the report service through a proxy', () => {
    const found = outboundOf({
      HTTPS_PROXY: proxy,
      NO_PROXY: '.Interna.example, s3.empresa.example:9000 ::1 fd00::A',
      REPORTS_INTERNAL_URL: 'http://relatorios:3001',
    })
    const direct = [
      'localhost',
      '127.0.0.1',
      '[::1]',
      'relatorios',
      '.interna.example',
      's3.empresa.example:9000',
      '[fd00::a]',
    ]
    expect(found).toEqual({ httpsProxy: proxy, httpProxy: undefined, direct })
  })

  test('the settings of outbound connections use HTTP_PROXY for every address without HTTPS_PROXY', () => {
    expect(outboundOf({ HTTP_PROXY: proxy })).toMatchObject({ httpsProxy: proxy, httpProxy: proxy })
  })

  test('the settings of outbound connections turn the proxy off for NO_PROXY=*', () => {
    expect(outboundOf({ HTTPS_PROXY: proxy, HTTP_PROXY: proxy, NO_PROXY: 'a.example,*' })).toMatchObject({
      httpsProxy: undefined,
      httpProxy: undefined,
    })
  })

  test('the settings of outbound connections ignore NO_PROXY without a proxy, in whatever form other programs need it', () => {
    expect(outboundOf({ NO_PROXY: '10.0.0.0/8' }).direct).toEqual([])
  })

  test('the settings of outbound connections accept lower-case names, which take precedence', () => {
    const { httpsProxy, direct } = outboundOf({
      HTTPS_PROXY: 'http://outro.empresa.example:3128',
      https_proxy: proxy,
      no_proxy: 'a.example',
    })
    expect([httpsProxy, direct.at(-1)]).toEqual([proxy, 'a.example'])
  })

  test('the settings of outbound connections read the proxy from a file, because it may have a password', () => {
    expect(outboundOf({ HTTPS_PROXY_FILE: file('proxy', `${proxy}\n`) }).httpsProxy).toBe(proxy)
  })

  test.each([
    ['HTTPS_PROXY', 'proxy.empresa.example:3128', 'deve ser um endereço http:// ou https:// completo'],
    ['HTTPS_PROXY', 'socks5://proxy.empresa.example', 'deve ser um endereço http:// ou https:// completo'],
    [
      'HTTP_PROXY',
      'http://portal:100%certo@proxy.empresa.example',
      'tem no usuário ou na senha um caractere',
    ],
    ['NO_PROXY', 'empresa.example,10.0.0.0/8', 'deve ser uma lista de nomes'],
    ['NO_PROXY', 'https://empresa.example', 'deve ser uma lista de nomes'],
  ])(
    'the settings of outbound connections refuse %s=%s without repeating the value',
    (name, value, reason) => {
      const load = () => loadConfig({ HTTPS_PROXY: 'http://127.0.0.1:3128', [name]: value })
      expect(load).toThrow(ConfigError)
      expect(load).toThrow(`Configuração inválida: ${name} ${reason}`)
      expect(load).not.toThrow(/certo|portal/)
    },
  )

  test('the settings of outbound connections accept a file with one or more certificate authorities', () => {
    const both = file('two.pem', `# empresa\n${companyTls.cert}\n${companyTls.cert}`)
    for (const path of [authorityFile, both]) expect(outboundOf({ NODE_EXTRA_CA_CERTS: path })).toBeDefined()
  })

  test('the settings of outbound connections refuse a file of certificate authorities whose name ends with a carriage return', () => {
    const load = () => loadConfig({ NODE_EXTRA_CA_CERTS: `${authorityFile}\r` })
    expect(load).toThrow(ConfigError)
    expect(load).toThrow(
      `Configuração inválida: NODE_EXTRA_CA_CERTS termina com um retorno de carro (fim de linha do Windows), e o Node, que lê este nome antes do serviço, não achou o arquivo ${authorityFile}. Tire o retorno de carro do arquivo de configuração e inicie de novo.`,
    )
    expect(() => loadConfig({ NODE_EXTRA_CA_CERTS: '\r' })).not.toThrow()
  })

  test.each([
    ['is missing', () => join(folder, 'none.pem'), /não pode ser lido \(ENOENT: .*none\.pem\)\.$/],
    ['has no certificate', () => file('text.pem', 'DER?'), /deve ser um arquivo só de certificados/],
    ['has a broken one', () => file('broken.pem', companyTls.cert.replace(/M/g, 'A')), /só de certificados/],
    ['has a private key', () => file('key.pem', companyTls.cert + companyTls.key), /só de certificados/],
  ])(
    'the settings of outbound connections refuse a file of certificate authorities that %s',
    (_, path, reason) => {
      const load = () => loadConfig({ NODE_EXTRA_CA_CERTS: path() })
      expect(load).toThrow(/^Configuração inválida: NODE_EXTRA_CA_CERTS /)
      expect(load).toThrow(reason)
    },
  )
})
