import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { ConfigError, loadConfig } from './config.ts'

describe('settings', () => {
  test('settings have the documented defaults', () => {
    expect(loadConfig({})).toMatchObject({
      port: 3000,
      host: 'localhost',
      publicUrl: 'http://localhost:3000',
      trustProxy: false,
      databaseUrl: undefined,
      session: { seconds: 28_800, idleSeconds: 3_600 },
      callsPerMinute: 600,
      callsPerPerson: 1_200,
      localServiceFile: undefined,
      logLevel: 'info',
      bi: { defaultProvider: 'microsoft', localEmbedOrigin: null, timeoutMs: 15_000 },
    })
  })

  test('settings treat an empty value as absent, and derive addresses from the ports', () => {
    const config = loadConfig({ PORT: '8080', HOST: '', REPORTS_ENABLED: 'true', REPORTS_PORT: '8081' })
    expect(config).toMatchObject({ port: 8080, host: 'localhost', publicUrl: 'http://localhost:8080' })
    expect(config.bi.localEmbedOrigin).toBe('http://localhost:8081')
    expect(config.bi.addresses.local.api).toBe('http://localhost:8081')
  })

  test('settings find the credentials of a report service that runs beside the portal', () => {
    const fileOf = (more = {}) => loadConfig({ DATA_DIR: '/dados', ...more }).localServiceFile
    expect(fileOf()).toBeUndefined()
    expect(fileOf({ REPORTS_ENABLED: 'true' })).toBe('/dados/reports/service.json')
    expect(fileOf({ REPORTS_ENABLED: 'true', REPORTS_DATA_DIR: '/bi' })).toBe('/bi/service.json')
  })

  test("settings use the report service's internal address for calls, and its public one for embedding", () => {
    const { bi } = loadConfig({
      REPORTS_URL: 'https://relatorios.exemplo.com.br',
      REPORTS_INTERNAL_URL: 'http://relatorios:3001/',
    })
    expect(bi.addresses.local).toMatchObject({
      authority: 'http://relatorios:3001',
      api: 'http://relatorios:3001',
      embed: 'https://relatorios.exemplo.com.br',
    })
    expect(bi.localEmbedOrigin).toBe('https://relatorios.exemplo.com.br')
  })

  // Kind: a longer address was shortened in silence, and the portal answered elsewhere.
  const origins = [
    'PUBLIC_URL',
    'REPORTS_URL',
    'REPORTS_INTERNAL_URL',
    'S3_ENDPOINT',
    'BACKUP_S3_ENDPOINT',
    ...['AUTHORITY', 'API', 'EMBED', 'GRAPH', 'MANAGEMENT'].map((name) => `POWERBI_${name}_URL`),
  ]
  test.each(origins)('settings refuse a path, a query, a fragment or a password in %s', (name) => {
    const host = 'https://bi.exemplo.com.br'
    for (const address of [
      `${host}/bi/`,
      `${host}/?a=1`,
      `${host}/?`,
      `${host}/#a`,
      'https://a:b@bi.exemplo.com.br',
    ])
      expect(() => loadConfig({ [name]: address })).toThrow(
        `Configuração inválida: ${name} deve ser só ${host}, sem caminho, senha nem parâmetros.`,
      )
  })

  test('settings take an origin with a slash at its end', () => {
    const { publicUrl } = loadConfig({ PUBLIC_URL: 'HTTPS://BI.exemplo.com.br:443/' })
    expect(publicUrl).toBe('https://bi.exemplo.com.br')
  })

  test.each([
    ['DATABASE_URL', 'postgres://portal:12#x@banco/bi'],
    ['DATABASE_URL', 'postgres://portal:12/x@banco/bi'],
    ['DATABASE_URL', 'postgres://portal:a?x@banco/bi'],
    ['DATABASE_URL', 'postgres://portal:a#x@banco/bi'],
    ['DATABASE_URL', 'postgres://portal:a@b#c@banco/bi'],
    ['DATABASE_URL', 'postgres://portal:a@b/c@banco/bi'],
    ['DATABASE_URL', 'postgres://portal:a@b?c@banco/bi'],
    ['DATABASE_URL', 'postgres://portal:100%@banco/bi'],
    ['DATABASE_URL', 'postgres://portal:%zz@banco/bi'],
    ['SMTP_URL', 'smtp://portal:12#x@correio:587'],
    ['SMTP_URL', 'smtp://portal:100%@correio:587'],
    ['HTTPS_PROXY', 'http://portal:12/x@proxy:3128'],
    ['HTTP_PROXY', 'http://portal:100%@proxy:3128'],
  ])('settings say in %s=%s which mark of the password must be encoded', (name, address) => {
    expect(() => loadConfig({ [name]: address })).toThrow(
      new RegExp(`^Configuração inválida: ${name} tem no usuário ou na senha um caractere que precisa`),
    )
  })

  test.each([
    ['DATABASE_URL', 'postgres://portal:a%23%2F%3F%40%25@banco/bi?sslmode=require'],
    ['DATABASE_URL', 'postgres://portal:a:b@c@banco:5432/bi'],
    ['DATABASE_URL', 'postgres:///bi?host=/var/run/postgresql'],
    ['DATABASE_URL', 'postgres://servidor/bi?user=portal@servidor&password=x'],
    ['SMTP_URL', 'smtps://nome%40exemplo.com.br:senha@correio.exemplo.com.br'],
  ])('settings accept %s=%s', (name, address) => {
    expect(() => loadConfig({ [name]: address })).not.toThrow()
  })

  test('settings lose the carriage return of a file with Windows line ends, also of names in lower case', () => {
    const config = loadConfig({
      PORT: '4000\r',
      PUBLIC_URL: 'https://bi.exemplo.com.br\r',
      DATA_DIR: '/dados\r',
      COMPANY_NAME: 'Clínica\r',
      https_proxy: 'http://proxy:3128\r',
      ADMIN_PASSWORD: 'uma senha longa\r',
      OIDC_NAME: '\r',
    })
    expect(config).toMatchObject({
      port: 4000,
      publicUrl: 'https://bi.exemplo.com.br',
      dataDir: '/dados',
      companyName: 'Clínica',
      adminPassword: 'uma senha longa',
    })
    expect(config.outbound.httpsProxy).toBe('http://proxy:3128')
  })

  test('settings refuse a data folder whose name has the carriage return, instead of an empty one', () => {
    const folder = mkdtempSync(join(tmpdir(), 'bi-manager-cr-'))
    mkdirSync(`${folder}/dados\r`)
    expect(() => loadConfig({ DATA_DIR: `${folder}/dados\r` })).toThrow(/retorno de carro.*renomeie a pasta/)
    rmSync(folder, { recursive: true })
  })

  test('settings keep a secret with a carriage return as an earlier one, which still decrypts', () => {
    const secret = 'k'.repeat(40)
    expect(loadConfig({ APP_SECRET: `${secret}\r` }).appSecret).toEqual([secret, `${secret}\r`])
    expect(loadConfig({ APP_SECRET: secret }).appSecret).toEqual([secret])
    // The oldest one stays the last: digests are made with it.
    const oldest = 'o'.repeat(40)
    expect(loadConfig({ APP_SECRET: `${secret}\r`, APP_SECRET_PREVIOUS: `${oldest}\r` }).appSecret).toEqual([
      secret,
      `${secret}\r`,
      oldest,
    ])
  })

  test.each([
    ['PORT', 'abc'],
    ['PORT', '0'],
    ['PORT', '70000'],
    ['PUBLIC_URL', 'bi.exemplo.com.br'],
    ['PUBLIC_URL', 'javascript:alert(1)'],
    ['TRUST_PROXY', '1'],
    ['TRUST_PROXY', 'sim'],
    ['TRUST_PROXY', '10.0.0.0/99'],
    ['DATABASE_URL', 'mysql://x'],
    ['ADMIN_EMAIL', 'administrador'],
    ['ADMIN_PASSWORD', 'curta'],
    ['APP_SECRET', 'segredo'],
    ['SESSION_HOURS', '-1'],
    ['SESSION_IDLE_MINUTES', 'zero'],
    ['REPORTS_ENABLED', 'talvez'],
    ['REPORTS_PORT', '3001.5'],
    ['REPORTS_URL', 'localhost:3001'],
    ['REPORTS_INTERNAL_URL', 'relatorios:3001'],
    ['BI_PROVIDER', 'tableau'],
    ['POWERBI_TENANT_ID', 'contoso'],
    ['POWERBI_CLIENT_ID', '123'],
    ['POWERBI_CLOUD', 'alemanha'],
    ['LOG_LEVEL', 'tudo'],
    ['RATE_LIMIT_PER_MINUTE', '0'],
    ['RATE_LIMIT_PER_PERSON', '0'],
    ['SMTP_URL', 'http://correio.exemplo.com.br'],
    ['SMTP_URL', 'correio.exemplo.com.br:587'],
    ['MAIL_FROM', 'Portal de BI'],
    ['OIDC_CLIENT_SECRET_EXPIRES', '31/01/2027'],
    ['OIDC_CLIENT_SECRET_EXPIRES', '2027-02-30'],
    ['MAIL_FROM', 'bi@exemplo.com.br, outro@exemplo.com.br'],
    ['BACKUP_SCHEDULE', 'toda noite'],
    ['BACKUP_TIME_ZONE', 'America/Lugar_Nenhum'],
    ['BACKUP_TARGET', 'copias'],
    ['BACKUP_TARGET', 's3://Bucket'],
    ['BACKUP_KEY', 'AGE-SECRET-KEY-1QQQ'],
    ['BACKUP_KEEP', '7 dias'],
    ['BACKUP_VERIFY', 'às vezes'],
    ['BACKUP_S3_ENDPOINT', 's3.exemplo.com.br'],
    ['SESSION_HOURS', '721'],
    ['SESSION_IDLE_MINUTES', '43201'],
  ])('%s=%s stops the start with one sentence that names it', (name, value) => {
    const attempt = () => loadConfig({ [name]: value })
    expect(attempt).toThrow(ConfigError)
    expect(attempt).toThrow(new RegExp(`^Configuração inválida: ${name} deve [^\\n]+\\.$`))
  })

  test.each([
    ['BACKUP_S3_REGION', 60],
    ['S3_REGION', 60],
    ['COMPANY_NAME', 120],
    ['OIDC_NAME', 60],
    ['MAIL_FROM', 320],
  ])('%s of more than %i characters stops the start with one sentence that names it', (name, most) => {
    const sentence = `Configuração inválida: ${name} deve ter no máximo ${most} caracteres.`
    expect(() => loadConfig({ [name]: `a@${'x'.repeat(most)}` })).toThrow(new ConfigError(sentence))
  })

  const provider = { OIDC_ISSUER: 'https://login.exemplo.com.br/empresa/v2.0', OIDC_CLIENT_ID: 'portal' }
  const everyTenant = 'https://login.microsoftonline.com/common/v2.0'
  test.each([
    ['half a provider', { OIDC_ISSUER: provider.OIDC_ISSUER }, /OIDC_ISSUER e OIDC_CLIENT_ID/],
    [
      'the expiry of an absent secret',
      { ...provider, OIDC_CLIENT_SECRET_EXPIRES: '2027-01-31' },
      /OIDC_CLIENT_SECRET_EXPIRES exige OIDC_CLIENT_SECRET/,
    ],
    ['no way to sign in', { PASSWORD_SIGN_IN: 'false' }, /PASSWORD_SIGN_IN=false exige OIDC_ISSUER/],
    [
      'trusted e-mails of any tenant',
      { ...provider, OIDC_ISSUER: everyTenant, OIDC_TRUST_EMAIL: 'true' },
      /um único locatário/,
    ],
  ])('%s stops the start', (_, environment, sentence) => {
    expect(() => loadConfig(environment)).toThrow(sentence)
  })

  test('settings require all fields of a provider, and trust e-mails of a single tenant only', () => {
    expect(loadConfig({}).oidc).toBeUndefined()
    expect(loadConfig({ ...provider, OIDC_ISSUER: everyTenant }).oidc?.trustEmail).toBe(false)
    expect(loadConfig({ ...provider, OIDC_TRUST_EMAIL: 'true' }).oidc).toEqual({
      issuer: provider.OIDC_ISSUER,
      clientId: 'portal',
      clientSecret: undefined,
      name: 'sua conta da empresa',
      trustEmail: true,
      timeoutMs: 15_000,
    })
  })

  test('settings require all fields of an S3 bucket, or none', () => {
    const s3 = {
      S3_ENDPOINT: 'https://s3.exemplo.com.br/',
      S3_BUCKET: 'anexos',
      S3_REGION: 'sa-east-1',
      S3_ACCESS_KEY_ID: 'chave',
      S3_SECRET_ACCESS_KEY: 'um-segredo-de-s3',
    }
    expect(loadConfig({}).s3).toBeUndefined()
    expect(loadConfig(s3).s3).toEqual({
      endpoint: 'https://s3.exemplo.com.br',
      bucket: 'anexos',
      region: 'sa-east-1',
      accessKeyId: 'chave',
      secretAccessKey: 'um-segredo-de-s3',
    })
    for (const name of Object.keys(s3)) {
      expect(() => loadConfig({ ...s3, [name]: undefined })).toThrow(/S3_ENDPOINT.* são informados juntos\.$/)
      expect(() => loadConfig({ ...s3, [name]: undefined })).not.toThrow(/um-segredo-de-s3/)
    }
    expect(() => loadConfig({ ...s3, S3_BUCKET: 'a/b' })).toThrow(/S3_BUCKET deve ser/)
  })

  test('settings never repeat a secret in the message', () => {
    expect(() => loadConfig({ APP_SECRET: 'segredo-curto' })).not.toThrow(/segredo-curto/)
  })

  test.each([
    ['false', false],
    ['true', 'loopback'],
    ['10.0.0.0/8, ::1', '10.0.0.0/8, ::1'],
  ])('settings parse TRUST_PROXY=%s', (text, expected) => {
    expect(loadConfig({ TRUST_PROXY: text }).trustProxy).toBe(expected)
  })
})

describe('the keys', () => {
  const [key, older] = ['k'.repeat(40), 'o'.repeat(40)]

  test('the keys are a ring, newest first; without any, the key file is used', () => {
    expect(loadConfig({}).appSecret).toBeUndefined()
    expect(loadConfig({ APP_SECRET: key }).appSecret).toEqual([key])
    expect(loadConfig({ APP_SECRET: key, APP_SECRET_PREVIOUS: ` ${older} ,${key}` }).appSecret).toEqual([
      key,
      older,
      key,
    ])
  })

  test.each([
    [{ APP_SECRET_PREVIOUS: older }, 'APP_SECRET_PREVIOUS exige APP_SECRET'],
    [{ APP_SECRET: key, APP_SECRET_PREVIOUS: 'curta' }, 'APP_SECRET_PREVIOUS deve ter chaves de ao menos 32'],
    [{ APP_SECRET: key, APP_SECRET_PREVIOUS: `${older},` }, 'APP_SECRET_PREVIOUS deve ter chaves'],
    [{ APP_SECRET: 'curta demais' }, 'APP_SECRET deve ter ao menos 32'],
  ])('the keys are named in the error when invalid, never quoted: %o', (environment, sentence) => {
    const load = () => loadConfig(environment)
    expect(load).toThrow(sentence)
    expect(load).not.toThrow(/curta|oooo|kkkk/)
  })
})

describe('the origin of the local report service', () => {
  test.each([
    { REPORTS_ENABLED: 'true', REPORTS_PORT: '3000' },
    { PUBLIC_URL: 'https://bi.exemplo.com.br', REPORTS_URL: 'https://BI.exemplo.com.br:443/' },
    { PUBLIC_URL: 'http://127.0.0.1:4000', REPORTS_URL: 'http://localhost:4000' },
  ])("the origin of the local report service is refused when it is the portal's: %o", (settings) => {
    expect(() => loadConfig(settings)).toThrow(/^Configuração inválida: REPORTS_URL é a origem do portal/)
  })

  test('the origin of the local report service may differ only in the port, and is not checked without a local service', () => {
    const settings = {
      PUBLIC_URL: 'https://bi.exemplo.com.br',
      REPORTS_URL: 'https://bi.exemplo.com.br:8443',
    }
    expect(loadConfig(settings).bi.localEmbedOrigin).toBe('https://bi.exemplo.com.br:8443')
    expect(loadConfig({ PORT: '3001' }).bi.localEmbedOrigin).toBeNull()
  })
})
