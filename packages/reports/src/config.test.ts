import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { ConfigError, readConfig } from './config.ts'

describe('readConfig', () => {
  test('readConfig has working defaults', () => {
    const config = readConfig({ REPORTS_URL: '', LOG_FORMAT: 'json' })
    expect(config).toEqual({
      host: 'localhost',
      port: 3001,
      reportsUrl: 'http://localhost:3001',
      trustProxy: false,
      callsPerMinute: 600,
      dataDir: './data/reports',
      allowedParents: ['http://localhost:3000', 'http://127.0.0.1:3000', 'http://[::1]:3000'],
      tokenSeconds: 3599,
      memoryMegabytes: 1024,
      chromiumPath: undefined,
      searchPath: '',
      drainSeconds: 5,
      logLevel: 'info',
      logFormat: 'json',
      tracesEndpoint: undefined,
      metrics: undefined,
    })
    expect(Object.isFrozen(config)).toBe(true)
  })

  test('readConfig refuses a data folder whose name ends with a carriage return', () => {
    const folder = mkdtempSync(join(tmpdir(), 'reports-cr-'))
    mkdirSync(`${folder}/reports\r`)
    expect(() => readConfig({ REPORTS_DATA_DIR: `${folder}/reports\r` })).toThrow(
      'REPORTS_DATA_DIR termina com',
    )
    rmSync(folder, { recursive: true })
  })

  test('readConfig refuses a file of certificates whose name ends with a carriage return', () => {
    expect(() => readConfig({ NODE_EXTRA_CA_CERTS: '/etc/ca.pem\r' })).toThrow(
      /^Configuração inválida: NODE_EXTRA_CA_CERTS termina com um retorno de carro/,
    )
    expect(readConfig({ NODE_EXTRA_CA_CERTS: '/etc/ca.pem' }).port).toBe(3001)
    expect(readConfig({ NODE_EXTRA_CA_CERTS: '\r' }).port).toBe(3001)
  })

  test('readConfig allows only the portal to frame the page', () => {
    const parents = (PUBLIC_URL: string) => readConfig({ PUBLIC_URL }).allowedParents
    expect(parents('https://bi.example.org/')).toEqual(['https://bi.example.org'])
    expect(parents('http://127.0.0.1:4100')).toContain('http://localhost:4100')
    expect(parents('https://localhost')).toEqual(['https://localhost', 'https://127.0.0.1', 'https://[::1]'])
  })

  test('readConfig derives the address from REPORTS_PORT', () => {
    expect(readConfig({ REPORTS_PORT: '4101' }).reportsUrl).toBe('http://localhost:4101')
    expect(readConfig({ REPORTS_URL: 'https://r.example.org/' }).reportsUrl).toBe('https://r.example.org')
  })

  test('readConfig loses the carriage return of a file with Windows line ends', () => {
    const env = { REPORTS_PORT: '4101\r', PUBLIC_URL: 'https://bi.example.org\r', LOG_LEVEL: '\r' }
    expect(readConfig(env)).toMatchObject({
      port: 4101,
      allowedParents: ['https://bi.example.org'],
      logLevel: 'info',
    })
  })

  test('readConfig trusts the listed proxies, or the loopback addresses when set to true', () => {
    const read = (REPORTS_TRUST_PROXY: string) => readConfig({ REPORTS_TRUST_PROXY }).trustProxy
    expect(['false', 'true', '10.0.0.0/8, ::1'].map(read)).toEqual([false, 'loopback', '10.0.0.0/8, ::1'])
  })

  test.each([
    ['REPORTS_TRUST_PROXY', '1', 'true, false ou uma lista de endereços e redes separados por vírgula'],
    ['REPORTS_PORT', 'abc', 'um número inteiro de 1 a 65535'],
    ['REPORTS_PORT', '70000', 'um número inteiro de 1 a 65535'],
    ['REPORTS_URL', 'localhost:3001', 'um endereço http:// ou https:// completo'],
    ['PUBLIC_URL', 'javascript:alert(1)', 'um endereço http:// ou https:// completo'],
    ['PUBLIC_URL', 'https://h/bi', 'só https://h, sem caminho, senha nem parâmetros'],
    ['REPORTS_URL', 'https://h/bi', 'só https://h, sem caminho, senha nem parâmetros'],
    ['REPORTS_TOKEN_SECONDS', '4', 'um número inteiro de 5 a 3599'],
    ['REPORTS_TOKEN_SECONDS', '3600', 'um número inteiro de 5 a 3599'],
    ['REPORTS_RATE_LIMIT_PER_MINUTE', '0', 'um número inteiro de 1 a 1000000'],
    ['REPORTS_MEMORY_MB', '-1', 'um número inteiro de 128 a 65536'],
    ['LOG_LEVEL', 'alto', 'um de fatal, error, warn, info, debug, trace, silent'],
  ])('readConfig refuses %s=%s in one sentence that names it', (name, value, expected) => {
    const read = () => readConfig({ [name]: value })
    expect(read).toThrow(ConfigError)
    expect(read).toThrow(`Configuração inválida: ${name} deve ser ${expected}.`)
  })

  test.each([
    { PUBLIC_URL: 'https://bi.example.org', REPORTS_URL: 'https://bi.example.org/' },
    { PUBLIC_URL: 'https://bi.example.org:443/', REPORTS_URL: 'https://BI.example.org' },
    { PUBLIC_URL: 'http://127.0.0.1:3001' },
    { REPORTS_PORT: '3000' },
  ])("readConfig refuses the portal's own origin: %o", (env) => {
    expect(() => readConfig(env)).toThrow(/^Configuração inválida: REPORTS_URL é a origem do portal \(http/)
  })
})
