import { beforeEach, describe, expect, test } from 'vitest'
import { azureIdOf } from '../../../test/connections/capacities.ts'
import { createConnection, createReport, createWorkspace } from '../../../test/reports.ts'
import type { TestApp } from '../../../test/test-app.ts'
import { useTestApp } from '../../../test/use-test-app.ts'
import { createUser } from '../../../test/users.ts'

const app = useTestApp()
let admin: Awaited<ReturnType<TestApp['as']>>
let idPowerBi: number
beforeEach(async () => {
  admin = await app.as(await createUser(app, { tipoUsuario: 'ADMIN' }))
  idPowerBi = (await createConnection(app, { nome: 'Matriz' })).idPowerBi
})

describe('GET /usuarios/powerbi/:id/dependentes', () => {
  test('GET /usuarios/powerbi/:id/dependentes is empty for a connection that nothing uses', async () => {
    const { status, body } = await admin.get(`/usuarios/powerbi/${idPowerBi}/dependentes`)
    expect([status, body]).toEqual([200, []])
  })

  test('GET /usuarios/powerbi/:id/dependentes names the workspaces and the capacity of the connection, and of no other one', async () => {
    const { idGrupoRelatorio } = await createWorkspace(app, { idPowerBi, nomeGrupo: 'Vendas' })
    await createWorkspace(app, { idPowerBi: (await createConnection(app)).idPowerBi, nomeGrupo: 'Outro' })
    const { body: capacity } = await admin.post('/usuarios/capacidade', {
      nome: 'Produção',
      idPowerBi,
      recurso: azureIdOf(),
    })
    const { body } = await admin.get(`/usuarios/powerbi/${idPowerBi}/dependentes`)
    expect(body).toEqual([
      { tipo: 'workspace', total: 1, registros: [{ id: idGrupoRelatorio, nome: 'Vendas' }] },
      { tipo: 'capacidade', total: 1, registros: [{ id: capacity.idCapacidade, nome: 'Produção' }] },
    ])
  })

  test('the deletion is refused with the same cause', async () => {
    await admin.post('/usuarios/capacidade', { nome: 'Produção', idPowerBi, recurso: azureIdOf() })
    const { status, body } = await admin.del(`/usuarios/powerbi/${idPowerBi}`)
    expect([status, body.codigo, body.detail]).toEqual([
      409,
      'registro_em_uso',
      'Este Powerbi tem 1 capacidade. Exclua-a primeiro.',
    ])
  })

  test('GET /usuarios/powerbi/:id/dependentes returns 404 for a connection that does not exist', async () => {
    expect((await admin.get('/usuarios/powerbi/999999/dependentes')).status).toBe(404)
    expect((await admin.get('/usuarios/powerbi/x/dependentes')).status).toBe(404)
  })
})

describe('GET /usuarios/workspace/:id/dependentes', () => {
  test('GET /usuarios/workspace/:id/dependentes counts all reports and names the first five in natural order', async () => {
    const { idGrupoRelatorio } = await createWorkspace(app, { idPowerBi })
    for (const number of [10, 9, 11, 2, 1, 12, 3])
      await createReport(app, { idGrupoRelatorio, nomeRelatorio: `Relatório ${number}` })
    const { body } = await admin.get(`/usuarios/workspace/${idGrupoRelatorio}/dependentes`)
    expect(body).toMatchObject([{ tipo: 'relatorio', total: 7 }])
    expect(body[0].registros.map(({ nome }: { nome: string }) => nome)).toEqual([
      'Relatório 1',
      'Relatório 2',
      'Relatório 3',
      'Relatório 9',
      'Relatório 10',
    ])
  })
})

test('GET /usuarios/workspace?idPowerBi lists and exports the workspaces of one connection', async () => {
  await createWorkspace(app, { idPowerBi, nomeGrupo: 'Daqui' })
  const other = await createConnection(app)
  await createWorkspace(app, { idPowerBi: other.idPowerBi, nomeGrupo: 'De lá' })
  const { body, headers } = await admin.get(`/usuarios/workspace?pagina=1&idPowerBi=${idPowerBi}`)
  expect(body.map(({ nomeGrupo }: { nomeGrupo: string }) => nomeGrupo)).toEqual(['Daqui'])
  expect(headers['x-total-count']).toBe('1')
  const csv = await admin.get(`/usuarios/workspace.csv?idPowerBi=${other.idPowerBi}`)
  expect(String(csv.body)).toContain('De lá')
  expect(String(csv.body)).not.toContain('Daqui')
  expect((await admin.get('/usuarios/workspace?idPowerBi=x')).status).toBe(422)
})
