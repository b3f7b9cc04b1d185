import { describe, expect, test } from 'vitest'
import { createAlert } from '../../../test/distribution/alerts.ts'
import { grantReport } from '../../../test/reports.ts'
import { alertSuite } from '../../../test/stand-ins/alert-suite.ts'
import { mortalDatabase } from '../../../test/stand-ins/mortal-database.ts'

const { suite, values, tables, hook, work, senderOf, pass, evaluate, publish, watch, make, change, ...read } =
  alertSuite()
const { outcomes, bellOf, sendings, tableKinds } = read
const withRows = { papeisRls: ['Regional'] }
const asked = () => suite.provider.seen.filter(({ path }) => path.endsWith('/data'))

/* Kind: work for many people under one name, which shares the limits of one person. */
test('the alerts of a person are a reader of their own at the local service', async () => {
  const [first, second] = [await publish(), await publish()]
  const { user } = await make(first)
  const { idAlerta } = await make(second)
  await make(await publish())
  await grantReport(suite.app, user.idUsuario, second.idRelatorio)
  await change('alerta', { idDono: user.idUsuario }, idAlerta)
  const opened = () =>
    suite.provider.seen.filter(({ path }) => path.endsWith('/GenerateToken')).map(({ body }) => body)
  const before = opened().length
  await evaluate()
  const readers = opened()
    .slice(before)
    .map((body) => JSON.parse(body)['@biManager.reader'])
  expect(readers).toHaveLength(3)
  expect(new Set(readers).size).toBe(2)
})

describe('a crossing', () => {
  test('a crossing is told once, with value, earlier value, chart and link', async () => {
    values.set('todos', 90)
    const report = await publish()
    const { user, idAlerta } = await make(report)
    for (const value of [95, 120.5, 130, 80]) {
      values.set('todos', value)
      await evaluate()
    }
    expect(await outcomes(idAlerta)).toEqual([
      ['INICIAL', 90, null],
      ['NORMAL', 95, 90],
      ['CRUZOU', 120.5, 95],
      ['CONTINUA', 130, 120.5],
      ['NORMAL', 80, 130],
    ])
    const bell = await bellOf(user.idUsuario)
    expect(bell).toEqual([
      {
        titulo: 'Alerta: Custo alto',
        texto: expect.stringMatching(
          /^Custo em “CUSTO”, no relatório “Custos & receitas”: R\$\s120,50, antes R\$\s95,00\. Condição: acima de R\$\s100,00\.$/,
        ),
        rota: expect.stringMatching(/^\/relatorio-embed\/.+\?relatorio=\d+&pagina=p1/),
      },
    ])
    const [email, ...more] = suite.smtp.received
    expect(more).toEqual([])
    expect(email?.to?.[0]?.address).toBe(user.emailUsuario)
    expect(email?.subject).toBe('Alerta: Custo alto')
    for (const said of [/Valor: R\$\s120,50/, /Valor anterior: R\$\s95,00/, /Condição: acima de R\$\s100,00/])
      expect(email?.text).toMatch(said)
    // The chart: three values, the longest bar for the largest.
    expect(email?.html?.match(/width:180px/g)).toHaveLength(1)
    expect(email?.text).toContain(`https://bi.exemplo.com.br${bell[0]?.rota}`)
    expect(await sendings()).toEqual([{ canal: 'EMAIL', estado: 'ENVIADO', motivo: null, tentativas: 0 }])
    expect(await suite.app.db.selectFrom('mensagem').selectAll().execute()).toEqual([])
  })

  test('a crossing of a change is told each time that it is large enough', async () => {
    values.set('todos', 200)
    const { user, idAlerta } = await make(await publish(), {
      condicao: 'VARIOU',
      limite: 10,
      percentual: true,
    })
    for (const value of [210, 220, 230, 190]) {
      values.set('todos', value)
      await evaluate()
    }
    expect(await outcomes(idAlerta)).toEqual([
      ['INICIAL', 200, null],
      ['NORMAL', 210, 200],
      ['CRUZOU', 220, 200],
      ['NORMAL', 230, 220],
      ['CRUZOU', 190, 220],
    ])
    expect(await bellOf(user.idUsuario)).toHaveLength(2)
  })

  test('a crossing of a missing row is told, and a row is found by its key', async () => {
    tables.set('todos', [
      ['CNU', 5],
      ['BRADESCO', 7],
    ])
    const of = { visual: 'tabela', linha: { operadora: 'BRADESCO' } }
    const report = await publish()
    const { user, idAlerta } = await make(report, { ...of, condicao: 'AUSENTE', limite: null })
    await evaluate()
    tables.set('todos', [['CNU', 5]])
    await evaluate()
    await evaluate()
    expect(await outcomes(idAlerta)).toEqual([
      ['INICIAL', 7, null],
      ['NORMAL', 7, 7],
      ['CRUZOU', null, 7],
      ['CONTINUA', null, null],
    ])
    expect((await bellOf(user.idUsuario))[0]?.texto).toMatch(
      /\(operadora: BRADESCO\).*sem valor, antes R\$\s7,00/,
    )
  })
})

describe('the row of an alert', () => {
  const moments: [string, number][] = [
    ['2026-03-05T00:00:00', 7],
    ['2026-03-05T14:30:00', 5],
  ]

  test('the row of an alert is named by the kind of its column, in the bell and in the answers', async () => {
    tables.set('todos', moments)
    tableKinds.push('timestamp', 'number')
    const of = { visual: 'tabela', linha: { operadora: '2026-03-05T00:00:00' }, limite: 10 }
    const { user, session, idAlerta } = await make(await publish(), of)
    const formas = { operadora: { tipo: 'timestamp', formato: null } }
    expect((await session.get(`/alertas/${idAlerta}`)).body).toMatchObject({ formas })
    tables.set('todos', [['2026-03-05T00:00:00', 11], ...moments.slice(1)])
    await evaluate()
    expect((await bellOf(user.idUsuario))[0]?.texto).toContain('(operadora: 05/03/2026 00:00)')
  })

  test('the row of an alert that an earlier version stored gets its kind at the next evaluation', async () => {
    const codeWith = (value: number): [string, number][] => [['2026-03-05T14:30:00', value]]
    tables.set('todos', codeWith(7))
    tableKinds.push('text', 'number')
    const chaveLinha = '{"operadora":"2026-03-05T14:30:00"}'
    const { user } = await watch(await publish(), { visual: 'tabela', chaveLinha, limite: 10 })
    await evaluate()
    tables.set('todos', codeWith(11))
    await evaluate()
    expect((await bellOf(user.idUsuario))[0]?.texto).toContain('(operadora: 2026-03-05T14:30:00)')
  })
})

describe('identities', () => {
  test('two owners get the values of their own rows, by one question each', async () => {
    const report = await publish(withRows)
    const owners = [await watch(report), await watch(report), await watch(report)]
    // A second alert of the first person shares the question.
    const [first] = owners
    await createAlert(suite.app, {
      idRelatorio: report.idRelatorio,
      idDono: first?.user.idUsuario ?? 0,
      limite: 5,
      visual: 'tabela',
      chaveLinha: '{"operadora":"CNU"}',
    })
    tables.set('todos', [['CNU', 1]])
    for (const [n, { user }] of owners.entries()) values.set(user.emailUsuario, n)
    await evaluate()
    suite.provider.seen.length = 0
    for (const [n, { user }] of owners.entries()) values.set(user.emailUsuario, 100 + n)
    await evaluate()
    expect(asked()).toHaveLength(3)
    for (const [n, { user, idAlerta }] of owners.entries()) {
      const all = await outcomes(idAlerta)
      // The first alert is above 100 only by more.
      expect(all.at(-1)).toEqual([n === 0 ? 'NORMAL' : 'CRUZOU', 100 + n, n])
      expect(await bellOf(user.idUsuario)).toHaveLength(n === 0 ? 0 : 1)
    }
    // Values of such reports do not leave the portal by e-mail, unless an ADMIN allows it.
    for (const { text } of suite.smtp.received) {
      expect(text).toContain('Ele só é mostrado no portal')
      expect(text).not.toMatch(/R\$\s10\d/)
    }
    expect(suite.smtp.received).toHaveLength(2)
  })

  test('a value of another identity is compared with nothing, and shown to nobody', async () => {
    const report = await publish(withRows)
    values.set('todos', 50)
    const { user, idAlerta, session } = await make(report)
    await change('usuario', { identidadeRls: 'Sul' }, user.idUsuario)
    values.set('todos', 500)
    await evaluate()
    expect(await outcomes(idAlerta)).toEqual([
      ['INICIAL', 50, null],
      ['INICIAL', 500, null],
    ])
    expect(await bellOf(user.idUsuario)).toEqual([])
    const { body } = await session.get(`/alertas/${idAlerta}/avaliacoes`)
    expect(body.map(({ valor }: { valor: number | null }) => valor)).toEqual([500, null])
  })

  test('the bell shows a value while the identity with which it was read is the current one', async () => {
    values.set('todos', 90)
    const { user, session } = await make(await publish(withRows))
    values.set('todos', 120.5)
    await evaluate()
    const shown = async () => {
      const { body } = await session.get('/notificacoes')
      return body.map(({ titulo, texto }: { titulo: string; texto: string }) => [titulo, texto])
    }
    const value = [['Alerta: Custo alto', expect.stringMatching(/R\$\s120,50/)]]
    expect(await shown()).toEqual(value)
    await change('usuario', { identidadeRls: 'Sul' }, user.idUsuario)
    expect(await shown()).toEqual([
      ['Alerta: Custo alto', expect.stringMatching(/^O valor foi lido com outra identidade/)],
    ])
    await change('usuario', { identidadeRls: null }, user.idUsuario)
    expect(await shown()).toEqual(value)
  })
})

describe('a failure', () => {
  test('a failure keeps the state, is repeated, and causes one notification', async () => {
    values.set('todos', 50)
    const { user, idAlerta } = await make(await publish())
    suite.provider.answer('readData', () => ({ status: 500 }))
    await evaluate()
    expect(await bellOf(user.idUsuario)).toEqual([])
    for (let again = 0; again < 6; again += 1) {
      await pass(10 * 60_000)
      await work()
    }
    const bell = await bellOf(user.idUsuario)
    expect(bell.map(({ titulo }) => titulo)).toEqual(['O alerta “Custo alto” não pôde ser avaliado'])
    await evaluate()
    for (let again = 0; again < 6; again += 1) {
      await pass(10 * 60_000)
      await work()
    }
    expect(await bellOf(user.idUsuario)).toHaveLength(1)
    const row = await suite.app.db.selectFrom('alerta').selectAll().executeTakeFirstOrThrow()
    expect([row.estado, row.valor]).toEqual(['NORMAL', 50])
    expect((await outcomes(idAlerta)).filter(([resultado]) => resultado === 'FALHOU').length).toBeGreaterThan(
      6,
    )
  })

  test('a failure is taken out of the bell by the next value or a saved alert, and then told again', async () => {
    const report = await publish()
    const { user, session, idAlerta } = await make(report)
    const unread = async () =>
      (await suite.app.db.selectFrom('notificacao').select('titulo').where('lidaEm', 'is', null).execute())
        .length
    const gone = (isGone: boolean) =>
      suite.app.db
        .updateTable('alerta')
        .set({ visual: isGone ? 'outro' : 'custo' })
        .execute()
    values.set('todos', 50)
    await gone(true)
    await evaluate()
    expect(await unread()).toBe(1)
    await gone(false)
    await evaluate()
    expect(await unread()).toBe(0)
    await gone(true)
    await evaluate()
    expect([await unread(), (await bellOf(user.idUsuario)).length]).toEqual([1, 2])
    await session.put(`/alertas/${idAlerta}/ativo`, { ativo: false })
    expect(await unread()).toBe(0)
  })

  test('a failure of a visual that is gone is told at once', async () => {
    const report = await publish()
    const { user } = await watch(report, { visual: 'outro' })
    await evaluate()
    expect((await bellOf(user.idUsuario))[0]?.texto).toMatch(/^O relatório mudou/)
  })
})

describe('a refresh', () => {
  test('a refresh causes one evaluation', async () => {
    values.set('todos', 50)
    const report = await publish()
    const { idAlerta } = await make(report, { frequencia: 'ATUALIZACAO' })
    const { idGrupoRelatorio, reportId, idRelatorio } = report
    const { idPowerBi } = await suite.app.db
      .selectFrom('grupoRelatorio')
      .select('idPowerBi')
      .where('idGrupoRelatorio', '=', idGrupoRelatorio)
      .executeTakeFirstOrThrow()
    const lidaEm = new Date()
    await suite.app.db
      .insertInto('conjuntoRelatorio')
      .values({ idRelatorio, reportId, lidoEm: lidaEm, idConjunto: 'c', idGrupoConjunto: 'g' })
      .execute()
    await suite.app.db
      .insertInto('leituraAtualizacoes')
      .values({ idPowerBi, idConjunto: 'c', lidaEm, falhasAte: lidaEm, concluidaEm: new Date(0) })
      .execute()
    await work()
    expect(await outcomes(idAlerta)).toHaveLength(1)
    await pass(60_000)
    const concluidaEm = suite.app.services.now()
    await suite.app.db.updateTable('leituraAtualizacoes').set({ concluidaEm }).execute()
    await work()
    await work()
    expect(await outcomes(idAlerta)).toHaveLength(2)
  })
})

describe('a process that dies before any statement', () => {
  test('a process that dies before any statement tells each crossing once', {
    timeout: 120_000,
  }, async () => {
    const report = await publish()
    const { user, idAlerta } = await watch(report, { porEmail: false })
    values.set('todos', 1)
    await evaluate()
    let told = 0
    for (let dieAt = 1; dieAt < 100; dieAt += 1) {
      values.set('todos', 1)
      await evaluate()
      values.set('todos', 200 + dieAt)
      await pass(60_000)
      await suite.app.db.updateTable('alerta').set({ proximaEm: new Date() }).execute()
      const { db, life } = mortalDatabase(suite.app.services.db, dieAt)
      await work({ db }).catch(() => undefined)
      if (life.isDead) {
        // What the dead process held is taken over.
        await pass(6 * 60_000)
        await work()
      }
      told += 1
      expect(await bellOf(user.idUsuario)).toHaveLength(told)
      if (!life.isDead) break
    }
    expect(told).toBeGreaterThan(8)
    expect((await outcomes(idAlerta)).filter(([resultado]) => resultado === 'CRUZOU')).toHaveLength(told)
  })
})
