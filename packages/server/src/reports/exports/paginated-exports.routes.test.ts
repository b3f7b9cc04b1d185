import { describe, expect, test } from 'vitest'
import { refusals, type SimulatedExports, simulateTenant } from '../../../test/stand-ins/microsoft-tenant.ts'
import { exportedFiles } from '../../../test/stand-ins/provider-stand-in.ts'
import { exportSuite } from '../../../test/stand-ins/report-exports.ts'

/* Exports of paginated reports, by a simulated tenant. */

const { suite, start, sentOrder, auditOf } = exportSuite()

const startPaginated = async (
  fields: Parameters<typeof start>[0] = {},
  exports: SimulatedExports = {},
  person = {},
) => {
  const started = await start({ tipoRelatorio: 'PAGINADO', ...fields }, person)
  const { report, workspace } = started
  const described = { id: report.reportId, name: 'Notas', reportType: 'PaginatedReport' }
  simulateTenant(suite.provider, {
    workspaces: [{ id: workspace.idGrupo, name: 'Fiscal', reports: [described] }],
    exports,
  })
  return started
}

const fault = ({ status, body }: { status: number; body: { codigo?: string } }) => [status, body.codigo]

describe('POST /usuarios/relatorio/:id/exportacao of a paginated report', () => {
  test.each(['PDF', 'XLSX', 'DOCX', 'PPTX', 'CSV'] as const)(
    'POST /usuarios/relatorio/:id/exportacao of a paginated report delivers a %s',
    async (formato) => {
      const { begun, download } = await startPaginated()
      const address = await begun({ formato })
      expect(sentOrder()).toMatchObject({ format: formato, paginatedReportConfiguration: {} })
      const file = await download(`${address}/arquivo`)
      expect([file.status, file.bytes]).toEqual([200, exportedFiles[formato]])
      const extension = formato.toLowerCase()
      expect(file.headers['content-disposition']).toMatch(`filename="relatorio.${extension}"`)
      expect(file.headers['content-type']).toMatch(
        { PDF: 'application/pdf', CSV: 'text/csv' }[formato as string] ?? 'application/vnd.openxmlformats',
      )
      expect(await auditOf('export.downloaded')).toMatchObject([
        { detalhes: { formato, bytes: exportedFiles[formato].length } },
      ])
    },
  )

  test('POST /usuarios/relatorio/:id/exportacao of a paginated report sends the registered parameters and the effective identity, alone', async () => {
    const { begun, user } = await startPaginated(
      { parametros: ['Ano=2026', 'Cidade=Curitiba', 'Cidade=Londrina'], papeisRls: ['Vendedor'] },
      {},
      { identidadeRls: 'CNU' },
    )
    await begun()
    expect(sentOrder().paginatedReportConfiguration).toEqual({
      parameterValues: [
        { name: 'Ano', value: '2026' },
        { name: 'Cidade', value: 'Curitiba' },
        { name: 'Cidade', value: 'Londrina' },
      ],
      identities: [{ username: user.emailUsuario, roles: ['Vendedor'], customData: 'CNU' }],
    })
  })

  test("POST /usuarios/relatorio/:id/exportacao of a paginated report replaces registered values by the reader's, whose names alone are audited", async () => {
    const { begun } = await startPaginated({ parametros: ['Ano=2026', 'Paciente='] })
    await begun({ formato: 'CSV', parametros: ['Paciente=Maria da Silva'] })
    expect(sentOrder().paginatedReportConfiguration.parameterValues).toEqual([
      { name: 'Ano', value: '2026' },
      { name: 'Paciente', value: 'Maria da Silva' },
    ])
    const [line] = await auditOf('export.requested')
    expect(line?.detalhes).toMatchObject({ formato: 'CSV', parametros: ['Paciente'] })
    expect(JSON.stringify(line)).not.toContain('Maria')
  })

  test.each([
    ['fixed parameters', { painelParametros: false }, ['Ano=1999']],
    ['parameters that are not registered', {}, ['Ano=2026', 'Segredo=1']],
  ])(
    'POST /usuarios/relatorio/:id/exportacao of a paginated report refuses other values for %s',
    async (_, fields, parametros) => {
      const { ask } = await startPaginated({ parametros: ['Ano=2026'], ...fields })
      const answer = await ask({ formato: 'PDF', parametros })
      expect([...fault(answer), Object.keys(answer.body.campos)]).toEqual([
        422,
        'campos_invalidos',
        ['parametros'],
      ])
      expect(sentOrder()).toBeUndefined()
    },
  )

  test('POST /usuarios/relatorio/:id/exportacao of a paginated report refuses an image, and the formats of paginated reports for another report', async () => {
    const paginated = await startPaginated()
    expect(fault(await paginated.ask({ formato: 'PNG', pagina: 'p' }))).toEqual([
      409,
      'exportacao_sem_formato',
    ])
    suite.provider.restore()
    const other = await start()
    expect(fault(await other.ask({ formato: 'XLSX' }))).toEqual([409, 'exportacao_sem_formato'])
    expect(await auditOf('export.requested')).toEqual([])
  })

  test('POST /usuarios/relatorio/:id/exportacao of a paginated report refuses a report with a filter, which its file would not apply', async () => {
    const { ask } = await startPaginated({ filtro: "T/a eq 'x'" })
    expect(fault(await ask())).toEqual([409, 'paginado_com_filtro'])
  })

  test('POST /usuarios/relatorio/:id/exportacao of a paginated report passes on how long a busy provider asks to wait, and ends the export', async () => {
    const { ask } = await startPaginated({}, { refusal: refusals.throttled })
    const answer = await ask()
    expect([...fault(answer), answer.headers['retry-after']]).toEqual([503, 'bi_sobrecarregado', '17'])
    const row = await suite.app.db.selectFrom('exportacao').selectAll().executeTakeFirstOrThrow()
    expect(row.encerradaEm).not.toBeNull()
  })
})

describe('GET /usuarios/relatorio/:id/exportacao/:idExportacao of a paginated report', () => {
  test('GET /usuarios/relatorio/:id/exportacao/:idExportacao of a paginated report says how far it is and when to ask again', async () => {
    const { begun, get } = await startPaginated({}, { runningFor: 2 })
    const address = await begun()
    const look = async () => (await get(address)).body
    expect(await look()).toMatchObject({ estado: 'GERANDO', percentual: 0, esperaSegundos: 2 })
    expect(await look()).toMatchObject({ estado: 'GERANDO', percentual: 50, esperaSegundos: 2 })
    expect(await look()).toMatchObject({ estado: 'PRONTA', percentual: 100, esperaSegundos: null })
  })

  test.each([
    [
      'ExportTimedOut',
      'O relatório demorou demais para ser desenhado. Escolha parâmetros que tragam menos linhas.',
    ],
    ['rsParameterError', 'O serviço de BI não conseguiu gerar o arquivo (rsParameterError). Peça-o de novo.'],
  ])(
    'GET /usuarios/relatorio/:id/exportacao/:idExportacao of a paginated report says why it failed: %s',
    async (code, motivo) => {
      const { begun, get } = await startPaginated({}, { failure: { code } })
      const address = await begun()
      expect((await get(address)).body).toMatchObject({ estado: 'FALHOU', motivo })
      const file = await get(`${address}/arquivo`)
      expect([...fault(file), file.body.detail]).toEqual([409, 'exportacao_nao_pronta', motivo])
    },
  )

  test('GET /usuarios/relatorio/:id/exportacao/:idExportacao of a paginated report is lost once the parameters changed', async () => {
    const { begun, get, report } = await startPaginated({ parametros: ['Ano=2026'] })
    const address = await begun()
    expect((await get(address)).status).toBe(200)
    await suite.app.db
      .updateTable('relatorio')
      .set({ parametros: ['Ano=2025'] })
      .where('idRelatorio', '=', report.idRelatorio)
      .execute()
    expect(fault(await get(address))).toEqual([404, 'exportacao_inexistente'])
  })
})

describe('GET /usuarios/relatorio/:id/exportacao/:idExportacao/arquivo', () => {
  const mib = 1024 * 1024

  test('GET /usuarios/relatorio/:id/exportacao/:idExportacao/arquivo delivers a file larger than the limit of other answers', async () => {
    const body = Buffer.concat([exportedFiles.XLSX, Buffer.alloc(40 * mib, 7)])
    const { begun, download } = await startPaginated()
    suite.provider.answer('exportFile', () => ({ body }))
    const file = await download(`${await begun({ formato: 'XLSX' })}/arquivo`)
    expect(file.status).toBe(200)
    expect(file.bytes.equals(body)).toBe(true)
    // The provider did not announce the size.
    expect(await auditOf('export.downloaded')).toMatchObject([{ detalhes: { bytes: null } }])
  })

  test.each([
    ['XLSX', '<html>Proxy</html>'],
    ['CSV', '<!DOCTYPE html><p>Proxy</p>'],
    ['CSV', '{"error":{}}'],
    ['PDF', ''],
  ])(
    'GET /usuarios/relatorio/:id/exportacao/:idExportacao/arquivo refuses a %s that begins with %j',
    async (formato, body) => {
      const { begun, get } = await startPaginated()
      suite.provider.answer('exportFile', () => ({ body }))
      expect(fault(await get(`${await begun({ formato })}/arquivo`))).toEqual([502, 'bi_resposta_invalida'])
      expect(await auditOf('export.downloaded')).toEqual([])
    },
  )
})
