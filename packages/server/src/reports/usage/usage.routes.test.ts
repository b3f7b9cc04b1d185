import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { createConnection, createReport, createWorkspace, grantReport } from '../../../test/reports.ts'
import { useTestApp } from '../../../test/use-test-app.ts'
import { createUser } from '../../../test/users.ts'
import { deleteExpiredUsage } from './delete-expired-usage.ts'

const app = useTestApp()

const dayMs = 86_400_000
const daysAgo = (days: number) => new Date(Date.now() - days * dayMs)
const dayOf = (instant: Date) => instant.toLocaleDateString('sv-SE', { timeZone: 'America/Sao_Paulo' })

const start = async () => {
  const { idPowerBi } = await createConnection(app)
  const workspace = await createWorkspace(app, { idPowerBi, nomeGrupo: 'Gestão' })
  const { idGrupoRelatorio } = workspace
  const costs = await createReport(app, { idGrupoRelatorio, nomeRelatorio: 'Custos' })
  const rare = await createReport(app, { idGrupoRelatorio, nomeRelatorio: 'Absenteísmo' })
  const admin = await createUser(app, { tipoUsuario: 'ADMIN' })
  const [ana, bia] = [
    await createUser(app, { nomeUsuario: 'Ana Souza' }),
    await createUser(app, { nomeUsuario: 'Bia Lima' }),
  ]
  for (const { idUsuario } of [ana, bia]) await grantReport(app, idUsuario, costs.idRelatorio)
  return { workspace, costs, rare, ana, bia, asAdmin: await app.as(admin) }
}

const view = (idRelatorio: number, idUsuario: number, quando = new Date(), renderizadoMs = 900) =>
  app.db
    .insertInto('visualizacao')
    .values({ idRelatorio, idUsuario, quando, carregadoMs: 1, renderizadoMs })
    .execute()

const registerOn = (idRelatorio: number, criadoEm: Date | null) =>
  app.db.updateTable('relatorio').set({ criadoEm }).where('idRelatorio', '=', idRelatorio).execute()

describe('GET /uso/lista', () => {
  test('GET /uso/lista sums views, readers, times, pages and errors by report, with a percentile of each range', async () => {
    const { costs, rare, ana, bia, asAdmin } = await start()
    for (const ms of [600, 700, 1_600, 2_900]) await view(costs.idRelatorio, ana.idUsuario, new Date(), ms)
    await view(costs.idRelatorio, bia.idUsuario, daysAgo(3), 700)
    await view(costs.idRelatorio, bia.idUsuario, daysAgo(40))
    await view(rare.idRelatorio, ana.idUsuario, daysAgo(100))
    const asAna = await app.as(ana)
    const eventos = [
      { tipo: 'pagina', nome: 'Resumo' },
      { tipo: 'pagina', nome: 'Detalhe' },
      { tipo: 'erro', nome: 'QueryTimeout' },
    ]
    expect((await asAna.post(`/usuarios/relatorio/${costs.idRelatorio}/uso`, { eventos })).status).toBe(204)
    const { status, body, headers } = await asAdmin.get('/uso/lista?dias=30&pagina=1')
    expect(status).toBe(200)
    expect(headers['x-total-count']).toBe('1')
    // Of five views, three are in 500–750 ms; the median is 2.5 views into them.
    expect(body).toEqual([
      {
        id: costs.idRelatorio,
        nome: 'Custos',
        detalhe: 'Gestão',
        visualizacoes: 5,
        leitores: 2,
        paginas: 2,
        erros: 1,
        p50: 708,
        p95: 2_875,
      },
    ])
    const ninety = await asAdmin.get('/uso/lista?dias=90')
    expect(ninety.body.map((row: { visualizacoes: number }) => row.visualizacoes)).toEqual([6])
    const year = await asAdmin.get('/uso/lista?dias=365&ordem=nome')
    expect(
      year.body.map((row: { nome: string; visualizacoes: number }) => [row.nome, row.visualizacoes]),
    ).toEqual([
      ['Absenteísmo', 1],
      ['Custos', 6],
    ])
  })

  test('GET /uso/lista sums by workspace, person and profile, counts distinct readers, and searches', async () => {
    const { workspace, costs, rare, ana, bia, asAdmin } = await start()
    for (const { idRelatorio } of [costs, rare]) {
      for (const { idUsuario } of [ana, bia]) await view(idRelatorio, idUsuario)
    }
    const { idPerfil } = await app.db
      .insertInto('perfil')
      .values({ nomePerfil: 'Diretoria' })
      .returning('idPerfil')
      .executeTakeFirstOrThrow()
    await app.db.insertInto('perfilUsuario').values({ idPerfil, idUsuario: bia.idUsuario }).execute()
    const rowsOf = async (query: string) => {
      const { body } = await asAdmin.get(`/uso/lista?${query}`)
      return body.map(({ id, visualizacoes, leitores }: Record<string, number>) => [
        id,
        visualizacoes,
        leitores,
      ])
    }
    expect(await rowsOf('por=workspace')).toEqual([[workspace.idGrupoRelatorio, 4, 2]])
    expect(await rowsOf('por=pessoa&ordem=nome')).toEqual([
      [ana.idUsuario, 2, 2],
      [bia.idUsuario, 2, 2],
    ])
    expect(await rowsOf('por=perfil')).toEqual([[idPerfil, 2, 1]])
    expect(await rowsOf('por=pessoa&busca=lima')).toEqual([[bia.idUsuario, 2, 2]])
    // Words of name and e-mail, in any order.
    const [mailbox = ''] = bia.emailUsuario.split('@')
    for (const busca of ['LIMA bia', `${mailbox} lima`, bia.emailUsuario])
      expect(await rowsOf(`por=pessoa&busca=${encodeURIComponent(busca)}`)).toEqual([[bia.idUsuario, 2, 2]])
    expect(await rowsOf('por=pessoa&busca=lima%20souza')).toEqual([])
    await app.db
      .updateTable('usuario')
      .set({ emailUsuario: 'bia@xn--aa-4iaz.com.br' })
      .where('idUsuario', '=', bia.idUsuario)
      .execute()
    expect(await rowsOf(`por=pessoa&busca=${encodeURIComponent('açaí')}`)).toEqual([[bia.idUsuario, 2, 2]])
    expect(await rowsOf('por=relatorio&busca=gestao%20custos')).toEqual([[costs.idRelatorio, 2, 2]])
  })

  test('pages keep the total, also past the end, and a deleted report keeps its number', async () => {
    const { costs, rare, ana, asAdmin } = await start()
    await view(costs.idRelatorio, ana.idUsuario)
    await view(rare.idRelatorio, ana.idUsuario)
    await app.db.deleteFrom('relatorio').where('idRelatorio', '=', rare.idRelatorio).execute()
    const second = await asAdmin.get('/uso/lista?pagina=2&tamanho=1&ordem=nome')
    expect([second.body.length, second.headers['x-total-count']]).toEqual([1, '2'])
    expect(second.body[0].nome).toBe(`Relatório nº ${rare.idRelatorio} (excluído)`)
    const third = await asAdmin.get('/uso/lista?pagina=3&tamanho=1')
    expect([third.body, third.headers['x-total-count']]).toEqual([[], '2'])
  })

  test('GET /uso/lista is a CSV that spreadsheets do not run, and audited', async () => {
    const { costs, ana, asAdmin } = await start()
    await app.db
      .updateTable('relatorio')
      .set({ nomeRelatorio: '=1+1' })
      .where('idRelatorio', '=', costs.idRelatorio)
      .execute()
    await view(costs.idRelatorio, ana.idUsuario, new Date(), 600)
    const { body, headers } = await asAdmin.get('/uso/lista.csv')
    expect(headers['content-disposition']).toBe('attachment; filename="uso-por-relatorio-30-dias.csv"')
    expect(body.replace('\ufeff', '').split('\r\n').slice(0, 2)).toEqual([
      'Nº;Relatório;Workspace;Visualizações;Leitores;Páginas;Tempo até a tela completa em ms (mediana);Tempo até a tela completa em ms (95 de cada 100);Erros',
      `${costs.idRelatorio};'=1+1;Gestão;1;1;0;625;738;0`,
    ])
    const [line] = await app.db
      .selectFrom('auditoria')
      .select('objeto')
      .where('acao', '=', 'list.exported')
      .execute()
    expect(line?.objeto).toBe('uso')
  })
})

test('GET /uso/resumo returns totals and one row per day, or per month for a year', async () => {
  const { costs, rare, ana, bia, asAdmin } = await start()
  await view(costs.idRelatorio, ana.idUsuario)
  await view(rare.idRelatorio, ana.idUsuario)
  await view(costs.idRelatorio, bia.idUsuario, daysAgo(2))
  const { body } = await asAdmin.get('/uso/resumo?dias=7')
  expect(body).toMatchObject({
    de: dayOf(daysAgo(6)),
    ate: dayOf(new Date()),
    visualizacoes: 3,
    leitores: 2,
    incompleto: false,
    porMes: false,
    serie: [
      { inicio: dayOf(daysAgo(2)), visualizacoes: 1, leitores: 1, erros: 0 },
      { inicio: dayOf(new Date()), visualizacoes: 2, leitores: 1, erros: 0 },
    ],
  })
  const year = (await asAdmin.get('/uso/resumo?dias=365')).body
  expect(year.porMes).toBe(true)
  expect(year.de.endsWith('-01')).toBe(true)
  expect(year.serie.at(-1).inicio).toBe(`${dayOf(new Date()).slice(0, 7)}-01`)
  expect(year.visualizacoes).toBe(3)
  expect((await asAdmin.get('/uso/resumo?dias=8')).status).toBe(422)
  expect((await asAdmin.get('/uso/resumo.csv?dias=7')).body).toContain(`${dayOf(new Date())};2;1;0`)
})

test('the summary tells that views from before the upgrade are missing', async () => {
  const { asAdmin } = await start()
  await app.db.insertInto('usoPorSomar').values({ ate: 7 }).execute()
  expect((await asAdmin.get('/uso/resumo?dias=7')).body.incompleto).toBe(true)
})

test('a day of usage begins at midnight in São Paulo', async () => {
  const { costs, ana, asAdmin } = await start()
  const { de } = (await asAdmin.get('/uso/resumo?dias=7')).body
  const midnight = new Date(`${de}T03:00:00Z`)
  await view(costs.idRelatorio, ana.idUsuario, new Date(midnight.getTime() - 1))
  await view(costs.idRelatorio, ana.idUsuario, midnight)
  const { serie } = (await asAdmin.get('/uso/resumo?dias=7')).body
  expect(serie).toMatchObject([{ inicio: de, visualizacoes: 1 }])
})

test('GET /uso/sem-uso lists reports without a view for so many days, and who may see them', async () => {
  const { costs, rare, ana, asAdmin } = await start()
  await view(costs.idRelatorio, ana.idUsuario, daysAgo(20))
  await registerOn(rare.idRelatorio, null)
  const listed = async (days: number) =>
    (await asAdmin.get(`/uso/sem-uso?dias=${days}`)).body.map(
      ({ idRelatorio, ultimo, liberadoPara }: Record<string, unknown>) => [idRelatorio, ultimo, liberadoPara],
    )
  expect(await listed(21)).toEqual([[rare.idRelatorio, null, 0]])
  expect(await listed(19)).toEqual([
    [rare.idRelatorio, null, 0],
    [costs.idRelatorio, dayOf(daysAgo(20)), 2],
  ])
  expect((await asAdmin.get('/uso/sem-uso.csv?dias=19')).body).toContain(`;${dayOf(daysAgo(20))};2`)
})

test('GET /uso/sem-uso does not list reports that are newer than the asked days', async () => {
  const { costs, rare, asAdmin } = await start()
  const listed = async (days: number) =>
    (await asAdmin.get(`/uso/sem-uso?dias=${days}`)).body.map(
      ({ idRelatorio }: { idRelatorio: number }) => idRelatorio,
    )
  expect(await listed(1)).toEqual([])
  await registerOn(rare.idRelatorio, daysAgo(20))
  expect([await listed(19), await listed(20)]).toEqual([[rare.idRelatorio], []])
  await registerOn(costs.idRelatorio, null)
  expect(await listed(365)).toEqual([costs.idRelatorio])
})

test('GET /uso/nunca-entraram lists the people who never signed in', async () => {
  const { ana, bia, asAdmin } = await start()
  await app.as(ana)
  const names = (await asAdmin.get('/uso/nunca-entraram')).body.map(
    ({ nomeUsuario }: { nomeUsuario: string }) => nomeUsuario,
  )
  expect(names).toContain(bia.nomeUsuario)
  expect(names).not.toContain(ana.nomeUsuario)
  const { body } = await asAdmin.get('/uso/nunca-entraram.csv')
  expect(body).toContain(`;Bia Lima;${bia.emailUsuario};Ativo\r\n`)
})

test('GET /uso/detalhes counts names of filters, most frequent first, without the person', async () => {
  const { costs, ana, bia, asAdmin } = await start()
  const url = `/usuarios/relatorio/${costs.idRelatorio}/uso`
  const filtro = (nome: string) => ({ tipo: 'filtro', nome })
  await (await app.as(ana)).post(url, {
    eventos: [filtro('Sinistralidade.sexo'), filtro('Sinistralidade.sexo')],
  })
  await (await app.as(bia)).post(url, { eventos: [filtro('Sinistralidade.sexo'), filtro('Datas.ano')] })
  const { body } = await asAdmin.get('/uso/detalhes?tipo=filtro')
  expect(body).toEqual([
    { idRelatorio: costs.idRelatorio, nomeRelatorio: 'Custos', nome: 'Sinistralidade.sexo', vezes: 3 },
    { idRelatorio: costs.idRelatorio, nomeRelatorio: 'Custos', nome: 'Datas.ano', vezes: 1 },
  ])
  expect((await asAdmin.get('/uso/detalhes.csv?tipo=filtro')).body).toContain('Custos;Sinistralidade.sexo;3')
  expect((await asAdmin.get('/uso/detalhes?tipo=pagina')).body).toEqual([])
})

describe('POST /usuarios/relatorio/:id/uso', () => {
  test('POST /usuarios/relatorio/:id/uso refuses a report that is not granted, values of filters, and too many events', async () => {
    const { costs, rare, ana } = await start()
    const { post } = await app.as(ana)
    const page = { tipo: 'pagina', nome: 'Resumo' }
    expect((await post(`/usuarios/relatorio/${rare.idRelatorio}/uso`, { eventos: [page] })).status).toBe(403)
    const url = `/usuarios/relatorio/${costs.idRelatorio}/uso`
    expect((await post(url, { eventos: [] })).status).toBe(422)
    expect((await post(url, { eventos: Array(51).fill(page) })).status).toBe(422)
    expect((await post(url, { eventos: [{ tipo: 'exportacao', nome: 'PDF' }] })).status).toBe(422)
    await post(url, { eventos: [{ ...page, tipo: 'filtro', valores: ['feminino'] }] })
    const { rows } = await sql<{
      stored: string
    }>`select to_jsonb(uso_evento)::text as stored from uso_evento`.execute(app.db)
    expect(rows.length).toBe(2)
    expect(rows.map(({ stored }) => stored).join()).not.toContain('feminino')
  })

  test('POST /usuarios/relatorio/:id/uso accepts a code as the name of an error, not a sentence', async () => {
    const { costs, ana } = await start()
    const { post } = await app.as(ana)
    const send = async (tipo: string, nome: string) =>
      (await post(`/usuarios/relatorio/${costs.idRelatorio}/uso`, { eventos: [{ tipo, nome }] })).status
    expect(await send('erro', 'QueryUserError.Time-out_2')).toBe(204)
    expect(await send('erro', 'Paciente Ana Souza')).toBe(422)
    expect(await send('erro', 'x'.repeat(81))).toBe(422)
    expect(await send('pagina', 'Visão geral')).toBe(204)
  })

  test('POST /usuarios/relatorio/:id/uso keeps 300 names of a kind and report, and adds further ones to the others', async () => {
    const { costs, ana } = await start()
    const { post } = await app.as(ana)
    const send = async (...names: string[]) => {
      const eventos = names.map((nome) => ({ tipo: 'pagina', nome }))
      expect((await post(`/usuarios/relatorio/${costs.idRelatorio}/uso`, { eventos })).status).toBe(204)
    }
    for (let call = 0; call < 6; call += 1) {
      await send(...Array.from({ length: 50 }, (_, n) => `Página ${call * 50 + n}`))
    }
    await send('Página 7', 'Inventada 1', 'Inventada 2')
    await send('Inventada 3')
    for (const mensal of [false, true]) {
      const rows = await app.db
        .selectFrom('usoEvento')
        .select(['nome', 'total'])
        .where('mensal', '=', mensal)
        .orderBy('total', 'desc')
        .execute()
      expect(rows.length).toBe(301)
      expect(rows.slice(0, 3)).toMatchObject([
        { nome: 'outros', total: 3 },
        { nome: 'Página 7', total: 2 },
        { total: 1 },
      ])
    }
  })

  test('POST /usuarios/relatorio/:id/uso is limited per person, report and minute', async () => {
    // The counts are in memory, and ids restart with every test.
    app.clock.offsetMs += 3_600_000
    const { costs, rare, ana, bia } = await start()
    await grantReport(app, ana.idUsuario, rare.idRelatorio)
    const [asAna, asBia] = [await app.as(ana), await app.as(bia)]
    const eventos = [{ tipo: 'pagina', nome: 'Resumo' }]
    const send = async ({ post }: typeof asAna, idRelatorio: number) =>
      (await post(`/usuarios/relatorio/${idRelatorio}/uso`, { eventos })).status
    const statuses = []
    for (let call = 0; call < 31; call += 1) statuses.push(await send(asAna, costs.idRelatorio))
    expect(statuses).toEqual([...Array(30).fill(204), 429])
    expect([await send(asAna, rare.idRelatorio), await send(asBia, costs.idRelatorio)]).toEqual([204, 204])
  })
})

describe('GET /uso/meu', () => {
  test('GET /uso/meu answers the caller’s own usage only, without reports that the caller may no longer see', async () => {
    const { costs, rare, ana, bia } = await start()
    await view(costs.idRelatorio, ana.idUsuario, daysAgo(1))
    await view(rare.idRelatorio, ana.idUsuario)
    for (const days of [0, 1, 2]) await view(costs.idRelatorio, bia.idUsuario, daysAgo(days))
    const { get } = await app.as(ana)
    const { body } = await get('/uso/meu?dias=7')
    expect(body).toMatchObject({ visualizacoes: 2, p50: 875 })
    expect(body.relatorios).toMatchObject([
      { idRelatorio: costs.idRelatorio, nomeRelatorio: 'Custos', visualizacoes: 1 },
    ])
    expect((await get(`/uso/meu?dias=7&idUsuario=${bia.idUsuario}`)).body.visualizacoes).toBe(2)
    expect((await get('/uso/meu.csv')).body).toContain('Custos;Gestão;1;')
  })
})

test('the portal deletes views and sums after the retention, and keeps a month until its last day', async () => {
  const { costs, ana } = await start()
  await view(costs.idRelatorio, ana.idUsuario, new Date('2025-01-10T15:00:00Z'))
  await view(costs.idRelatorio, ana.idUsuario, new Date('2025-02-10T15:00:00Z'))
  const left = async (now: string) => {
    await deleteExpiredUsage(app.db, new Date(now), 365)
    const views = await app.db.selectFrom('visualizacao').select('quando').execute()
    const sums = await app.db.selectFrom('usoPessoa').select(['mensal', 'inicio']).orderBy('inicio').execute()
    const readers = await app.db.selectFrom('usoLeitor').selectAll().execute()
    return [views.length, sums.length, readers.length]
  }
  expect(await left('2026-01-10T12:00:00Z')).toEqual([2, 4, 1])
  expect(await left('2026-01-20T12:00:00Z')).toEqual([1, 3, 1])
  expect(await left('2026-02-10T12:00:00Z')).toEqual([1, 2, 1])
  expect(await left('2026-03-10T12:00:00Z')).toEqual([0, 0, 0])
})
