import { beforeEach, expect, test } from 'vitest'
import { createBeneficiary } from '../../../test/clinical/beneficiaries.ts'
import { createConnection, createReport, createWorkspace } from '../../../test/reports.ts'
import type { TestApp } from '../../../test/test-app.ts'
import { useTestApp } from '../../../test/use-test-app.ts'
import { createUser } from '../../../test/users.ts'
import { listAudit } from './audit.repository.ts'

const app = useTestApp({ RATE_LIMIT_PER_MINUTE: '1000000' })
beforeEach(async () => {
  root = await app.as(await createUser(app, { tipoUsuario: 'ADMIN' }))
})

let root: Awaited<ReturnType<TestApp['as']>>

const record = (subject: string) =>
  app.services.writeAudit(app.db, { action: 'workspace.updated', idUsuario: null, subject })

test('objects, and ids in details, get their current name or the name at their deletion', async () => {
  const { idPowerBi } = await createConnection(app)
  const { idGrupoRelatorio, idGrupo } = await createWorkspace(app, { nomeGrupo: 'Gestão', idPowerBi })
  const report = await createReport(app, { nomeRelatorio: 'Sinistralidade', idGrupoRelatorio })
  const other = await createReport(app, { nomeRelatorio: 'Internações', idGrupoRelatorio })
  const profile = await app.db
    .insertInto('perfil')
    .values({ nomePerfil: 'Diretoria' })
    .returning('idPerfil')
    .executeTakeFirstOrThrow()
  const refused = await createUser(app, { nomeUsuario: 'Caio Teles', situacao: 'PENDENTE' })
  const { idUsuario } = await createUser(app, { nomeUsuario: 'Dora Reis' })
  expect((await root.post(`/usuarios/${refused.idUsuario}/recusar`, {})).status).toBe(204)
  expect((await root.del(`/usuarios/relatorio/${other.idRelatorio}`)).status).toBe(204)
  const details = {
    liberados: [report.idRelatorio, other.idRelatorio, 2_147_483_648, 'x'],
    idPerfis: [profile.idPerfil],
    antes: { idGrupoRelatorio, outro: null },
    toString: 'x',
  }
  await app.services.writeAudit(app.db, [
    { action: 'grants.changed', idUsuario: null, subject: `usuario:${idUsuario}`, details },
    { action: 'page.bound', idUsuario: null, subject: 'pagina:analise' },
    { action: 'page.bound', idUsuario: null, subject: 'pagina:constructor' },
    { action: 'embed.issued', idUsuario: null, subject: 'relatorio:99999999999' },
    { action: 'embed.issued', idUsuario: null, subject: '__proto__' },
    { action: 'embed.refused', idUsuario: null, subject: `${idGrupo}/${report.reportId.toUpperCase()}` },
    { action: 'embed.refused', idUsuario: null, subject: `${idGrupo}/${idGrupo}` },
  ])
  const { body } = await root.get('/auditoria?tamanho=12&pagina=1')
  const namesOf = (objeto: string) => body.find((row: { objeto: string }) => row.objeto === objeto).nomes
  expect(namesOf(`usuario:${idUsuario}`)).toEqual({
    [`usuario:${idUsuario}`]: { nome: 'Dora Reis', existe: true },
    [`relatorio:${report.idRelatorio}`]: { nome: 'Sinistralidade', existe: true },
    [`relatorio:${other.idRelatorio}`]: { nome: 'Internações', existe: false },
    [`perfil:${profile.idPerfil}`]: { nome: 'Diretoria', existe: true },
    [`workspace:${idGrupoRelatorio}`]: { nome: 'Gestão', existe: true },
  })
  expect(namesOf(`usuario:${refused.idUsuario}`)).toMatchObject({
    [`usuario:${refused.idUsuario}`]: { nome: 'Caio Teles', existe: false },
  })
  expect(namesOf('pagina:analise')).toEqual({
    'pagina:analise': { nome: 'Análise de entregas', existe: true },
  })
  const external = `${idGrupo}/${report.reportId.toUpperCase()}`
  expect(namesOf(external)).toEqual({ [external]: { nome: 'Sinistralidade', existe: true } })
  for (const objeto of [
    'pagina:constructor',
    'relatorio:99999999999',
    '__proto__',
    `${idGrupo}/${idGrupo}`,
  ]) {
    expect(namesOf(objeto)).toEqual({})
  }
})

test('naming a page of a hundred rows takes as many queries as naming one row', async () => {
  for (let n = 1; n <= 50; n += 1) {
    await record(`usuario:${(await createUser(app)).idUsuario}`)
    await record(`perfil:${n}`)
  }
  const queriesFor = async (tamanho: number) => {
    let count = 0
    const db = app.db.withPlugin({
      transformQuery: ({ node }) => {
        count += 1
        return node
      },
      transformResult: async ({ result }) => result,
    })
    const { rows } = await listAudit(db, { pagina: 1, tamanho })
    expect(Object.keys(rows[0]?.nomes ?? {})).toHaveLength(1)
    return count
  }
  expect(await queriesFor(100)).toBe(await queriesFor(1))
})

test('GET /auditoria.csv names objects, without formulas', async () => {
  const { idUsuario } = await createUser(app, { nomeUsuario: '=HYPERLINK("x")' })
  const gone = await createUser(app, { nomeUsuario: '+Ana' })
  await record(`usuario:${idUsuario}`)
  await record(`usuario:${gone.idUsuario}`)
  await record('usuarios')
  await root.del(`/usuarios/${gone.idUsuario}`)
  const { body } = await root.get('/auditoria.csv?acao=workspace.updated')
  const lines: string[] = body.trim().split('\r\n').slice(1)
  expect(lines[0]).toContain(';usuarios;Lista de usuários;')
  expect(lines[1]).toContain(`;usuario:${gone.idUsuario};'+Ana (excluído);`)
  expect(lines[2]).toContain(`;usuario:${idUsuario};"'=HYPERLINK(""x"")";`)
})

test('the trail and its CSV show patients, records and attachments by number only', async () => {
  const { id } = await createBeneficiary(app, {
    nome_beneficiario: 'Dora Reis',
    id_beneficiario: 'Cartão 4711',
  })
  const details = { finalidade: 'atendimento', beneficiario: [id], prontuario: [12] }
  await app.services.writeAudit(app.db, [
    { action: 'beneficiary.updated', idUsuario: null, subject: `beneficiario:${id}`, details },
    { action: 'record.read', idUsuario: null, subject: 'prontuario:12', details },
    { action: 'retention.read', idUsuario: null, subject: 'retencao' },
  ])
  const { body } = await root.get('/auditoria?objeto=beneficiario')
  expect(body).toMatchObject([{ objeto: `beneficiario:${id}`, nomes: {} }])
  const csv: string = (await root.get('/auditoria.csv')).body
  expect(csv).toContain(
    `;Editou um beneficiário;beneficiary.updated;beneficiario:${id};Beneficiário nº ${id};`,
  )
  expect(csv).toContain(';Leu prontuários;record.read;prontuario:12;Prontuário nº 12;')
  expect(csv).toContain(';Leu a lista de retenção;retention.read;retencao;Lista de retenção;')
  expect(csv + JSON.stringify(body)).not.toMatch(/Dora|Cartão/)
})
