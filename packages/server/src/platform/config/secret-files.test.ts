import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { loadConfig } from './config.ts'

describe('secrets from files', () => {
  let folder: string
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'bi-manager-secrets-'))
  })
  afterAll(() => rmSync(folder, { recursive: true }))

  const file = (name: string, content: string): string => {
    const path = join(folder, name)
    writeFileSync(path, content, { mode: 0o600 })
    return path
  }

  test('secrets from files replace the setting, without the line end', () => {
    const { databaseUrl, appSecret } = loadConfig({
      DATABASE_URL_FILE: file('database', 'postgres://bi:segredo@banco/bi\n'),
      APP_SECRET_FILE: file('secret', `${'s'.repeat(40)}\n`),
    })
    expect(databaseUrl).toBe('postgres://bi:segredo@banco/bi')
    expect(appSecret).toEqual(['s'.repeat(40)])
  })

  test('secrets from files are refused together with the setting itself', () => {
    const SMTP_URL_FILE = file('smtp', 'smtp://correio.exemplo.com.br:587')
    expect(() => loadConfig({ SMTP_URL: 'smtp://outro.exemplo.com.br:587', SMTP_URL_FILE })).toThrow(
      'Configuração inválida: informe SMTP_URL ou SMTP_URL_FILE, não as duas.',
    )
  })

  test('secrets from files are named in the error when their file is missing or empty', () => {
    expect(() => loadConfig({ DATABASE_URL_FILE: join(folder, 'none') })).toThrow(
      `Configuração inválida: DATABASE_URL_FILE não pode ser lido (ENOENT: ${join(folder, 'none')}).`,
    )
    expect(() => loadConfig({ APP_SECRET_FILE: file('empty', '\n') })).toThrow(
      `Configuração inválida: APP_SECRET_FILE é um arquivo vazio (${join(folder, 'empty')}).`,
    )
  })

  test('secrets from files are not quoted when their content is refused', () => {
    const wrong = { DATABASE_URL_FILE: file('wrong', 'mysql://bi:segredo@banco/bi') }
    expect(() => loadConfig(wrong)).toThrow(
      'Configuração inválida: DATABASE_URL deve ser um endereço postgres:// completo.',
    )
  })
})
