import { randomUUID } from 'node:crypto'
import type { Report } from '@bi-manager/contract'
import { beforeEach, describe, expect, test } from 'vitest'
import { createConnection, createWorkspace } from '../../../test/reports.ts'
import type { TestApp } from '../../../test/test-app.ts'
import { useTestApp } from '../../../test/use-test-app.ts'
import { createUser } from '../../../test/users.ts'

let admin: Awaited<ReturnType<TestApp['as']>>
let idGrupoRelatorio: number
const app = useTestApp()
beforeEach(async () => {
  admin = await app.as(await createUser(app, { tipoUsuario: 'ADMIN' }))
  const { idPowerBi } = await createConnection(app)
  idGrupoRelatorio = (await createWorkspace(app, { idPowerBi, nomeGrupo: 'Saúde' })).idGrupoRelatorio
})

const url = '/usuarios/relatorio'
const audited = () =>
  app.db
    .selectFrom('auditoria')
    .selectAll()
    .where('acao', '=', 'report.created')
    .orderBy('idAuditoria')
    .execute()
const namesOf = (body: Report[]) => body.map(({ nomeRelatorio }) => nomeRelatorio)

describe('POST /usuarios/workspace/:id/relatorios', () => {
  const row = (nomeRelatorio: string, fields = {}) => ({
    reportId: randomUUID(),
    nomeRelatorio,
    operadoraRelatorio: 'CNU',
    ...fields,
  })
  const importing = (relatorios: unknown, id: number | string = idGrupoRelatorio) =>
    admin.post(`/usuarios/workspace/${id}/relatorios`, { relatorios })

  test('POST /usuarios/workspace/:id/relatorios registers all reports, returns them sorted and audits each', async () => {
    const { status, body } = await importing([
      row('Zona'),
      row('água', { papeisRls: ['Operadora'] }),
      row('Banco', { tipoRelatorio: 'PAGINADO' }),
    ])
    expect([status, namesOf(body)]).toEqual([201, ['água', 'Banco', 'Zona']])
    expect(body[0]).toMatchObject({ idGrupoRelatorio, nomeGrupo: 'Saúde', papeisRls: ['Operadora'] })
    expect(body[1]).toMatchObject({ papeisRls: [], filtro: null, versao: 1, tipoRelatorio: 'PAGINADO' })
    expect(body[2]).toMatchObject({ tipoRelatorio: 'INTERATIVO', parametros: [], painelParametros: true })
    expect((await admin.get(url)).body).toEqual(body)
    const entries = await audited()
    expect(entries.map(({ objeto }) => objeto)).toEqual(
      body.map(({ idRelatorio }: Report) => `relatorio:${idRelatorio}`),
    )
    expect(entries[0]?.detalhes).toEqual({ depois: body[0], importados: 3 })
  })

  test('POST /usuarios/workspace/:id/relatorios registers none when one row is invalid, and names that row', async () => {
    const { status, body } = await importing([row('Boa'), row(' ')])
    expect([status, Object.keys(body.campos)]).toEqual([422, ['relatorios.1.nomeRelatorio']])
    expect((await admin.get(url)).body).toEqual([])
  })

  test('POST /usuarios/workspace/:id/relatorios refuses an empty list and one over the limit', async () => {
    expect((await importing([])).body.campos).toEqual({ relatorios: 'Marque ao menos um relatório.' })
    expect((await importing(Array.from({ length: 501 }, () => row('x')))).body.campos).toEqual({
      relatorios: 'Importe no máximo 500 relatórios de uma vez.',
    })
    expect((await importing('x')).status).toBe(422)
  })

  test('POST /usuarios/workspace/:id/relatorios accepts 500 reports', async () => {
    const { status, body } = await importing(Array.from({ length: 500 }, (_, n) => row(`Relatório ${n}`)))
    expect([status, body.length]).toEqual([201, 500])
  })

  test('POST /usuarios/workspace/:id/relatorios registers a report once per operadora, also for concurrent imports', async () => {
    const report = row('Zona')
    const [first, second] = await Promise.all([importing([report]), importing([report])])
    expect([first.status, second.status].sort()).toEqual([201, 422])
    const again = { ...report, reportId: report.reportId.toUpperCase() }
    const { status, body } = await importing([row('Nova'), again])
    expect([status, Object.keys(body.campos)]).toEqual([422, ['relatorios.1.reportId']])
    expect((await importing([{ ...report, operadoraRelatorio: 'BRADESCO' }])).status).toBe(201)
    const twice = row('Dupla')
    expect((await importing([twice, twice])).status).toBe(422)
    expect(namesOf((await admin.get(url)).body)).toEqual(['Zona', 'Zona'])
  })

  test('POST /usuarios/workspace/:id/relatorios answers 404 for an unknown workspace', async () => {
    for (const id of ['999', 'x', '0', '99999999999']) {
      expect((await importing([row('x')], id)).status).toBe(404)
    }
    expect(await audited()).toEqual([])
  })
})
