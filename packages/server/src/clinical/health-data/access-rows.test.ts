import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { accessesAfter, lastAccess } from '../../../test/clinical/access-log.ts'
import { useTestApp } from '../../../test/use-test-app.ts'
import { createUser } from '../../../test/users.ts'
import type { Db } from '../../platform/db/open-database.ts'
import { hasValidAccessMac, insertAccesses } from './access-rows.ts'

const app = useTestApp()

test('insertAccesses uses one short prepared statement for any number of rows', async () => {
  const { db, services } = app
  const officer = await createUser(app, { nomeUsuario: 'Helena Duarte', encarregadoDados: true })
  const row = {
    quando: new Date(),
    idUsuario: officer.idUsuario,
    nomeUsuario: officer.nomeUsuario,
    acao: 'lido',
    objeto: 'beneficiario',
    beneficiario: null,
    finalidade: 'outro',
    texto: 'ouvidoria',
    idRequisicao: null,
  } as const
  const write = (tx: Db, length: number) =>
    insertAccesses(
      tx,
      services.secrets,
      Array.from({ length }, (_, idObjeto) => ({ ...row, idObjeto })),
    )
  const before = await lastAccess(app)
  const texts = await db.connection().execute(async (tx) => {
    // The second run of each shape would prepare another statement.
    for (const length of [1_000, 999, 1_000, 999]) await write(tx, length)
    return sql<{ statement: string }>`
      select statement from pg_prepared_statements where statement like '%insert into%acesso_saude%'`.execute(
      tx,
    )
  })
  expect(texts.rows).toHaveLength(1)
  expect(texts.rows[0]?.statement.length).toBeLessThan(2_000)
  const written = await accessesAfter(app, before)
  expect(written).toHaveLength(3_998)
  expect(written.filter((access) => !hasValidAccessMac(services.secrets, access))).toEqual([])
})
