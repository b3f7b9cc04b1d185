import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { openAuditTrail } from '../../../test/operations/audit-trail.ts'
import { openDatabase } from '../../platform/db/open-database.ts'
import { sealQueue } from './seal-chain.ts'

/* An attacker who can write to the database, but has no key, manipulates the trail: the
   verification must find and name each change. */

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

test('an untouched trail has no findings, before and after sealing', async () => {
  await trail.write(3)
  expect(await trail.verify()).toEqual({ sealed: 0, waiting: 3, trimmed: 0, head: undefined, findings: [] })
  expect(await trail.seal()).toEqual({ sealed: 3, refused: [] })
  const { head, ...rest } = await trail.verify()
  expect(rest).toEqual({ sealed: 3, waiting: 0, trimmed: 0, findings: [] })
  expect(head).toEqual({ ordem: 3, elo: expect.stringMatching(/^[\w-]{43}$/) })
  await trail.write(2)
  expect(await trail.seal()).toEqual({ sealed: 2, refused: [] })
  expect(await trail.verify()).toMatchObject({ sealed: 5, findings: [] })
})

test('the sealer seals more rows than one batch, in the order of their ids', async () => {
  await trail.writeAudit(
    trail.db,
    Array.from({ length: 620 }, () => ({ action: 'embed.issued' as const, idUsuario: 1 })),
  )
  expect((await trail.seal()).sealed).toBe(620)
  expect(await trail.verify()).toMatchObject({ sealed: 620, waiting: 0, findings: [] })
})

test('concurrent sealers and writers leave one unbroken chain', async () => {
  const { dataDir, databaseUrl, db, secrets } = trail
  const others = databaseUrl
    ? await Promise.all([1, 2].map(() => openDatabase({ dataDir, databaseUrl, onError: console.error })))
    : [db, db]
  let isWriting = true
  const sealing = [db, ...others].map(async (connection) => {
    let sealed = 0
    while (isWriting) sealed += (await sealQueue(connection, secrets)).sealed
    return sealed
  })
  await Promise.all([trail.write(60), trail.write(60), trail.write(60)])
  isWriting = false
  const sealed = (await Promise.all(sealing)).reduce((sum, count) => sum + count, 0)
  expect(sealed + (await trail.seal()).sealed).toBe(180)
  if (databaseUrl) await Promise.all(others.map((other) => other.destroy()))
  expect(await trail.verify()).toMatchObject({ sealed: 180, waiting: 0, findings: [] })
})

describe('the verification finds a sealed row', () => {
  beforeEach(async () => {
    await trail.write(6)
    await trail.seal()
  })

  test.each([
    [`quando = quando + interval '1 second'`],
    ['id_usuario = 99'],
    ['id_usuario = null'],
    [`acao = 'workspace.created'`],
    [`objeto = 'workspace:99'`],
    [`detalhes = '{}'`],
    [`detalhes = jsonb_set(detalhes, '{depois,nomeGrupo}', '"Outro"')`],
    [`endereco = '10.0.0.1'`],
    [`id_requisicao = 'x'`],
    [`evento = 'x.1'`],
    [`chave = 'x'`],
    [`marca = 'x'`],
    ['evento = null, chave = null, marca = null'],
    [`marca = (select marca from auditoria where id_auditoria = 2)`],
  ])('the verification finds a sealed row that was altered: %s', async (change) => {
    await trail.run(`update auditoria set ${change} where id_auditoria = 3`)
    expect(await trail.found()).toEqual([says(3, /alterado/)])
  })

  test.each([
    ['ordem = 30', 3, /fora de lugar/],
    ['id_auditoria = 300', 3, /apagado/],
    [`chave = 'x'`, 3, /fora de lugar/],
    [`elo = 'x'`, 3, /fora de lugar/],
  ])('the verification finds a sealed row whose link was altered: %s', async (change, id, what) => {
    await trail.run(`update auditoria_elo set ${change} where ordem = 3`)
    const findings = await trail.found()
    // A moved link leaves a gap before the next row, and does not fit in its new place.
    if (change.startsWith('ordem')) {
      expect(findings).toContainEqual(says(4, /falta o elo nº 3/))
      expect(findings).toContainEqual(says(id, /faltam os elos/))
    } else expect(findings).toContainEqual(says(change.startsWith('id_') ? 300 : id, what))
  })

  test('the verification finds a sealed row that was deleted, while its link is left', async () => {
    await trail.run('delete from auditoria where id_auditoria = 3')
    expect(await trail.found()).toEqual([says(3, /apagado/)])
  })

  test('the verification finds a sealed row that was deleted with its link', async () => {
    await trail.run(
      'delete from auditoria where id_auditoria in (3, 4); delete from auditoria_elo where ordem in (3, 4)',
    )
    expect(await trail.found()).toEqual([says(5, /faltam os elos nº 3 a 4, logo antes/)])
  })

  test('the verification finds a sealed row that was deleted with its link, and the others were renumbered', async () => {
    await trail.run(`delete from auditoria where id_auditoria = 3; delete from auditoria_elo where ordem = 3;
      update auditoria_elo set ordem = ordem - 1 where ordem = 4;
      update auditoria_elo set ordem = ordem - 1 where ordem = 5;
      update auditoria_elo set ordem = ordem - 1 where ordem = 6`)
    const findings = await trail.found()
    expect(findings[0]).toEqual(says(4, /fora de lugar/))
    expect(findings.at(-1)).toEqual({
      id: undefined,
      what: expect.stringMatching(/fim da cadeia foi cortado/),
    })
  })

  test('the verification finds a sealed row whose link was deleted', async () => {
    await trail.run('delete from auditoria_elo where ordem = 3')
    expect(await trail.found()).toEqual([
      says(4, /falta o elo nº 3/),
      says(3, /fora da cadeia: o elo dele foi apagado/),
    ])
  })

  test("the verification finds a sealed row whose content was swapped with another row's", async () => {
    const columns = ['quando', 'id_usuario', 'acao', 'objeto', 'detalhes', 'evento', 'chave', 'marca'].join(
      ', ',
    )
    await trail.run(`drop index auditoria_evento;
      update auditoria a set (${columns}) = (select ${columns} from auditoria b where b.id_auditoria = 7 - a.id_auditoria)
      where id_auditoria in (2, 5)`)
    expect(await trail.found()).toEqual([says(2, /fora de lugar/), says(5, /fora de lugar/)])
    await trail.run('create unique index auditoria_evento on auditoria (evento)')
  })

  test("the verification finds a sealed row whose link was swapped with another row's", async () => {
    await trail.run(`update auditoria_elo set ordem = -1 where ordem = 2; update auditoria_elo set ordem = 2 where ordem = 5;
      update auditoria_elo set ordem = 5 where ordem = -1`)
    const findings = await trail.found()
    expect(findings).toContainEqual(says(5, /fora de lugar/))
    expect(findings).toContainEqual(says(2, /fora de lugar/))
  })

  test('the verification finds a sealed row that got another id', async () => {
    const generated = (how: string) =>
      trail.run(`alter table auditoria alter id_auditoria set generated ${how}`)
    await generated('by default')
    await trail.run('update auditoria set id_auditoria = 300 where id_auditoria = 3')
    await generated('always')
    expect(await trail.found()).toEqual([says(3, /apagado/), says(300, /fora da cadeia/)])
  })

  test('the verification finds a sealed row that was queued again', async () => {
    await trail.run('insert into auditoria_fila values (3)')
    expect((await trail.seal()).refused).toEqual([{ idAuditoria: 3, reason: 'sealed before' }])
    expect(await trail.found()).toEqual([says(3, /outra vez na fila/)])
  })
})

describe('the verification finds an inserted row', () => {
  const insert = (fields: Record<string, string> = {}) => {
    const row = { acao: `'user.created'`, ...fields }
    return trail.run(
      `insert into auditoria (${Object.keys(row).join(', ')}) values (${Object.values(row).join(', ')})`,
    )
  }
  beforeEach(async () => {
    await trail.write(4)
    await trail.seal()
  })

  test('the verification finds an inserted row without HMAC, not queued', async () => {
    await insert()
    expect(await trail.found()).toEqual([says(5, /incluído: não está na cadeia/)])
  })

  test('the verification finds an inserted row without HMAC, queued; it is not sealed and does not stop the others', async () => {
    await insert()
    await trail.run('insert into auditoria_fila values (5)')
    await trail.write(2)
    expect(await trail.seal()).toEqual({ sealed: 2, refused: [{ idAuditoria: 5, reason: 'wrong mark' }] })
    expect(await trail.found()).toEqual([says(5, /incluído, ou alterado antes/)])
  })

  test.each([true, false])(
    'the verification finds an inserted row with the HMAC of another row; queued: %s',
    async (isQueued) => {
      const mark = (column: string) => `(select ${column} from auditoria where id_auditoria = 2)`
      await insert({ evento: `'forjado.1'`, chave: mark('chave'), marca: mark('marca') })
      if (isQueued) await trail.run('insert into auditoria_fila values (5)')
      expect((await trail.seal()).sealed).toBe(0)
      expect(await trail.found()).toEqual([says(5, /incluído/)])
    },
  )

  test.each([true, false])(
    'the verification finds an inserted row that copies another row; queued: %s',
    async (isQueued) => {
      const columns =
        'evento, quando, id_usuario, acao, objeto, detalhes, endereco, id_requisicao, chave, marca'
      const copy = `insert into auditoria (${columns}) select ${columns} from auditoria where id_auditoria = 2`
      await expect(trail.run(copy)).rejects.toMatchObject({ code: '23505' })
      await trail.run('drop index auditoria_evento')
      await trail.run(copy)
      // The refused statement consumed an id too.
      if (isQueued) await trail.run('insert into auditoria_fila values (6)')
      expect((await trail.seal()).sealed).toBe(0)
      const findings = await trail.found()
      expect(findings).toContainEqual(says(6, isQueued ? /repete outro/ : /fora da cadeia/))
      expect(findings).toContainEqual(says(2, /repetido/))
      await trail.reset()
      await trail.run('create unique index auditoria_evento on auditoria (evento)')
    },
  )

  test('the verification finds an inserted row with a forged link at the end', async () => {
    await insert()
    await trail.run(`insert into auditoria_elo select 5, 5, chave, elo from auditoria_elo where ordem = 4`)
    expect(await trail.found()).toEqual([
      says(5, /alterado/),
      { id: undefined, what: expect.stringMatching(/depois do fim da cadeia/) },
    ])
  })

  test('the verification finds an inserted row that was queued and then altered or deleted', async () => {
    await trail.write(2)
    await trail.run(
      `update auditoria set id_usuario = 9 where id_auditoria = 5; delete from auditoria where id_auditoria = 6`,
    )
    expect((await trail.seal()).refused.map(({ reason }) => reason)).toEqual(['wrong mark', 'gone'])
    expect(await trail.found()).toEqual([says(5, /alterado antes de ser selado/), says(6, /apagado antes/)])
  })
})

describe('the verification finds', () => {
  beforeEach(async () => {
    await trail.write(6)
    await trail.seal()
  })
  const nameless = (what: RegExp) => ({ id: undefined, what: expect.stringMatching(what) })

  test('the verification finds a truncated end', async () => {
    await trail.run('delete from auditoria where id_auditoria > 4; delete from auditoria_elo where ordem > 4')
    expect(await trail.found()).toEqual([nameless(/fim da cadeia foi cortado: faltam os elos nº 5 a 6/)])
    await trail.write(1)
    await trail.seal()
    expect(await trail.found()).toEqual([says(7, /faltam os elos nº 5 a 6/)])
  })

  test('the verification finds a truncated end whose rows are left', async () => {
    await trail.run('delete from auditoria_elo where ordem > 5')
    expect(await trail.found()).toEqual([
      nameless(/cortado: falta o elo nº 6/),
      says(6, /elo dele foi apagado/),
    ])
  })

  test('the verification finds a truncated end with an earlier end marker, by the noted head', async () => {
    const end = await trail.db
      .selectFrom('auditoriaPonta')
      .selectAll()
      .where('ponta', '=', 'fim')
      .executeTakeFirstOrThrow()
    const early = (await trail.verify()).head
    await trail.write(2)
    await trail.seal()
    const late = (await trail.verify()).head
    await trail.run('delete from auditoria where id_auditoria > 6; delete from auditoria_elo where ordem > 6')
    await trail.db.updateTable('auditoriaPonta').set(end).where('ponta', '=', 'fim').execute()
    expect(await trail.found()).toEqual([])
    expect((await trail.verify(early)).findings).toEqual([])
    expect((await trail.verify(late)).findings).toEqual([
      { what: 'a cadeia termina no nº 6, antes da ponta anotada (nº 8)' },
    ])
    expect((await trail.verify({ ordem: 3, elo: 'x' })).findings).toEqual([
      { what: 'o elo nº 3 não é o da ponta anotada' },
    ])
  })

  test('the verification finds a truncated beginning', async () => {
    await trail.run('delete from auditoria where id_auditoria < 3; delete from auditoria_elo where ordem < 3')
    expect(await trail.found()).toEqual([says(3, /faltam os elos nº 1 a 2/)])
  })

  test('the verification finds a truncated beginning with the end marker in its place', async () => {
    await trail.run(`delete from auditoria where id_auditoria < 7; delete from auditoria_elo where ordem < 7;
      update auditoria_ponta i set (ordem, elo, chave, marca) =
        (select ordem, elo, chave, marca from auditoria_ponta where ponta = 'fim') where ponta = 'inicio'`)
    expect(await trail.found()).toEqual([nameless(/início da cadeia foi alterada/)])
    await expect(trail.write(1).then(trail.seal)).rejects.toThrow('audit:verify')
  })

  test.each(['inicio', 'fim'])('the verification finds a deleted end marker: %s', async (ponta) => {
    await trail.run(`delete from auditoria_ponta where ponta = '${ponta}'`)
    expect(await trail.found()).toContainEqual(nameless(/foi apagada/))
    await expect(trail.write(1).then(trail.seal)).rejects.toThrow('audit:verify')
  })

  test('the verification finds a completely deleted trail', async () => {
    await trail.run('delete from auditoria_ponta')
    await trail.run('delete from auditoria_elo')
    await trail.run('delete from auditoria')
    expect(await trail.found()).toEqual([])
    await trail.run(`insert into usuario (nome_usuario, email_usuario) values ('Ana', 'ana@exemplo.com.br')`)
    await trail.run(`insert into sessao (id_sessao, id_usuario, criada_em, ultimo_uso, expira_em)
      select gen_random_uuid(), id_usuario, now(), now(), now() from usuario`)
    expect(await trail.found()).toEqual([nameless(/a trilha está vazia/)])
  })

  test('the verification finds two deleted end markers, which the sealer does not recreate', async () => {
    await trail.run('delete from auditoria_ponta')
    await trail.write(1)
    await expect(trail.seal()).rejects.toThrow('audit:verify')
    expect(await trail.found()).toEqual([
      nameless(/início da cadeia foi apagada/),
      nameless(/fim da cadeia foi apagada/),
    ])
  })
})
