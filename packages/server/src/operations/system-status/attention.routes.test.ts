import { randomUUID } from 'node:crypto'
import { beforeEach, expect, test } from 'vitest'
import { createCapacity } from '../../../test/connections/capacities.ts'
import { createConnection } from '../../../test/reports.ts'
import type { TestApp } from '../../../test/test-app.ts'
import { useTestApp } from '../../../test/use-test-app.ts'
import { createUser } from '../../../test/users.ts'

const app = useTestApp()
let admin: Awaited<ReturnType<TestApp['as']>>
let idUsuario: number
beforeEach(async () => {
  const user = await createUser(app, { tipoUsuario: 'ADMIN' })
  idUsuario = user.idUsuario
  admin = await app.as(user)
})

const items = async (): Promise<[string, string, string][]> =>
  (await admin.get('/sistema/atencao')).body.map(
    ({ assunto, frase, rota }: { assunto: string; frase: string; rota: string }) => [assunto, frase, rota],
  )

test('GET /sistema/atencao lists accounts, refreshes and capacities that wait, with their page', async () => {
  const before = (await items()).map(([assunto]) => assunto)
  expect(before).not.toContain('contas')
  await createUser(app, { situacao: 'PENDENTE' })
  await createUser(app, { situacao: 'PENDENTE' })
  const { idPowerBi } = await createConnection(app)
  const { idCapacidade } = await createCapacity(app, { idPowerBi })
  await app.db
    .updateTable('capacidadeEstado')
    .set({ falha: 'O Azure recusou.' })
    .where('idCapacidade', '=', idCapacidade)
    .execute()
  const notification = { tipo: 'sistema_com_problema', titulo: 't', texto: 'x', criadaEm: new Date() }
  const of = (rota: string, lidaEm: Date | null, assunto = `atualizacao:1:x:${rota}`) => ({
    ...notification,
    idUsuario,
    rota,
    lidaEm,
    assunto,
  })
  await app.db
    .insertInto('notificacao')
    .values([
      of('/RegisterworkspaceRelatorios/1', null),
      of('/RegisterworkspaceRelatorios/1', null, 'atualizacao:1:x:outra'),
      of('/RegisterworkspaceRelatorios/2', new Date()),
      of('/situacao', null, 'sistema:email'),
    ])
    .execute()
  const schedule = {
    tabela: 'Custos',
    endereco: app.services.secrets.encrypt('x'),
    horario: '03:00',
    ativa: true,
    proximaEm: new Date(),
    tentativas: 0,
    origem: 'PASTA' as const,
    frequencia: 'DIA' as const,
    resultado: 'FALHOU' as const,
  }
  await app.db
    .insertInto('agendaDados')
    .values([
      { ...schedule, reportId: randomUUID() },
      { ...schedule, reportId: randomUUID(), ativa: false },
      { ...schedule, reportId: randomUUID(), resultado: 'SUBSTITUIDO' as const },
    ])
    .execute()
  expect((await items()).slice(0, 4)).toEqual([
    ['contas', '2 pedidos de conta aguardam aprovação.', '/usuario?situacao=PENDENTE'],
    ['dados', '1 relatório tem uma atualização de dados que falhou.', '/notificacoes'],
    ['trocas', '1 relatório tem uma troca agendada de dados que falhou.', '/publicados'],
    ['capacidades', '1 capacidade não pôde ser lida ou mudada no Azure.', '/capacidades'],
  ])
})

test('GET /sistema/atencao repeats what the system status says needs action, and nothing else', async () => {
  const { body: status } = await admin.get('/sistema/situacao')
  const unwell = Object.values(status as Record<string, { estado?: string; frase?: string }>)
    .filter((item) => item?.frase && ['falha', 'atencao'].includes(item.estado ?? ''))
    .map(({ frase }) => frase)
  expect((await items()).map(([, frase]) => frase).toSorted()).toEqual(unwell.toSorted())
  expect((await items()).every(([, , rota]) => rota === '/situacao')).toBe(true)
})
