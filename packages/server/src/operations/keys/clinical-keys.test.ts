import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import sharp from 'sharp'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { fillEveryTable } from '../../../test/backup/every-table.ts'
import { attachmentDraft } from '../../../test/clinical/attachments.ts'
import { createBeneficiary } from '../../../test/clinical/beneficiaries.ts'
import { fresh, old, rotate, testLargeTables } from '../../../test/clinical/clinical-keys.ts'
import { recordDraft } from '../../../test/clinical/medical-records.ts'
import { formOf } from '../../../test/multipart.ts'
import { startTestApp, type TestApp } from '../../../test/test-app.ts'
import { createUser, password } from '../../../test/users.ts'
import { decryptData, findByPlanId } from '../../clinical/beneficiaries/beneficiaries.ts'
import { assertBlindIndexesMatch } from '../../clinical/beneficiaries/beneficiary-marks.ts'
import { decryptJson, LOST } from '../../clinical/health-data/encrypted-json.ts'
import { contentContext } from '../../clinical/health-data/encryption-contexts.ts'
import { type Encrypted, type Secrets, secretsOf } from '../../platform/config/secrets.ts'
import type { Db } from '../../platform/db/open-database.ts'
import { allEncryptedColumns, assertKeysDecrypt, contextIn, identityOf } from './encrypted-columns.ts'

/* The sealing keys of patient data: a lost key is noticed, and a rotation re-encrypts every value. */

const clinical = allEncryptedColumns.filter(({ table }) =>
  [
    'beneficiario',
    'beneficiario_versao',
    'prontuario',
    'prontuario_versao',
    'anexo',
    'acesso_saude',
    'incidente',
  ].includes(table),
)

/** Every value of an encrypted column, opened; the texts in the order of their rows. */
const opened = async (db: Db, { decrypt }: Secrets): Promise<Record<string, string[]>> => {
  const texts: Record<string, string[]> = {}
  for (const one of allEncryptedColumns) {
    const { table, column, key } = one
    const { rows } = await sql<{ encrypted: Encrypted; identity: number[] | null }>`
      select ${sql.ref(column)} as encrypted, ${identityOf(one)} as identity from ${sql.table(table)}
      where ${sql.ref(column)} <> '' order by ${sql.ref(key)}`.execute(db)
    texts[`${table}.${column}`] = rows.map(({ encrypted, identity }) =>
      decrypt(encrypted, contextIn(one, identity)),
    )
  }
  return texts
}

describe('an installation with a row in every table', () => {
  let app: TestApp
  beforeEach(async () => {
    app = await startTestApp({ APP_SECRET: old })
    await fillEveryTable(app.db, app.services)
  })
  afterEach(() => app.close())

  test('a rotation re-encrypts every column, and every value opens to the same text', async () => {
    const before = await opened(app.db, secretsOf([old]))
    for (const [column, texts] of Object.entries(before)) expect(texts.length, column).toBeGreaterThan(0)
    const { all, told } = await rotate(app, [fresh, old])
    expect(all).toBe(true)
    for (const { one } of clinical) expect(told).toContain(`: 1 ${one}.`)
    expect(await opened(app.db, secretsOf([fresh]))).toEqual(before)
    const row = app.db.selectFrom('auditoria').select('detalhes').where('acao', '=', 'secrets.rotated')
    expect(await row.execute()).toMatchObject([
      {
        detalhes: {
          cifrados: { anexo: 3, beneficiario_versao: 1, prontuario: 2, prontuario_versao: 1, incidente: 1 },
        },
      },
    ])
  })

  test('the server refuses to start when the key of any one value is missing', async () => {
    const known = secretsOf([old])
    const strange = secretsOf([fresh]).encrypt('{}')
    for (const { table, column, one } of allEncryptedColumns) {
      const [name, field] = [sql.table(table), sql.ref(column)]
      const { rows } = await sql<{ encrypted: Encrypted }>`select ${field} as encrypted from ${name}`.execute(
        app.db,
      )
      await sql`update ${name} set ${field} = ${strange}`.execute(app.db)
      await expect(assertKeysDecrypt(app.db, known), `${table}.${column}`).rejects.toThrow(
        `Falta uma chave: 1 ${one} no`,
      )
      await sql`update ${name} set ${field} = ${rows[0]?.encrypted}`.execute(app.db)
    }
    await expect(assertKeysDecrypt(app.db, known)).resolves.toBeUndefined()
  })

  test('discarding values of a lost key deletes no row and marks the texts as lost', async () => {
    const tables = [...new Set(clinical.map(({ table }) => table))]
    const count = async () => {
      const counts: Record<string, unknown> = {}
      for (const table of tables) {
        const { rows } = await sql`select count(*) as total from ${sql.table(table)}`.execute(app.db)
        counts[table] = rows[0]
      }
      return counts
    }
    const before = await count()
    const { all, told } = await rotate(app, [fresh], { discardLost: true })
    expect(all).toBe(true)
    expect(told).toContain('Descartado, porque a chave se perdeu: 1 prontuário.')
    expect(await count()).toEqual(before)
    const secrets = secretsOf([fresh])
    const person = await app.db.selectFrom('beneficiario').selectAll().executeTakeFirstOrThrow()
    expect(decryptData(secrets, person)).toMatchObject({ nome_beneficiario: LOST, id_beneficiario: LOST })
    const record = await app.db.selectFrom('prontuario').selectAll().executeTakeFirstOrThrow()
    expect(decryptJson(secrets, record.conteudo, contentContext(record))).toBe(LOST)
    await expect(assertKeysDecrypt(app.db, secrets)).resolves.toBeUndefined()
    await expect(assertBlindIndexesMatch(app.db, secrets)).resolves.toBeUndefined()
  })
})

describe('after a rotation, the portal', () => {
  let app: TestApp
  let clinician: Awaited<ReturnType<typeof createUser>>
  let sent: { beneficiary: number; record: number; attachment: number; bytes: Buffer }
  beforeEach(async () => {
    app = await startTestApp({ APP_SECRET: old })
    clinician = await createUser(app, { acessoProntuario: true })
    const caller = await app.as(clinician)
    const { body: record } = await caller.post('/prontuarios', recordDraft({ id_beneficiario: '4711' }))
    await caller.put(
      `/prontuarios/${record.id}`,
      recordDraft({ id_beneficiario: '4711', descricao_hd: 'Dor' }),
    )
    const pixel = { create: { width: 3, height: 3, channels: 3, background: '#036' } } as const
    const bytes = await sharp(pixel).png().toBuffer()
    const form = formOf({ ...attachmentDraft, id_beneficiario: '4711' }, { bytes, name: 'a.png' })
    const { body: attachment } = await caller.upload('/anexos', form)
    const file = await caller.download(`/anexos/${attachment.id}/arquivo`)
    expect(file.status).toBe(200)
    sent = {
      beneficiary: record.beneficiario,
      record: record.id,
      attachment: attachment.id,
      bytes: file.bytes,
    }
  })
  afterEach(() => app.close())

  /** Starts the server with these keys, and calls it as the clinician. */
  const withKeys = async (ring: string[]) => {
    const server = await app.anotherServer({ secrets: secretsOf(ring) })
    const payload = { username: clinician.emailUsuario, password }
    const signIn = await server.inject({ method: 'POST', url: '/api/usuarios/authorizer', payload })
    const headers = { authorization: `Bearer ${signIn.json().access_token}` }
    const get = (url: string) => server.inject({ method: 'GET', url: `/api${url}`, headers })
    return { get, close: () => server.close() }
  }

  test('the portal reads everything with the new key, without a change to any file', async () => {
    const folder = join(app.dataDir, 'attachments')
    const files = () => readdirSync(folder).map((name) => [name, statSync(join(folder, name)).mtimeMs])
    const before = files()
    expect((await rotate(app, [fresh, old])).all).toBe(true)
    // The blind index uses the oldest key; the second rotation replaces that key too.
    expect((await rotate(app, [fresh])).all).toBe(true)
    const { get, close } = await withKeys([fresh])
    expect((await get(`/prontuarios/${sent.record}`)).json()).toMatchObject({ descricao_hd: 'Dor' })
    const versions = (await get(`/prontuarios/${sent.record}/versoes`)).json()
    expect(versions).toMatchObject([{ descricao_hd: 'Dor' }, { descricao_hd: recordDraft().descricao_hd }])
    expect((await get('/anexos')).json()).toMatchObject([attachmentDraft])
    const file = await get(`/anexos/${sent.attachment}/arquivo`)
    expect([file.statusCode, file.rawPayload]).toEqual([200, sent.bytes])
    expect(files()).toEqual(before)
    await close()
  })

  test('the portal lists the records of a lost key, marked as lost', async () => {
    expect((await rotate(app, [fresh], { discardLost: true })).all).toBe(true)
    const { get, close } = await withKeys([fresh])
    const [record] = (await get('/prontuarios')).json()
    expect(record).toMatchObject({ id: sent.record, nome_beneficiario: LOST, descricao_hd: LOST })
    expect((await get(`/prontuarios/${sent.record}`)).statusCode).toBe(200)
    expect((await get(`/prontuarios/${sent.record}/versoes`)).json()).toHaveLength(2)
    expect((await get(`/prontuarios/${sent.record}/pdf`)).statusCode).toBe(200)
    expect((await get(`/beneficiarios/${sent.beneficiary}`)).json()).toMatchObject({
      nome_beneficiario: LOST,
    })
    expect((await get('/anexos')).json()).toMatchObject([{ id: sent.attachment, titulo_anexo: LOST }])
    const file = await get(`/anexos/${sent.attachment}/arquivo`)
    expect([file.statusCode, file.json().codigo]).toEqual([404, 'arquivo_ausente'])
    await close()
  })
})

describe('the blind index of beneficiaries', () => {
  let app: TestApp
  beforeEach(async () => {
    app = await startTestApp({ APP_SECRET: old })
  })
  afterEach(() => app.close())

  const ids = ['100', '200', '300']
  const found = async (secrets: Secrets) => {
    const names = []
    for (const id of ids) names.push((await findByPlanId(app.db, secrets, id))?.nome_beneficiario)
    return names
  }

  test('the blind index of beneficiaries uses the oldest key: the server refuses to start without it, and a rotation rebuilds the index', async () => {
    for (const id of ids)
      await createBeneficiary(app, { id_beneficiario: id, nome_beneficiario: `Pessoa ${id}` })
    await rotate(app, [fresh, old])
    expect(await found(secretsOf([fresh, old]))).toEqual(['Pessoa 100', 'Pessoa 200', 'Pessoa 300'])

    const alone = secretsOf([fresh])
    expect(await found(alone)).toEqual([undefined, undefined, undefined])
    await expect(assertKeysDecrypt(app.db, alone)).resolves.toBeUndefined()
    await expect(assertBlindIndexesMatch(app.db, alone)).rejects.toThrow(
      /não é a que achava os beneficiários/,
    )
    const { all, told } = await rotate(app, [fresh])
    expect(all).toBe(true)
    expect(told).toContain('Marcas de busca feitas com a chave mais antiga da lista: 3 beneficiários.')
    expect(await found(alone)).toEqual(['Pessoa 100', 'Pessoa 200', 'Pessoa 300'])
    await expect(assertBlindIndexesMatch(app.db, alone)).resolves.toBeUndefined()
    expect((await rotate(app, [fresh])).told).not.toContain('Marcas')
  })

  test('the blind index of beneficiaries is completed by the next rotation after an interruption', async () => {
    for (const id of ids)
      await createBeneficiary(app, { id_beneficiario: id, nome_beneficiario: `Pessoa ${id}` })
    await rotate(app, [fresh, old])
    const alone = secretsOf([fresh])
    const first = app.db.selectFrom('beneficiario').select('id').orderBy('id').limit(1)
    const marcaId = alone.digest('beneficiario:id:100')
    await app.db.updateTable('beneficiario').set({ marcaId }).where('id', '=', first).execute()
    await expect(assertBlindIndexesMatch(app.db, alone)).rejects.toThrow(/npm run secrets:rotate/)
    await rotate(app, [fresh])
    expect(await found(alone)).toEqual(['Pessoa 100', 'Pessoa 200', 'Pessoa 300'])
  })
})

// clinical-keys.long.ts uses 50,000 rows, a fifth of them in the queue.
testLargeTables({ many: 10_000, waitingRows: 2_000 })
