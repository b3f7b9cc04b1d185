import readExcelFile from 'read-excel-file/node'
import { describe, expect, test } from 'vitest'
import { simulateTenant } from '../../../../test/stand-ins/microsoft-tenant.ts'
import { spreadsheetOf } from '../../../../test/stand-ins/spreadsheets.ts'
import { subscriptionSuite } from '../../../../test/stand-ins/subscription-suite.ts'

const { suite, start, workAndSend, work, senderOf, onlyRun, mails, pass, orders, asked, again, refreshed } =
  subscriptionSuite()

const visuais = JSON.stringify([
  { nome: 'por_mes', titulo: 'Custo por mês' },
  { nome: 'prestadores', titulo: 'Prestadores' },
])
const subscription = { formato: 'XLSX' as const, pagina: 'custos', visuais }
const restricted = {
  provedor: 'local' as const,
  report: { papeisRls: ['Regional'] },
  rules: { anexosRestritos: true },
  subscription,
}
const type = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'
const password = 'Uma senha 7'

/** The rows of a person. The first text would be a formula if it were written as one. */
const rowsOf = (username: string | undefined) => [
  ['Prestador', 'Custo'],
  [`=1+1 de ${username}`, 10],
  ['@SUM(A1)', username?.length ?? 0],
]

/** Makes the provider write real spreadsheets, one sheet per visual, with the rows of the identity. */
const writeSpreadsheets = () =>
  suite.provider.answer('exportFile', ({ path }) => {
    const order = orders.get(path.split('/').at(-2) ?? '')?.powerBIReportConfiguration
    const rows = rowsOf(order?.identities?.[0]?.username)
    return { body: Buffer.from(spreadsheetOf(...(order?.pages ?? []).map(() => rows))) }
  })

const mailTo = (email: string | undefined) =>
  suite.smtp.received.find(({ to }) => to?.[0]?.address === email) ?? expect.fail()

const protect = (person: { idUsuario: number } | undefined) =>
  suite.app.db
    .insertInto('senhaPdf')
    .values({
      idUsuario: person?.idUsuario ?? 0,
      definidaEm: new Date(),
      senha: suite.app.services.secrets.encrypt(password),
    })
    .execute()

const contentOf = (content: object) =>
  suite.provider.answer('exportState', ({ path }) => ({
    body: { id: path.split('/').at(-1), status: 'Succeeded', '@biManager.content': content },
  }))

describe('a spreadsheet of chosen visuals', () => {
  test('a spreadsheet of chosen visuals reaches each recipient with their own rows, as texts and numbers', async () => {
    const { recipients } = await start({ ...restricted, people: 2 })
    writeSpreadsheets()
    await workAndSend()
    expect(await onlyRun()).toMatchObject({ estado: 'CONCLUIDA' })
    for (const { emailUsuario } of recipients) {
      const { attachments, text } = mailTo(emailUsuario)
      expect(attachments).toMatchObject([{ filename: 'Custos & receitas.xlsx', mimeType: type }])
      expect(text).toContain('Visuais: Custo por mês, Prestadores')
      const sheets = await readExcelFile(Buffer.from(attachments[0]?.content as ArrayBuffer))
      expect(sheets.map(({ data }) => data)).toEqual([rowsOf(emailUsuario), rowsOf(emailUsuario)])
    }
    expect([...orders.values()]).toMatchObject(
      recipients.map(() => ({
        format: 'XLSX',
        powerBIReportConfiguration: {
          pages: [
            { pageName: 'custos', visualName: 'por_mes' },
            { pageName: 'custos', visualName: 'prestadores' },
          ],
        },
      })),
    )
    const readers = [...orders.values()].map((order) =>
      order.powerBIReportConfiguration?.identities?.map(({ username }) => username),
    )
    expect(readers.toSorted()).toEqual(recipients.map(({ emailUsuario }) => [emailUsuario]).toSorted())
    const counted = await suite.app.db.selectFrom('usoEvento').select(['tipo', 'nome']).execute()
    expect(counted).toContainEqual({ tipo: 'exportacao', nome: 'XLSX' })
  })

  test('a spreadsheet of chosen visuals is made once for recipients with the same rows, and of all visuals without a choice', async () => {
    const { recipients } = await start({
      provedor: 'local',
      people: 2,
      subscription: { ...subscription, visuais: '[]' },
    })
    await workAndSend()
    expect([...orders.values()]).toMatchObject([{ format: 'XLSX' }])
    expect([...orders.values()][0]?.powerBIReportConfiguration?.pages).toEqual([{ pageName: 'custos' }])
    expect(suite.smtp.received).toHaveLength(recipients.length)
    expect(suite.smtp.received[0]?.text).not.toContain('Visuais:')
  })

  test('a spreadsheet of chosen visuals is a link for a recipient with a password, which a spreadsheet cannot have', async () => {
    const { recipients } = await start({ ...restricted, people: 2 })
    const [locked, open] = recipients
    await protect(locked)
    await workAndSend()
    const mail = mailTo(locked?.emailUsuario)
    expect(mail.attachments).toEqual([])
    expect(mail.text).toContain('você definiu uma senha para os seus PDFs')
    expect(mailTo(open?.emailUsuario).attachments).toHaveLength(1)
    expect(await mails()).toMatchObject([
      { estado: 'ENVIADA', motivo: expect.stringMatching(/^Recebeu um link: a pessoa definiu uma senha/) },
      { estado: 'ENVIADA', motivo: null },
    ])
    expect(await onlyRun()).toMatchObject({ estado: 'CONCLUIDA', frase: null })
  })

  test('a spreadsheet of chosen visuals is a link for a recipient who sets a password while the e-mail waits', async () => {
    const { recipients } = await start(restricted)
    await work()
    await pass(2_500)
    await work()
    expect(await mails()).toMatchObject([{ estado: 'NA_FILA' }])
    await protect(recipients[0])
    await senderOf().sendDue()
    expect(suite.smtp.received.map(({ attachments }) => attachments)).toEqual([[]])
  })

  test('a spreadsheet of chosen visuals is a link when it is too large, or when attachments are refused', async () => {
    await start({ provedor: 'local', subscription, rules: { anexoMb: 1 } })
    suite.provider.answer('exportFile', () => ({
      body: Buffer.concat([Buffer.from('PK\u0003\u0004'), Buffer.alloc(1.1 * 2 ** 20)]),
    }))
    await workAndSend()
    expect(suite.smtp.received).toMatchObject([{ attachments: [] }])
    expect(suite.smtp.received[0]?.text).toContain('grande demais')
    await suite.app.db.updateTable('relatorio').set({ sensivel: true }).execute()
    await again()
    await workAndSend()
    expect(suite.smtp.received).toHaveLength(2)
    expect(suite.smtp.received[1]).toMatchObject({ attachments: [] })
    expect(asked()).toHaveLength(1)
  })

  test('a spreadsheet of chosen visuals is not sent without rows or with unchanged rows, if the subscription skips them', async () => {
    await start({
      provedor: 'local',
      subscription: { ...subscription, pulaVazio: true, pulaInalterado: true },
    })
    for (const [content, count] of [
      [{ failedVisuals: 0, rows: 0, digest: 'none' }, 0],
      [{ failedVisuals: 0, rows: 3, digest: 'three' }, 1],
      [{ failedVisuals: 0, rows: 3, digest: 'three' }, 1],
      [{ failedVisuals: 0, rows: 3, digest: 'other' }, 2],
    ] as const) {
      contentOf(content)
      refreshed()
      await again()
      await workAndSend()
      expect(suite.smtp.received).toHaveLength(count)
    }
  })

  test('a spreadsheet of chosen visuals is not sent when a visual does not exist any more', async () => {
    await start({ provedor: 'local', subscription })
    suite.provider.answer('exportTo', () => ({
      status: 400,
      body: { error: { code: 'InvalidRequest', message: 'The page custos has no visual por_mes' } },
    }))
    await workAndSend()
    expect(suite.smtp.received).toEqual([])
    expect(await onlyRun()).toMatchObject({
      estado: 'FALHOU',
      frase: expect.stringMatching(/um visual ou as seleções podem não existir mais. Edite a assinatura/),
    })
  })

  test('a spreadsheet of chosen visuals of a paginated report comes from Microsoft, with the parameters and each identity', async () => {
    const { report, recipients } = await start({
      people: 2,
      rules: { anexosRestritos: true },
      report: { tipoRelatorio: 'PAGINADO', papeisRls: ['Vendedor'], parametros: ['Ano=2026'] },
      subscription: { formato: 'XLSX' },
    })
    const { idGrupo } = await suite.app.db
      .selectFrom('grupoRelatorio')
      .select('idGrupo')
      .where('idGrupoRelatorio', '=', report.idGrupoRelatorio)
      .executeTakeFirstOrThrow()
    const described = { id: report.reportId, name: 'Notas', reportType: 'PaginatedReport' }
    simulateTenant(suite.provider, { workspaces: [{ id: idGrupo, name: 'Fiscal', reports: [described] }] })
    await workAndSend()
    const bodies = asked().map(({ body }) => JSON.parse(body))
    expect(bodies).toHaveLength(2)
    for (const { emailUsuario } of recipients) {
      expect(mailTo(emailUsuario).attachments).toMatchObject([{ mimeType: type }])
      expect(bodies).toContainEqual({
        format: 'XLSX',
        paginatedReportConfiguration: {
          parameterValues: [{ name: 'Ano', value: '2026' }],
          identities: [expect.objectContaining({ username: emailUsuario, roles: ['Vendedor'] })],
        },
      })
    }
  })

  test('a spreadsheet of chosen visuals is not sent any more when the report has moved to Microsoft', async () => {
    await start({ subscription })
    await workAndSend()
    expect([asked(), suite.smtp.received]).toEqual([[], []])
    expect(await onlyRun()).toMatchObject({
      estado: 'FALHOU',
      frase: expect.stringMatching(/não pode mais ser enviado neste formato/),
    })
  })
})
