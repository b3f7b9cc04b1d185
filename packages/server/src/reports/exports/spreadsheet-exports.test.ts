import { expect, test } from 'vitest'
import { exportedFiles } from '../../../test/stand-ins/provider-stand-in.ts'
import { exportSuite } from '../../../test/stand-ins/report-exports.ts'

const { suite, start, sentOrder, auditOf } = exportSuite()

const order = { formato: 'XLSX', pagina: 'custos', visual: 'por_mes', marcador: 'eyJ9' }

test('the portal asks the local service for the spreadsheet of a visual, for the person and their rows', async () => {
  const { begun, download, report, user } = await start(
    { papeisRls: ['por-usuario'] },
    { nomeUsuario: 'Ana Souza', emailUsuario: 'ana@x.br', identidadeRls: 'ana' },
    'local',
  )
  const address = await begun(order)
  expect(sentOrder()).toMatchObject({
    format: 'XLSX',
    '@biManager.person': 'Ana Souza',
    powerBIReportConfiguration: {
      pages: [{ pageName: 'custos', visualName: 'por_mes', bookmark: { state: 'eyJ9' } }],
      identities: [{ username: 'ana@x.br', roles: ['por-usuario'], customData: 'ana' }],
    },
  })
  expect(sentOrder()).not.toHaveProperty(['@biManager.brand'])
  const file = await download(`${address}/arquivo`)
  expect([file.status, file.bytes]).toEqual([200, exportedFiles.XLSX])
  expect(file.headers).toMatchObject({
    'content-type': 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
    'content-disposition': expect.stringContaining('filename="relatorio.xlsx"'),
  })
  const idExportacao = address.split('/').at(-1)
  expect(await auditOf('export.requested')).toMatchObject([
    {
      idUsuario: user.idUsuario,
      detalhes: { idExportacao, formato: 'XLSX', pagina: 'custos', visual: 'por_mes' },
    },
  ])
  expect(await auditOf('export.downloaded')).toMatchObject([{ detalhes: { idExportacao, formato: 'XLSX' } }])
  const counted = await suite.app.db
    .selectFrom('usoEvento')
    .selectAll()
    .where('idRelatorio', '=', report.idRelatorio)
    .where('mensal', '=', false)
    .execute()
  expect(counted).toMatchObject([{ tipo: 'exportacao', nome: 'XLSX' }])
})

test("the portal refuses a spreadsheet of Microsoft's reports of visuals before it asks for one", async () => {
  const { ask } = await start()
  const { status, body } = await ask(order)
  expect([status, body.codigo]).toEqual([409, 'exportacao_sem_formato'])
  expect(sentOrder()).toBeUndefined()
})

test('the portal refuses a visual without its page, and names that no visual has', async () => {
  const { ask } = await start({}, {}, 'local')
  for (const body of [
    { ...order, pagina: null },
    { ...order, visual: "x' or 1 eq 1" },
    { ...order, visual: 'x'.repeat(101) },
  ]) {
    const answer = await ask(body)
    expect([answer.status, answer.body.codigo]).toEqual([422, 'campos_invalidos'])
  }
  expect(sentOrder()).toBeUndefined()
})
