import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { contentContext } from '../../src/clinical/health-data/encryption-contexts.ts'
import { encryptionKeysInUse } from '../../src/operations/keys/encrypted-columns.ts'
import { rotateIn } from '../../src/operations/keys/rotate-secrets.ts'
import { secretsOf } from '../../src/platform/config/secrets.ts'
import { openTestDatabase, type TestDatabase } from '../database/test-database.ts'

export const old = 'a chave antiga desta instalação de teste'
export const fresh = 'a chave nova desta instalação de testes'

export const rotate = async (
  { db, dataDir, databaseUrl }: TestDatabase,
  appSecret: string[],
  options = {},
) => {
  const told: string[] = []
  const all = await rotateIn(db, { appSecret, dataDir, databaseUrl }, options, (text) => told.push(text))
  return { all, told: told.join('\n') }
}

/** @param waitingRows rows of one table that wait for the rotation */
export const testLargeTables = ({ many, waitingRows }: { many: number; waitingRows: number }) =>
  describe(`${many} rows in each large table`, () => {
    let database: TestDatabase
    beforeAll(async () => {
      database = await openTestDatabase()
      const current = secretsOf([fresh, old]).encrypt('{}')
      const earlier = secretsOf([old])
      const waiting = Array.from({ length: waitingRows }, (_, n) =>
        earlier.encrypt('{}', contentContext({ id: n + 1, beneficiario: n + 1, versao: 1 })),
      )
      const { db } = database
      const numbers = sql`generate_series(1, ${sql.lit(many)}) n`
      await sql`insert into beneficiario (dados, marca_id, marca_nome, cadastrado_em, id_autor, autor)
      select ${current} || 'A', 'i' || n, 'n' || n, now(), 1, 'A' from ${numbers}`.execute(db)
      await sql`insert into beneficiario_versao (beneficiario, versao, dados, id_autor, autor, em)
      select n, 1, ${current}, 1, 'A', now() from ${numbers}`.execute(db)
      await sql`insert into prontuario (beneficiario, conteudo, data_prontuario, id_autor, autor, registrado_em, motivo)
      select n, coalesce((${waiting}::text[])[n], ${current}), current_date, 1, 'A', now(), case when n % 100 = 0 then ${current} end from ${numbers}`.execute(
        db,
      )
      await sql`insert into prontuario_versao (prontuario, versao, conteudo, id_autor, autor, em)
      select n, 1, ${current}, 1, 'A', now() from ${numbers}`.execute(db)
      await sql`insert into anexo (beneficiario, dados, tipo_anexo, tipo_usuario, data_anexo, arquivo, chave_arquivo,
        id_autor, autor, enviado_em, motivo)
      select n, ${current}, 'IMG', 'USER', current_date, gen_random_uuid(), ${current}, 1, 'A', now(),
        case when n % 100 = 0 then ${current} end from ${numbers}`.execute(db)
      await sql`insert into acesso_saude (quando, id_usuario, nome_usuario, acao, objeto, id_objeto, beneficiario,
        finalidade, finalidade_texto, chave, marca)
      select now(), 1, 'A', 'lido', 'prontuario', n, n, 'outro', case when n % 100 = 0 then ${current} end, 'c', 'm'
      from ${numbers}`.execute(db)
    }, 120_000)
    afterAll(() => database.close())

    test('the keys in use are read from indexes, before and after `analyze`', async () => {
      const large = [
        'beneficiario',
        'beneficiario_versao',
        'prontuario',
        'prontuario_versao',
        'anexo',
        'acesso_saude',
      ]
      const scanned = async () => {
        const { rows } = await sql<Record<string, string>>`explain ${encryptionKeysInUse()}`.execute(
          database.db,
        )
        const plan = rows.map((row) => Object.values(row)[0] ?? '')
        return plan
          .flatMap((line) => /Seq Scan on (\w+)/.exec(line)?.[1] ?? [])
          .filter((table) => large.includes(table))
      }
      expect(await scanned()).toEqual([])
      await sql`analyze`.execute(database.db)
      expect(await scanned()).toEqual([])
      const ids = await encryptionKeysInUse().execute(database.db)
      expect(ids.rows.map(({ id }) => id).toSorted()).toEqual(
        secretsOf([fresh, old]).encryptionKeyIds.toSorted(),
      )
    })

    test(`a rotation seals ${waitingRows} values within the time limit`, { timeout: 120_000 }, async () => {
      const startedAt = performance.now()
      const { all, told } = await rotate(database, [fresh, old])
      const seconds = (performance.now() - startedAt) / 1000
      expect(all).toBe(true)
      expect(told).toContain(`: ${waitingRows} prontuários.`)
      expect(seconds).toBeLessThan((60 * waitingRows) / 10_000)
    })
  })
