import { MAX_EXPORTS_PER_HOUR } from '@bi-manager/contract'
import { describe, expect, test } from 'vitest'
import { exportSuite } from '../../../test/stand-ins/report-exports.ts'

const { suite, start, isFull, provideState, auditOf } = exportSuite()

const asked = { pagina: 'p1', visual: 'v1', filtros: { operadora: 'CNU' } }

const open = async (...given: Parameters<typeof start>) => {
  const opened = await start(...given)
  const address = `/usuarios/relatorio/${opened.report.idRelatorio}/planilha`
  return { ...opened, record: (body: object = asked) => opened.post(address, body) }
}

describe('a spreadsheet that the browser makes', () => {
  test('a spreadsheet that the browser makes is audited with what it has, and counts as an export', async () => {
    const { record, report, user } = await open(
      { papeisRls: ['por-usuario'] },
      { emailUsuario: 'ana@x.br', identidadeRls: 'ana' },
    )
    expect((await record()).status).toBe(204)
    expect(await auditOf('export.requested')).toMatchObject([
      {
        idUsuario: user.idUsuario,
        detalhes: {
          ...asked,
          filtros: ['operadora'],
          formato: 'XLSX',
          noNavegador: true,
          identidade: { roles: ['por-usuario'], customData: 'ana' },
        },
      },
    ])
    expect(JSON.stringify(await auditOf('export.requested'))).not.toContain('CNU')
    const counted = await suite.app.db
      .selectFrom('usoEvento')
      .selectAll()
      .where('idRelatorio', '=', report.idRelatorio)
      .where('mensal', '=', false)
      .execute()
    expect(counted).toMatchObject([{ tipo: 'exportacao', nome: 'XLSX', total: 1 }])
    // The provider has nothing to do.
    expect(suite.provider.seen.filter(({ path }) => path.endsWith('/ExportTo'))).toEqual([])
  })

  test('a spreadsheet that the browser makes counts in the hour, but not as one under way', async () => {
    const { record, ask } = await open()
    for (let count = 0; count < MAX_EXPORTS_PER_HOUR; count += 1) expect((await record()).status).toBe(204)
    await isFull(record)
    await isFull(ask)
    expect(await auditOf('export.requested')).toHaveLength(MAX_EXPORTS_PER_HOUR)
  })

  test('the export waits, like every other, while two are under way', async () => {
    const { record, begun } = await open()
    await begun()
    await begun()
    provideState('Running')
    await isFull(record)
    provideState('Succeeded')
    expect((await record()).status).toBe(204)
  })

  test.each([
    ['of the local service, which writes its own', {}, 'local'],
    ['that is paginated', { tipoRelatorio: 'PAGINADO' }, 'microsoft'],
  ] as const)(
    'a spreadsheet that the browser makes is refused for a report %s',
    async (_, fields, provedor) => {
      const { record } = await open(fields, {}, provedor)
      const { status, body } = await record()
      expect([status, body.codigo]).toEqual([409, 'exportacao_sem_formato'])
      expect(await auditOf('export.requested')).toEqual([])
    },
  )

  test.each([
    ['no page', { ...asked, pagina: null }],
    ['a name that no visual has', { ...asked, visual: "x' or 1 eq 1" }],
    ['a filter that the panel lacks', { ...asked, filtros: { cpf: '1' } }],
  ])('a spreadsheet that the browser makes is refused with %s', async (_, body) => {
    const { record } = await open()
    const answer = await record(body)
    expect([answer.status, answer.body.codigo]).toEqual([422, 'campos_invalidos'])
  })
})
