import { beforeAll, beforeEach, expect, test } from 'vitest'
import { openStream } from '../../../test/accounts/live-stream.ts'
import { createComment } from '../../../test/reports/comments.ts'
import { createConnection, createReport, createWorkspace, grantReport } from '../../../test/reports.ts'
import { useTestApp } from '../../../test/use-test-app.ts'
import { createUser } from '../../../test/users.ts'
import { notify } from '../../platform/notifications/notify.ts'

let origin: string
let idRelatorio: number
const app = useTestApp()
beforeAll(async () => {
  origin = await app.app.listen({ port: 0, host: '127.0.0.1' })
})
beforeEach(async () => {
  const { idPowerBi } = await createConnection(app)
  const { idGrupoRelatorio } = await createWorkspace(app, { idPowerBi })
  idRelatorio = (await createReport(app, { idGrupoRelatorio })).idRelatorio
})

const open = (token: string) => openStream(origin, token)

const untilTrue = async (check: () => boolean): Promise<number> => {
  const started = performance.now()
  while (!check()) {
    if (performance.now() - started > 5_000) throw new Error('the condition was not true within 5 s')
    await new Promise((resolve) => setTimeout(resolve, 25))
  }
  return performance.now() - started
}

test('the stream reports a grant, its removal, a profile and a renamed workspace within 5 s, to affected users only', async () => {
  const [person, stranger] = [await createUser(app), await createUser(app)]
  const { token } = await app.as(person)
  const [mine, theirs] = [await open(token), await open((await app.as(stranger)).token)]
  expect(mine.response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8')
  await untilTrue(() => mine.text().startsWith(': aberto'))
  await grantReport(app, person.idUsuario, idRelatorio)
  await untilTrue(() => mine.events().length === 1)
  await app.db.deleteFrom('relatorioUsuario').execute()
  await untilTrue(() => mine.events().length === 2)
  const { idPerfil } = await app.db
    .insertInto('perfil')
    .values({ nomePerfil: 'P' })
    .returning('idPerfil')
    .executeTakeFirstOrThrow()
  await app.db.insertInto('perfilUsuario').values({ idPerfil, idUsuario: person.idUsuario }).execute()
  await untilTrue(() => mine.events().length === 3)
  expect(theirs.events()).toEqual([])
  await app.db.updateTable('grupoRelatorio').set({ nomeGrupo: 'Outro' }).execute()
  await untilTrue(() => mine.events().length === 4 && theirs.events().length === 1)
  expect(new Set(mine.events())).toEqual(new Set(['event: acesso']))
  await mine.close()
  await theirs.close()
})

test('the stream reports a notification and its reading in another window within 5 s, to that user only', async () => {
  const [person, stranger] = [await createUser(app), await createUser(app)]
  const session = await app.as(person)
  const [one, other] = [await open(session.token), await open((await app.as(person)).token)]
  const theirs = await open((await app.as(stranger)).token)
  const told = { kind: 'senha_alterada', bell: { titulo: 'T', texto: 't' } } as const
  await notify(app.db, { audience: [person.idUsuario], ...told }, app.services.now())
  await untilTrue(() => one.events().length === 1 && other.events().length === 1)
  await session.post('/notificacoes/lidas')
  await untilTrue(() => one.events().length === 2 && other.events().length === 2)
  expect(new Set([...one.events(), ...other.events()])).toEqual(new Set(['event: notificacoes']))
  expect(theirs.events()).toEqual([])
  for (const stream of [one, other, theirs]) await stream.close()
})

test('the stream reports changed settings to every user within 5 s, and they apply from then on', async () => {
  const [person, other] = [await app.as(await createUser(app)), await app.as(await createUser(app))]
  const streams = [await open(person.token), await open(other.token)]
  await app.db.updateTable('configuracao').set({ segundoFator: 'todos', versao: 2 }).execute()
  try {
    await untilTrue(() => streams.every((stream) => stream.events().length === 1))
    expect(streams.map((stream) => stream.events())).toEqual([['event: acesso'], ['event: acesso']])
    expect((await person.get('/usuarios/menus')).body.codigo).toBe('segundo_fator_obrigatorio')
  } finally {
    await app.db.updateTable('configuracao').set({ segundoFator: 'opcional', versao: 1 }).execute()
    for (const stream of streams) await stream.close()
  }
})

test('the stream ends with the session and when the user is blocked', async () => {
  const person = await createUser(app)
  const session = await app.as(person)
  const stream = await open(session.token)
  await session.post('/usuarios/sair')
  await untilTrue(() => stream.hasEnded())
  const other = await app.as(person)
  const blocked = await open(other.token)
  await app.db
    .updateTable('usuario')
    .set({ situacao: 'BLOQUEADO' })
    .where('idUsuario', '=', person.idUsuario)
    .execute()
  await untilTrue(() => blocked.hasEnded())
})

test('the stream needs a session, and a session has a limited number', async () => {
  expect((await open('nonsense')).response.status).toBe(401)
  const head = await fetch(`${origin}/api/usuarios/eventos`, { method: 'HEAD' })
  expect(head.status).toBe(404)
  const { token } = await app.as(await createUser(app))
  const streams = []
  for (let n = 0; n < 20; n += 1) streams.push(await open(token))
  expect(streams.every(({ response }) => response.status === 200)).toBe(true)
  const beyond = await open(token)
  expect([beyond.response.status, beyond.response.headers.get('retry-after')]).toEqual([429, '60'])
  for (const stream of streams) await stream.close()
})

test('the stream reports a comment within 5 s, without saying where', async () => {
  const person = await createUser(app)
  const stream = await open((await app.as(person)).token)
  // The first look of the notifier reads the version that later ones are compared with.
  await new Promise((resolve) => setTimeout(resolve, 3_200))
  await createComment(app, { idRelatorio, idUsuario: person.idUsuario })
  await untilTrue(() => stream.events().length === 1)
  expect(stream.events()).toEqual(['event: comentarios'])
  await stream.close()
})
