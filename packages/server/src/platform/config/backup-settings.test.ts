import { describe, expect, test } from 'vitest'
import { loadConfig } from './config.ts'

const key = `age1${'q'.repeat(58)}`
const folder = { BACKUP_TARGET: '/copias', BACKUP_KEY: key }
const bucket = { ...folder, BACKUP_TARGET: 's3://copias/portal/producao/' }
const service = {
  BACKUP_S3_ENDPOINT: 'https://s3.exemplo.com.br/',
  BACKUP_S3_REGION: 'sa-east-1',
  BACKUP_S3_ACCESS_KEY_ID: 'chave',
  BACKUP_S3_SECRET_ACCESS_KEY: 'segredo-das-copias',
}
const attachments = {
  S3_ENDPOINT: 'https://anexos.exemplo.com.br',
  S3_BUCKET: 'anexos',
  S3_REGION: 'sa-east-2',
  S3_ACCESS_KEY_ID: 'outra',
  S3_SECRET_ACCESS_KEY: 'segredo-dos-anexos',
}

describe('the settings of backups', () => {
  test('the settings of backups are optional', () => {
    expect(loadConfig({}).backup).toBeUndefined()
  })

  test('the settings of backups allow no schedule: then only the command makes backups', () => {
    expect(loadConfig(folder).backup).toEqual({
      schedule: undefined,
      timeZone: 'America/Sao_Paulo',
      place: { kind: 'folder', folder: '/copias' },
      recipients: [key],
      keep: { days: 7, weeks: 4, months: 12, years: 0 },
      verify: true,
    })
    expect(loadConfig({ ...folder, BACKUP_SCHEDULE: '0 */6 * * *' }).backup?.schedule).toBe('0 */6 * * *')
  })

  test('the settings of backups name a bucket with separate credentials, or with those of the attachments', () => {
    const s3 = { endpoint: 'https://s3.exemplo.com.br', region: 'sa-east-1', accessKeyId: 'chave' }
    expect(loadConfig({ ...bucket, ...service }).backup?.place).toEqual({
      kind: 's3',
      settings: { ...s3, bucket: 'copias', secretAccessKey: 'segredo-das-copias' },
      prefix: 'portal/producao/',
    })
    expect(loadConfig({ ...bucket, ...attachments }).backup?.place).toMatchObject({
      settings: {
        bucket: 'copias',
        endpoint: 'https://anexos.exemplo.com.br',
        secretAccessKey: 'segredo-dos-anexos',
      },
    })
  })

  test.each([
    ['a schedule without a target', { BACKUP_SCHEDULE: '03:00' }, /BACKUP_TARGET e BACKUP_KEY são/],
    ['a target without a key', { BACKUP_TARGET: '/copias' }, /BACKUP_TARGET e BACKUP_KEY são/],
    ['a bucket without credentials', bucket, /BACKUP_TARGET em S3 exige BACKUP_S3_ENDPOINT/],
    [
      'a target inside the data folder',
      { ...folder, DATA_DIR: '/dados', BACKUP_TARGET: '/dados/copias' },
      /BACKUP_TARGET deve ficar fora de DATA_DIR/,
    ],
  ])('the settings of backups stop the start with %s', (_, environment, sentence) => {
    expect(() => loadConfig(environment)).toThrow(sentence)
  })
})
