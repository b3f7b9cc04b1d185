import { describe, expect, test } from 'vitest'
import { subscriptionSuite } from '../../../test/stand-ins/subscription-suite.ts'

const {
  suite,
  start,
  deliver,
  work,
  senderOf,
  refreshed,
  runs,
  onlyRun,
  mails,
  received,
  bellOf,
  again,
  pass,
} = subscriptionSuite()
const withRows = { papeisRls: ['Regional'] }
const allowed = { anexosRestritos: true }
const change = (table: 'usuario' | 'relatorio' | 'assinatura', fields: object, id: number) => {
  const key = { usuario: 'idUsuario', relatorio: 'idRelatorio', assinatura: 'idAssinatura' }[table]
  return suite.app.db
    .updateTable(table as 'usuario')
    .set(fields)
    .where(key as 'idUsuario', '=', id)
    .execute()
}
const asked = () => suite.provider.seen.filter(({ path }) => path.endsWith('/ExportTo'))

describe('a due run', () => {
  test('sends each recipient their own rows, and draws once per identity', async () => {
    const { recipients } = await start({
      report: { ...withRows, usuarioIdentidade: null },
      people: 3,
      rules: allowed,
    })
    await deliver()
    expect(received().toSorted((a, b) => a.para.localeCompare(b.para))).toEqual(
      recipients.map(({ emailUsuario }) => ({ para: emailUsuario, de: emailUsuario })),
    )
    expect(asked()).toHaveLength(3)
    const run = await onlyRun()
    expect(run).toMatchObject({ estado: 'CONCLUIDA', causa: 'AGENDA', frase: null })
    expect(run?.dadosDe).toBeInstanceOf(Date)
    expect(await suite.app.db.selectFrom('mensagem').selectAll().execute()).toEqual([])
  })

  test('draws one file for people with the same identity, and one without rules for all', async () => {
    await start({ report: { ...withRows, usuarioIdentidade: 'servico' }, people: 4, rules: allowed })
    await start({ people: 5 })
    await deliver()
    expect(asked()).toHaveLength(2)
    expect(
      received()
        .map(({ de }) => de)
        .toSorted(),
    ).toEqual([...Array.from({ length: 4 }, () => 'servico'), ...Array.from({ length: 5 }, () => 'todos')])
  })

  test('sends the e-mail with its facts, its link, and one click to leave', async () => {
    const { report, recipients, idAssinatura } = await start({
      subscription: {
        nota: 'Para a reunião.',
        filtros: '{"sexo":"feminino"}',
        pagina: 'p1',
        tituloPagina: 'Resumo',
      },
    })
    await deliver()
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
    expect(Object.fromEntries(searchParams)).toMatchObject({
      ...{ relatorio: String(report.idRelatorio), pagina: 'p1', sexo: 'feminino' },
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
    await deliver()
    expect(suite.smtp.received).toHaveLength(1)
  })

  test('shows a PNG in the e-mail itself', async () => {
    await start({ subscription: { formato: 'PNG', pagina: 'p1' } })
    await deliver()
    const [email] = suite.smtp.received
    expect(email?.html).toContain('src="cid:relatorio@bi-manager"')
    expect(email?.attachments).toMatchObject([{ mimeType: 'image/png', disposition: 'inline' }])
  })

  test('of links asks the provider for no file', async () => {
    await start({ report: withRows, subscription: { entrega: 'LINK' }, people: 2 })
    await deliver()
    expect([asked(), received().map(({ de }) => de)]).toEqual([[], [null, null]])
    expect(await onlyRun()).toMatchObject({ estado: 'CONCLUIDA' })
  })

  test('has a link instead of a file that became restricted, or is too large', async () => {
    const { report } = await start()
    await change('relatorio', { sensivel: true }, report.idRelatorio)
    await deliver()
    expect(asked()).toEqual([])
    await change('relatorio', { sensivel: false }, report.idRelatorio)
    suite.provider.answer('exportFile', () => ({
      body: Buffer.concat([Buffer.from('%PDF-'), Buffer.alloc(11 * 2 ** 20)]),
    }))
    await again()
    await deliver()
    expect(received().map(({ de }) => de)).toEqual([null, null])
    for (const { text } of suite.smtp.received) expect(text).toContain('O arquivo não vai neste e-mail')
  })

  test('deletes its files once its e-mails are sent', async () => {
    await start({ people: 2 })
    await deliver()
    expect(
      await suite.app.db.selectFrom('assinaturaArquivo').select(['estado', 'arquivo']).execute(),
    ).toEqual([{ estado: 'PRONTO', arquivo: null }])
    // The upkeep of uploads deletes what this table names.
    expect(await suite.app.db.selectFrom('arquivoPendente').selectAll().execute()).toHaveLength(1)
  })

  test('is planned once for what was missed while the portal was stopped', async () => {
    const { idAssinatura } = await start()
    pass(5 * 24 * 3_600_000)
    refreshed()
    await deliver()
    await deliver()
    expect(await onlyRun()).toMatchObject({ estado: 'CONCLUIDA' })
    expect(received()).toHaveLength(1)
    const row = await suite.app.db
      .selectFrom('assinatura')
      .select('proximaEm')
      .where('idAssinatura', '=', idAssinatura)
      .executeTakeFirstOrThrow()
    expect(row.proximaEm?.getTime()).toBeGreaterThan(suite.app.services.now().getTime())
  })

  test('is not begun in a restored copy', async () => {
    await start()
    await suite.app.db
      .updateTable('instalacao')
      .set({ ensaio: JSON.stringify({ restauradaEm: '', copiaDe: '', bucket: null }) })
      .execute()
    await work()
    expect(await runs()).toEqual([])
  })

  test('counts as one export per file, of the person who made it', async () => {
    await start({ report: withRows, people: 2, rules: allowed })
    await deliver()
    const uses = await suite.app.db
      .selectFrom('usoEvento')
      .select(['nome', 'total'])
      .where('tipo', '=', 'exportacao')
      .where('mensal', '=', false)
      .execute()
    expect(uses).toEqual([{ nome: 'PDF', total: 2 }])
  })
})

describe('a recipient', () => {
  const skips: [string, (about: Awaited<ReturnType<typeof start>>) => Promise<unknown>, RegExp][] = [
    [
      'who lost the report',
      ({ recipients }) =>
        suite.app.db.deleteFrom('relatorioUsuario').where('idUsuario', '=', idOf(recipients)).execute(),
      /Não pode ver o relatório/,
    ],
    [
      'who is blocked',
      ({ recipients }) => change('usuario', { situacao: 'BLOQUEADO' }, idOf(recipients)),
      /não está ativa/,
    ],
    [
      'whose account has ended',
      ({ recipients }) => change('usuario', { venceEm: new Date(0) }, idOf(recipients)),
      /não está ativa/,
    ],
    [
      'whose grant has ended',
      ({ recipients }) =>
        suite.app.db
          .updateTable('relatorioUsuario')
          .set({ venceEm: new Date(0) })
          .where('idUsuario', '=', idOf(recipients))
          .execute(),
      /Não pode ver o relatório/,
    ],
    [
      'whose e-mail is not confirmed',
      ({ recipients }) => change('usuario', { emailPorProvar: true }, idOf(recipients)),
      /não foi confirmado/,
    ],
    [
      'who must set up a second factor',
      () => suite.app.db.updateTable('configuracao').set({ segundoFator: 'todos', versao: 2 }).execute(),
      /segundo fator/,
    ],
    [
      'of a domain that is not allowed',
      () =>
        suite.app.db
          .updateTable('assinaturaRegras')
          .set({ dominios: ['outro.com'], versao: 2 })
          .execute(),
      /domínio/,
    ],
    [
      'of an owner who is no ADMIN any more',
      ({ owner, report }) =>
        Promise.all([
          change('usuario', { tipoUsuario: 'USER' }, owner.idUsuario),
          suite.app.db
            .insertInto('relatorioUsuario')
            .values({ idUsuario: owner.idUsuario, idRelatorio: report.idRelatorio })
            .execute(),
        ]),
      /não é mais administrador/,
    ],
    [
      'of an owner who is blocked',
      ({ owner }) => change('usuario', { situacao: 'BLOQUEADO' }, owner.idUsuario),
      /não está ativa/,
    ],
    [
      'of an owner whose account has ended',
      ({ owner }) => change('usuario', { venceEm: new Date(0) }, owner.idUsuario),
      /não está ativa/,
    ],
    [
      'of an owner who lost the report',
      ({ owner }) => change('usuario', { tipoUsuario: 'USER' }, owner.idUsuario),
      /não pode mais ver/,
    ],
    [
      'of a paused subscription',
      ({ idAssinatura }) => change('assinatura', { ativa: false }, idAssinatura),
      /pausada/,
    ],
  ]
  const idOf = (recipients: { idUsuario: number }[]) => recipients[0]?.idUsuario ?? 0

  test.each(skips)('%s is skipped when the run is prepared', async (_, revoke, reason) => {
    const about = await start()
    // Begun before the change.
    await suite.app.db
      .insertInto('assinaturaExecucao')
      .values({
        idAssinatura: about.idAssinatura,
        causa: 'AGENDA',
        previstaEm: new Date(),
        tentarEm: new Date(0),
      })
      .execute()
    await suite.app.db
      .insertInto('assinaturaEntrega')
      .values({ idExecucao: 1, idUsuario: idOf(about.recipients), em: new Date() })
      .execute()
    await change('assinatura', { proximaEm: null }, about.idAssinatura)
    await revoke(about)
    await deliver()
    expect([asked(), received()]).toEqual([[], []])
    expect(await mails()).toMatchObject([{ estado: 'PULADA', motivo: expect.stringMatching(reason) }])
    expect(await onlyRun()).toMatchObject({ estado: 'NAO_ENVIADA' })
  })

  test.each(skips)('%s is skipped when the file is ready', async (_, revoke, reason) => {
    const about = await start()
    await work()
    expect(asked()).toHaveLength(1)
    await revoke(about)
    await deliver()
    expect(received()).toEqual([])
    expect(await mails()).toMatchObject([{ estado: 'PULADA', motivo: expect.stringMatching(reason) }])
  })

  test.each(skips)('%s gets no queued e-mail', async (_, revoke, reason) => {
    const about = await start()
    await work()
    pass(2_500)
    await work()
    expect(await mails()).toMatchObject([{ estado: 'NA_FILA' }])
    await revoke(about)
    await senderOf().sendDue()
    expect(received()).toEqual([])
    expect(await mails()).toMatchObject([{ estado: 'PULADA', motivo: expect.stringMatching(reason) }])
    expect(await suite.app.db.selectFrom('mensagem').selectAll().execute()).toEqual([])
    await deliver()
    expect(await onlyRun()).toMatchObject({ estado: 'NAO_ENVIADA', frase: expect.stringMatching(reason) })
  })

  test.each([
    [
      'identity',
      (about: Awaited<ReturnType<typeof start>>) =>
        change('usuario', { identidadeRls: 'Sul' }, idOf(about.recipients)),
    ],
    [
      'e-mail',
      (about: Awaited<ReturnType<typeof start>>) =>
        change('usuario', { emailUsuario: 'outra@exemplo.com.br' }, idOf(about.recipients)),
    ],
    [
      'roles',
      (about: Awaited<ReturnType<typeof start>>) =>
        change('relatorio', { papeisRls: ['Nacional'] }, about.report.idRelatorio),
    ],
    [
      'filter',
      (about: Awaited<ReturnType<typeof start>>) =>
        change('relatorio', { filtro: "a/b eq 'c'" }, about.report.idRelatorio),
    ],
  ])('whose %s changed since the file was drawn gets no queued e-mail', async (_, alter) => {
    const about = await start({ report: withRows, rules: allowed })
    await work()
    pass(2_500)
    await work()
    await alter(about)
    await senderOf().sendDue()
    expect(received()).toEqual([])
    expect(await mails()).toMatchObject([
      { estado: 'PULADA', motivo: expect.stringMatching(/mudou durante o envio/) },
    ])
  })

  test('who unsubscribed or left a profile gets none, without a report of trouble', async () => {
    const { owner, recipients, idAssinatura } = await start({ people: 2 })
    const [ana, bia] = recipients
    await work()
    pass(2_500)
    await work()
    await suite.app.db
      .insertInto('assinaturaSaida')
      .values({ idAssinatura, idUsuario: ana?.idUsuario ?? 0, em: new Date() })
      .execute()
    await suite.app.db
      .deleteFrom('assinaturaPessoa')
      .where('idUsuario', '=', bia?.idUsuario ?? 0)
      .execute()
    await deliver()
    expect(received()).toEqual([])
    expect(await bellOf(owner.idUsuario)).toEqual([])
  })

  test('who is skipped does not keep the others from their e-mails; the owner learns it once', async () => {
    const { owner, recipients } = await start({ people: 3 })
    await change('usuario', { situacao: 'BLOQUEADO' }, idOf(recipients))
    await deliver()
    expect(received()).toHaveLength(2)
    const told = [
      {
        titulo: '“Custos da semana” não chegou a todos',
        texto: 'Sem o e-mail: Leitora 1: A conta não está ativa.',
      },
    ]
    expect(await bellOf(owner.idUsuario)).toMatchObject(told)
    await again()
    await deliver()
    expect(await bellOf(owner.idUsuario)).toHaveLength(1)
    await change('usuario', { situacao: 'ATIVO' }, idOf(recipients))
    await again()
    await deliver()
    expect(await bellOf(owner.idUsuario)).toMatchObject([{ lidaEm: expect.any(Date) }])
    await change('usuario', { situacao: 'BLOQUEADO' }, idOf(recipients))
    await again()
    await deliver()
    expect(await bellOf(owner.idUsuario)).toHaveLength(2)
  })
})

describe('nothing is sent', () => {
  const refused = async (reason: RegExp) => {
    await deliver()
    expect([received(), asked()]).toEqual([[], []])
    expect(await onlyRun()).toMatchObject({ estado: 'NAO_ENVIADA', frase: expect.stringMatching(reason) })
  }

  test('when the last refresh failed', async () => {
    const { owner } = await start()
    refreshed(undefined, 'Failed')
    await refused(/última atualização dos dados falhou/)
    expect(await bellOf(owner.idUsuario)).toMatchObject([{ titulo: '“Custos da semana” não foi enviado' }])
  })

  test('when the schedule says that the data should be newer, and waits for a refresh that is late', async () => {
    await start()
    const now = suite.app.services.now()
    const due = new Date(now.getTime() - 30 * 60_000)
    const days = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday']
    const times = [due.toISOString().slice(11, 16)]
    suite.provider.answer('refreshSchedule', () => ({
      body: { enabled: true, days, times, localTimeZoneId: 'UTC' },
    }))
    refreshed(new Date(now.getTime() - 3 * 3_600_000))
    await work()
    expect(await onlyRun()).toMatchObject({ estado: 'EM_ANDAMENTO', repeticoes: 0 })
    pass(90 * 60_000)
    await refused(/a atualização marcada para .* não terminou/)
  })

  test('is left out when the refresh came in time', async () => {
    await start()
    const now = suite.app.services.now()
    const times = [new Date(now.getTime() - 30 * 60_000).toISOString().slice(11, 16)]
    const days = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday']
    suite.provider.answer('refreshSchedule', () => ({
      body: { enabled: true, days, times, localTimeZoneId: 'UTC' },
    }))
    refreshed(new Date(now.getTime() - 3 * 3_600_000))
    await work()
    pass(5 * 60_000)
    refreshed()
    await deliver()
    expect(received()).toHaveLength(1)
  })

  test('when the scheduled replacement of local data failed', async () => {
    const { report } = await start({ provedor: 'local' })
    const at = new Date()
    await suite.app.db
      .insertInto('agendaDados')
      .values({
        ...{ reportId: report.reportId.toLowerCase(), tabela: 't', origem: 'PASTA', frequencia: 'DIA' },
        ...{ endereco: suite.app.services.secrets.seal('x'), horario: '06:00', ativa: true, proximaEm: at },
        ...{ ultimaEm: at, resultado: 'FALHOU', frase: 'O arquivo não existe.' },
      })
      .execute()
    await refused(/troca agendada dos dados falhou.*O arquivo não existe/)
  })

  test('when the data are unchanged, if it is so chosen', async () => {
    const { owner, idAssinatura } = await start({ subscription: { pulaInalterado: true } })
    await deliver()
    await again()
    await deliver()
    expect(received()).toHaveLength(1)
    expect((await runs()).map(({ estado }) => estado)).toEqual(['CONCLUIDA', 'NAO_ENVIADA'])
    expect(await bellOf(owner.idUsuario)).toEqual([])
    refreshed()
    await again()
    await deliver()
    expect(received()).toHaveLength(2)
    // Another content of the same data is news.
    await change('assinatura', { pagina: 'p2', versao: 2 }, idAssinatura)
    await again()
    await deliver()
    expect(received()).toHaveLength(3)
  })

  const contentOf = (content: object) =>
    suite.provider.answer('exportState', ({ path }) => ({
      body: { id: path.split('/').at(-1), status: 'Succeeded', '@biManager.content': content },
    }))

  test('when a visual could not read its data', async () => {
    const { owner } = await start({ provedor: 'local' })
    contentOf({ failedVisuals: 2, rows: 7, digest: 'a' })
    await deliver()
    for (let n = 0; n < 6; n += 1) {
      pass(11 * 60_000)
      await deliver()
    }
    expect(received()).toEqual([])
    expect(await onlyRun()).toMatchObject({ estado: 'FALHOU', frase: expect.stringMatching(/2 visuais/) })
    expect(await bellOf(owner.idUsuario)).toHaveLength(1)
  })

  test('to those for whom the report is empty or has the same rows, if it is so chosen', async () => {
    await start({ provedor: 'local', subscription: { pulaVazio: true, pulaInalterado: true } })
    contentOf({ failedVisuals: 0, rows: 0, digest: 'none' })
    await deliver()
    expect([received(), await mails()]).toMatchObject([
      [],
      [{ estado: 'PULADA', motivo: expect.stringMatching(/não tem linhas/) }],
    ])
    contentOf({ failedVisuals: 0, rows: 3, digest: 'three' })
    for (const expected of [1, 1]) {
      refreshed()
      await again()
      await deliver()
      expect(received()).toHaveLength(expected)
    }
    contentOf({ failedVisuals: 0, rows: 3, digest: 'other' })
    refreshed()
    await again()
    await deliver()
    expect(received()).toHaveLength(2)
  })
})

describe('a failing provider', () => {
  test('is asked again after the time that it names, and for all files of the connection', async () => {
    await start({ report: withRows, people: 3, rules: allowed })
    suite.provider.answer('exportTo', () => ({ status: 429, headers: { 'retry-after': '120' } }))
    await work()
    const before = asked().length
    pass(60_000)
    await work()
    expect([before, asked().length]).toEqual([1, 1])
    pass(61_000)
    await work()
    expect(asked().length).toBe(2)
  })

  test('works on two exports at once at most', async () => {
    await start({ report: withRows, people: 5, rules: allowed })
    suite.provider.answer('exportState', ({ path }) => ({
      body: { id: path.split('/').at(-1), status: 'Running' },
    }))
    for (let n = 0; n < 4; n += 1) {
      await work()
      pass(2_500)
    }
    expect(asked()).toHaveLength(2)
  })

  test('that never ends a file fails the run after a day', async () => {
    const { idAssinatura } = await start()
    suite.provider.answer('exportTo', () => ({ status: 429, headers: { 'retry-after': '3600' } }))
    await work()
    // The next run stays out of the hours that follow.
    const proximaEm = new Date(suite.app.services.now().getTime() + 30 * 24 * 3_600_000)
    await change('assinatura', { proximaEm }, idAssinatura)
    for (let n = 0; n < 26; n += 1) {
      await work()
      pass(3_600_000)
    }
    expect(await onlyRun()).toMatchObject({ estado: 'FALHOU', frase: expect.stringMatching(/24 horas/) })
  })

  test('fails the run after repetitions, and tells the owner once', async () => {
    const { owner, idAssinatura } = await start()
    suite.provider.answer('exportTo', () => ({ status: 500 }))
    // The time that passes ends sessions.
    const shown = async () =>
      (await (await suite.app.as(owner)).get(`/assinaturas/${idAssinatura}/execucoes`)).body
    await work()
    expect(await shown()).toMatchObject([
      { estado: 'EM_ANDAMENTO', repeticoes: 1, frase: expect.stringMatching(/indisponível/) },
    ])
    for (let n = 0; n < 7; n += 1) {
      pass(11 * 60_000)
      await work()
    }
    expect(asked()).toHaveLength(6)
    expect(await shown()).toMatchObject([{ estado: 'FALHOU', repeticoes: 5 }])
    expect(await onlyRun()).toMatchObject({ estado: 'FALHOU', frase: expect.stringMatching(/indisponível/) })
    expect(await bellOf(owner.idUsuario)).toHaveLength(1)
  })

  test('that refuses the report fails the run at once', async () => {
    await start()
    suite.provider.answer('exportTo', () => ({
      status: 403,
      body: { error: { code: 'PowerBINotAuthorizedException' } },
    }))
    await deliver()
    expect(asked()).toHaveLength(1)
    expect(await onlyRun()).toMatchObject({ estado: 'FALHOU' })
  })
})

describe('after a refresh', () => {
  const noteRefresh = async (idRelatorio: number, reportId: string, idPowerBi: number, concluidaEm: Date) => {
    await suite.app.db
      .insertInto('conjuntoRelatorio')
      .values({ idRelatorio, reportId, idGrupoConjunto: 'g', idConjunto: 'c', lidoEm: new Date() })
      .onConflict((conflict) => conflict.doNothing())
      .execute()
    await suite.app.db
      .insertInto('leituraAtualizacoes')
      .values({ idPowerBi, idConjunto: 'c', lidaEm: new Date(), falhasAte: new Date(), concluidaEm })
      .onConflict((conflict) => conflict.columns(['idPowerBi', 'idConjunto']).doUpdateSet({ concluidaEm }))
      .execute()
  }

  test('one run is begun for each refresh that ended after the subscription was made', async () => {
    const atualizadaAte = suite.app.services.now()
    const { report, idPowerBi } = await start({
      subscription: { frequencia: 'ATUALIZACAO', horario: null, proximaEm: null, atualizadaAte },
    })
    const note = (ms: number) =>
      noteRefresh(report.idRelatorio, report.reportId, idPowerBi, new Date(atualizadaAte.getTime() + ms))
    await note(-1)
    await deliver()
    expect(await runs()).toEqual([])
    await note(1_000)
    await deliver()
    await deliver()
    expect(await runs()).toMatchObject([{ causa: 'ATUALIZACAO', estado: 'CONCLUIDA' }])
    await note(2_000)
    await deliver()
    expect(await runs()).toHaveLength(2)
  })
})

describe('POST /assinaturas/:id/teste', () => {
  test('sends one e-mail to the caller only, with their rows, even of a paused subscription', async () => {
    const { owner, idAssinatura } = await start({
      ...{ report: withRows, people: 2, rules: allowed },
      subscription: { ativa: false, proximaEm: null },
    })
    const admin = await suite.app.as(owner)
    const { status, body } = await admin.post(`/assinaturas/${idAssinatura}/teste`)
    expect([status, body]).toMatchObject([201, { causa: 'TESTE', estado: 'EM_ANDAMENTO', destinatarios: 1 }])
    expect((await admin.post(`/assinaturas/${idAssinatura}/teste`)).body.codigo).toBe('assinatura_em_envio')
    await deliver()
    expect(received()).toEqual([{ para: owner.emailUsuario, de: owner.emailUsuario }])
    expect(suite.smtp.received[0]?.text).toContain('envio de teste')
    expect((await admin.get(`/assinaturas/${idAssinatura}/execucoes`)).body).toMatchObject([
      { estado: 'CONCLUIDA', enviadas: 1 },
    ])
    expect((await admin.get(`/assinaturas/${idAssinatura}`)).body.ultima).toBeNull()
  })

  test('is refused after ten within an hour', async () => {
    const { owner, idAssinatura } = await start({ subscription: { entrega: 'LINK', proximaEm: null } })
    const admin = await suite.app.as(owner)
    for (let n = 0; n < 10; n += 1) {
      expect((await admin.post(`/assinaturas/${idAssinatura}/teste`)).status).toBe(201)
      await deliver()
    }
    const { status, headers } = await admin.post(`/assinaturas/${idAssinatura}/teste`)
    expect([status, Number(headers['retry-after'])]).toEqual([429, expect.any(Number)])
  })
})

describe('the runs of a subscription', () => {
  test('are shown to owner and ADMIN with the e-mail of each recipient', async () => {
    const { owner, recipients, idAssinatura } = await start({ people: 3 })
    await change('usuario', { situacao: 'BLOQUEADO' }, recipients[2]?.idUsuario ?? 0)
    await deliver()
    const admin = await suite.app.as(owner)
    const list = await admin.get(`/assinaturas/${idAssinatura}/execucoes?pagina=1`)
    expect([list.headers['x-total-count'], list.body]).toMatchObject([
      '1',
      [{ estado: 'PARCIAL', destinatarios: 3, enviadas: 2, puladas: 1, falhas: 0, repeticoes: 0 }],
    ])
    const url = `/assinaturas/${idAssinatura}/execucoes/${list.body[0].idExecucao}/entregas`
    expect((await admin.get(url)).body.map(({ estado }: { estado: string }) => estado)).toEqual([
      ...['PULADA', 'ENVIADA', 'ENVIADA'],
    ])
    const reader = await suite.app.as(recipients[0] ?? expect.fail())
    expect((await reader.get(url)).status).toBe(404)
    const trail = await admin.get('/auditoria?acao=subscription.run')
    expect(trail.body).toMatchObject([{ detalhes: { estado: 'PARCIAL', enviadas: 2, puladas: 1 } }])
  })
})
