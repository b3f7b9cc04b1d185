import { describe, expect, test } from 'vitest'
import { subscriptionSuite } from '../../../../test/stand-ins/subscription-suite.ts'

const {
  suite,
  start,
  workAndSend,
  work,
  refreshed,
  runs,
  onlyRun,
  received,
  again,
  pass,
  change,
  asked,
  noteRefresh,
} = subscriptionSuite()
const withRows = { papeisRls: ['Regional'] }
const allowed = { anexosRestritos: true }

describe('a due run', () => {
  test('a due run sends each recipient their own rows, and draws once per identity', async () => {
    const { recipients } = await start({
      report: { ...withRows, usuarioIdentidade: null },
      people: 3,
      rules: allowed,
    })
    await workAndSend()
    expect(received().toSorted((a, b) => a.para.localeCompare(b.para))).toEqual(
      recipients.map(({ emailUsuario }) => ({ para: emailUsuario, de: emailUsuario })),
    )
    expect(asked()).toHaveLength(3)
    const run = await onlyRun()
    expect(run).toMatchObject({ estado: 'CONCLUIDA', causa: 'AGENDA', frase: null })
    expect(run?.dadosDe).toBeInstanceOf(Date)
    expect(await suite.app.db.selectFrom('mensagem').selectAll().execute()).toEqual([])
  })

  test('a due run draws one file for people with the same identity, and one without rules for all', async () => {
    await start({ report: { ...withRows, usuarioIdentidade: 'servico' }, people: 4, rules: allowed })
    await start({ people: 5 })
    await workAndSend()
    expect(asked()).toHaveLength(2)
    expect(
      received()
        .map(({ de }) => de)
        .toSorted(),
    ).toEqual([...Array.from({ length: 4 }, () => 'servico'), ...Array.from({ length: 5 }, () => 'todos')])
  })

  test('a due run sends the e-mail with its facts, its link, and one click to leave', async () => {
    const { report, recipients, idAssinatura } = await start({
      subscription: {
        nota: 'Para a reunião.',
        filtros: '{"sexo":"feminino"}',
        pagina: 'p1',
        tituloPagina: 'Resumo',
      },
    })
    await workAndSend()
    const [email] = suite.smtp.received
    expect(email?.subject).toBe('Custos da semana')
    for (const said of [
      'Para a reunião.',
      'Relatório: Custos & receitas',
      'Página: Resumo',
      'Filtros: Sexo: Feminino',
    ])
      expect(email?.text).toContain(said)
    expect(email?.text).toMatch(/Dados de: \d\d\/\d\d\/\d{4} \d\d:\d\d:\d\d/)
    const link = /https:\/\/bi\.exemplo\.com\.br\/relatorio-embed\/\S+/.exec(email?.text ?? '')?.[0] ?? ''
    const { pathname, searchParams } = new URL(link)
    expect(pathname.split('/').at(-1)).toBe(report.reportId)
    expect(Object.fromEntries(searchParams)).toEqual({
      relatorio: String(report.idRelatorio),
      pagina: 'p1',
      assinatura: String(idAssinatura),
    })
    expect(email?.attachments).toMatchObject([
      { filename: expect.stringMatching(/\w\.pdf$/), mimeType: 'application/pdf' },
    ])
    const header = (key: string) => email?.headers.find((one) => one.key === key)?.value ?? ''
    expect(header('list-unsubscribe-post')).toBe('List-Unsubscribe=One-Click')
    const oneClick = new URL(header('list-unsubscribe').slice(1, -1))
    expect(oneClick.pathname).toBe('/api/assinaturas/cancelamento')
    const form = { 'content-type': 'application/x-www-form-urlencoded' }
    const url = oneClick.pathname.replace('/api', '') + oneClick.search
    expect((await suite.app.anonymous.post(url, 'List-Unsubscribe=One-Click', form)).status).toBe(204)
    expect(
      await suite.app.db.selectFrom('assinaturaSaida').select(['idAssinatura', 'idUsuario']).execute(),
    ).toEqual([{ idAssinatura, idUsuario: recipients[0]?.idUsuario }])
    await again()
    await workAndSend()
    expect(suite.smtp.received).toHaveLength(1)
  })

  test('a due run shows a PNG in the e-mail itself', async () => {
    await start({ subscription: { formato: 'PNG', pagina: 'p1' } })
    await workAndSend()
    const [email] = suite.smtp.received
    expect(email?.html).toContain('src="cid:relatorio@bi-manager"')
    expect(email?.attachments).toMatchObject([{ mimeType: 'image/png', disposition: 'inline' }])
  })

  test('a due run of links asks the provider for no file', async () => {
    await start({ report: withRows, subscription: { entrega: 'LINK' }, people: 2 })
    await workAndSend()
    expect([asked(), received().map(({ de }) => de)]).toEqual([[], [null, null]])
    expect(await onlyRun()).toMatchObject({ estado: 'CONCLUIDA' })
  })

  test('a due run has a link instead of a file that became restricted, or is too large', async () => {
    const { report } = await start()
    await change('relatorio', { sensivel: true }, report.idRelatorio)
    await workAndSend()
    expect(asked()).toEqual([])
    await change('relatorio', { sensivel: false }, report.idRelatorio)
    suite.provider.answer('exportFile', () => ({
      body: Buffer.concat([Buffer.from('%PDF-'), Buffer.alloc(11 * 2 ** 20)]),
    }))
    await again()
    await workAndSend()
    expect(received().map(({ de }) => de)).toEqual([null, null])
    for (const { text } of suite.smtp.received) expect(text).toContain('O arquivo não vai neste e-mail')
  })

  test('a due run deletes its files once its e-mails are sent', async () => {
    await start({ people: 2 })
    await workAndSend()
    expect(
      await suite.app.db.selectFrom('assinaturaArquivo').select(['estado', 'arquivo']).execute(),
    ).toEqual([{ estado: 'PRONTO', arquivo: null }])
    // The upkeep of uploads deletes what this table names.
    expect(await suite.app.db.selectFrom('arquivoPendente').selectAll().execute()).toHaveLength(1)
  })

  test('a due run is planned once for what was missed while the portal was stopped', async () => {
    const { idAssinatura } = await start()
    await pass(5 * 24 * 3_600_000)
    refreshed()
    await workAndSend()
    await workAndSend()
    expect(await onlyRun()).toMatchObject({ estado: 'CONCLUIDA' })
    expect(received()).toHaveLength(1)
    const row = await suite.app.db
      .selectFrom('assinatura')
      .select('proximaEm')
      .where('idAssinatura', '=', idAssinatura)
      .executeTakeFirstOrThrow()
    expect(row.proximaEm?.getTime()).toBeGreaterThan(Date.now())
  })

  test('a due run is not begun in a restored copy', async () => {
    await start()
    await suite.app.db
      .updateTable('instalacao')
      .set({ ensaio: JSON.stringify({ restauradaEm: '', copiaDe: '', bucket: null }) })
      .execute()
    await work()
    expect(await runs()).toEqual([])
  })

  test('a due run counts as one export per file, of the person who made it', async () => {
    await start({ report: withRows, people: 2, rules: allowed })
    await workAndSend()
    const uses = await suite.app.db
      .selectFrom('usoEvento')
      .select(['nome', 'total'])
      .where('tipo', '=', 'exportacao')
      .where('mensal', '=', false)
      .execute()
    expect(uses).toEqual([{ nome: 'PDF', total: 2 }])
  })
})

describe('after a refresh', () => {
  test('one run is begun for each refresh that ended after the subscription was made', async () => {
    const atualizadaAte = suite.app.services.now()
    const about = await start({
      subscription: { frequencia: 'ATUALIZACAO', horario: null, proximaEm: null, atualizadaAte },
    })
    const note = (ms: number) => noteRefresh(about, new Date(atualizadaAte.getTime() + ms))
    await note(-1)
    await workAndSend()
    expect(await runs()).toEqual([])
    await note(1_000)
    await workAndSend()
    await workAndSend()
    expect(await runs()).toMatchObject([{ causa: 'ATUALIZACAO', estado: 'CONCLUIDA' }])
    await note(2_000)
    await workAndSend()
    expect(await runs()).toHaveLength(2)
  })

  test('one more run is begun for the refreshes that ended while the files of a run were made', async () => {
    const atualizadaAte = suite.app.services.now()
    const about = await start({
      subscription: { frequencia: 'ATUALIZACAO', horario: null, proximaEm: null, atualizadaAte },
    })
    const note = (ms: number) => noteRefresh(about, new Date(atualizadaAte.getTime() + ms))
    await note(1_000)
    await work()
    await note(2_000)
    await work()
    await note(3_000)
    await work()
    expect(await runs()).toMatchObject([{ estado: 'EM_ANDAMENTO' }])
    await workAndSend()
    await workAndSend()
    expect(await runs()).toMatchObject([{ estado: 'CONCLUIDA' }, { estado: 'CONCLUIDA' }])
    await workAndSend()
    expect(await runs()).toHaveLength(2)
  })
})

describe('POST /assinaturas/:id/teste', () => {
  test('POST /assinaturas/:id/teste sends one e-mail to the caller only, with their rows, even of a paused subscription', async () => {
    const { owner, idAssinatura } = await start({
      report: withRows,
      people: 2,
      rules: allowed,
      subscription: { ativa: false, proximaEm: null },
    })
    const admin = await suite.app.as(owner)
    const { status, body } = await admin.post(`/assinaturas/${idAssinatura}/teste`)
    expect([status, body]).toMatchObject([201, { causa: 'TESTE', estado: 'EM_ANDAMENTO', destinatarios: 1 }])
    expect((await admin.post(`/assinaturas/${idAssinatura}/teste`)).body.codigo).toBe('assinatura_em_envio')
    await workAndSend()
    expect(received()).toEqual([{ para: owner.emailUsuario, de: owner.emailUsuario }])
    expect(suite.smtp.received[0]?.text).toContain('envio de teste')
    expect((await admin.get(`/assinaturas/${idAssinatura}/execucoes`)).body).toMatchObject([
      { estado: 'CONCLUIDA', enviadas: 1 },
    ])
    expect((await admin.get(`/assinaturas/${idAssinatura}`)).body.ultima).toBeNull()
  })

  test('POST /assinaturas/:id/teste is refused after ten within an hour', async () => {
    const { owner, idAssinatura } = await start({ subscription: { entrega: 'LINK', proximaEm: null } })
    const admin = await suite.app.as(owner)
    for (let n = 0; n < 10; n += 1) {
      expect((await admin.post(`/assinaturas/${idAssinatura}/teste`)).status).toBe(201)
      await workAndSend()
    }
    const { status, headers } = await admin.post(`/assinaturas/${idAssinatura}/teste`)
    expect([status, Number(headers['retry-after'])]).toEqual([429, expect.any(Number)])
  })
})

describe('the runs of a subscription', () => {
  test('the runs of a subscription are shown to owner and ADMIN with the e-mail of each recipient', async () => {
    const { owner, recipients, idAssinatura } = await start({ people: 3 })
    await change('usuario', { situacao: 'BLOQUEADO' }, recipients[2]?.idUsuario ?? 0)
    await workAndSend()
    const admin = await suite.app.as(owner)
    const list = await admin.get(`/assinaturas/${idAssinatura}/execucoes?pagina=1`)
    expect([list.headers['x-total-count'], list.body]).toMatchObject([
      '1',
      [{ estado: 'PARCIAL', destinatarios: 3, enviadas: 2, puladas: 1, falhas: 0, repeticoes: 0 }],
    ])
    const url = `/assinaturas/${idAssinatura}/execucoes/${list.body[0].idExecucao}/entregas`
    expect((await admin.get(url)).body.map(({ estado }: { estado: string }) => estado)).toEqual([
      'PULADA',
      'ENVIADA',
      'ENVIADA',
    ])
    const reader = await suite.app.as(recipients[0] ?? expect.fail())
    expect((await reader.get(url)).status).toBe(404)
    const trail = await admin.get('/auditoria?acao=subscription.run')
    expect(trail.body).toMatchObject([{ detalhes: { estado: 'PARCIAL', enviadas: 2, puladas: 1 } }])
  })
})
