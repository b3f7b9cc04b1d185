import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { openAuditTrail } from '../../../test/operations/audit-trail.ts'
import { deleteExpiredAuditRows } from './delete-expired-audit-rows.ts'

let trail: Awaited<ReturnType<typeof openAuditTrail>>
beforeAll(async () => {
  trail = await openAuditTrail()
})
afterAll(() => trail.close())
beforeEach(async () => {
  await trail.reset()
  trail.clock.now = new Date()
})

const says = (id: number, what: RegExp) => ({ id, what: expect.stringMatching(what) })

describe('rows from before the chain', () => {
  const insertOld = () =>
    trail.run(`with nova as (insert into auditoria (acao) values ('user.created') returning id_auditoria)
      insert into auditoria_fila select id_auditoria from nova`)

  test('rows from before the chain become the first links, and are refused after the first row with an HMAC', async () => {
    await insertOld()
    await insertOld()
    expect(await trail.found()).toEqual([])
    expect((await trail.seal()).sealed).toBe(2)
    await insertOld()
    await trail.write(1)
    await insertOld()
    expect(await trail.found()).toEqual([says(5, /marca dele não confere/)])
    expect(await trail.seal()).toEqual({ sealed: 2, refused: [{ idAuditoria: 5, reason: 'wrong mark' }] })
    await trail.run(`update auditoria set objeto = 'x' where id_auditoria = 1`)
    expect(await trail.found()).toEqual([says(1, /alterado/), says(5, /marca dele não confere/)])
  })
})

describe('the retention', () => {
  const days = (count: number) => new Date(Date.now() - count * 24 * 3_600_000)
  const trim = (before: Date, batchSize?: number) =>
    deleteExpiredAuditRows({ ...trail, before, ...(batchSize ? { batchSize } : {}) })
  beforeEach(async () => {
    trail.clock.now = days(400)
    await trail.write(5)
    trail.clock.now = days(1)
    await trail.write(2)
    await trail.seal()
  })

  test('the retention deletes from the beginning, audits it, and leaves an intact chain', async () => {
    const { head } = await trail.verify()
    expect(await trim(days(500))).toBe(0)
    expect(await trim(days(365), 2)).toBe(5)
    const rows = await trail.db
      .selectFrom('auditoria')
      .select(['acao', 'detalhes'])
      .orderBy('idAuditoria')
      .execute()
    expect(rows.map(({ acao }) => acao)).toEqual([
      'workspace.updated',
      'workspace.updated',
      'audit.trimmed',
      'audit.trimmed',
      'audit.trimmed',
    ])
    expect(rows.slice(2).map(({ detalhes }) => detalhes.linhas)).toEqual([2, 2, 1])
    expect(String(rows.at(-1)?.detalhes.ate).slice(0, 10)).toBe(days(400).toISOString().slice(0, 10))
    await trail.seal()
    expect(await trail.verify(head)).toMatchObject({ sealed: 5, trimmed: 5, findings: [] })
    expect((await trail.verify({ ordem: 2, elo: 'x' })).findings).toEqual([
      { what: expect.stringMatching(/nº 2\) já foi descartada/) },
    ])
    await trail.run('delete from auditoria_elo where ordem = 6; delete from auditoria where id_auditoria = 6')
    expect(await trail.found()).toEqual([says(7, /falta o elo nº 6/)])
  })

  test('the retention does not delete a row whose date was altered', async () => {
    await trail.run(`update auditoria set quando = '2000-01-01' where id_auditoria = 6`)
    await expect(trim(days(365))).rejects.toThrow('not what was sealed')
    expect(await trail.found()).toEqual([says(6, /alterado/)])
  })

  test('the retention keeps the last link at any age', async () => {
    expect(await trim(new Date())).toBe(6)
    await trail.seal()
    expect(await trail.verify()).toMatchObject({ sealed: 2, trimmed: 6, findings: [] })
  })

  test('the retention does not let a deleted row be inserted and sealed again', async () => {
    const columns =
      'evento, quando, id_usuario, acao, objeto, detalhes, endereco, id_requisicao, chave, marca'
    await trail.run(`create table copia as select ${columns} from auditoria where id_auditoria = 2`)
    await trim(days(365))
    await trail.seal()
    await trail.run(`with nova as (insert into auditoria (${columns}) select ${columns} from copia returning id_auditoria)
      insert into auditoria_fila select id_auditoria from nova; drop table copia`)
    expect((await trail.seal()).refused).toMatchObject([{ reason: 'older than what was dropped' }])
    expect((await trail.found()).map(({ what }) => what)).toEqual([expect.stringMatching(/mais antigo/)])
  })
})
