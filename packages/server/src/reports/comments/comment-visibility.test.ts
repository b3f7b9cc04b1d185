import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createConnection, createReport, createWorkspace } from '../../../test/reports.ts'
import { startSmtp } from '../../../test/stand-ins/smtp.ts'
import { smtpSender } from '../../../test/stand-ins/smtp-sender.ts'
import type { TestApp } from '../../../test/test-app.ts'
import { useTestApp } from '../../../test/use-test-app.ts'
import { createUser } from '../../../test/users.ts'

/* Nobody gets a comment, its notification or its e-mail without access to the report at that time. */

const people = 3
const reports = 2
const person = fc.nat(people - 1)
const report = fc.nat(reports - 1)
const other = fc.nat(people - 1)

const step = fc.oneof(
  { weight: 3, arbitrary: fc.record({ do: fc.constant('grant' as const), person, report }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('revoke' as const), person, report }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('join' as const), person, in: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('promote' as const), person, admin: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('switch' as const), report, on: fc.boolean() }) },
  { weight: 5, arbitrary: fc.record({ do: fc.constant('comment' as const), person, report, other }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('reply' as const), person, report, other }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('delete' as const), person, report }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('send' as const) }) },
)
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never
type Session = Awaited<ReturnType<TestApp['as']>>

const app = useTestApp({ RATE_LIMIT_PER_MINUTE: '1000000' }, { resets: false })

const at = <T>(list: readonly T[], index: number): T => {
  const found = list[index]
  if (found === undefined) throw new Error(`no item ${index}`)
  return found
}

const createWorld = async (smtp: Awaited<ReturnType<typeof startSmtp>>) => {
  await app.reset()
  smtp.received.length = 0
  const { idPowerBi } = await createConnection(app)
  const { idGrupoRelatorio } = await createWorkspace(app, { idPowerBi })
  const ids: number[] = []
  for (let n = 0; n < reports; n += 1)
    ids.push((await createReport(app, { idGrupoRelatorio, nomeRelatorio: `Relatório-${n}-` })).idRelatorio)
  const users = await Promise.all(Array.from({ length: people }, () => createUser(app)))
  const sessions: Session[] = await Promise.all(users.map((user) => app.as(user)))
  const { idPerfil } = await app.db
    .insertInto('perfil')
    .values({ nomePerfil: 'Perfil' })
    .returning('idPerfil')
    .executeTakeFirstOrThrow()
  await app.db
    .insertInto('perfilRelatorio')
    .values({ idPerfil, idRelatorio: at(ids, 0) })
    .execute()
  const model = {
    grants: users.map(() => new Set<number>()),
    members: new Set<number>(),
    admins: new Set<number>(),
    on: new Set(ids.map((_, n) => n)),
  }
  const mayRead = (who: number, of: number) =>
    model.on.has(of) &&
    (model.admins.has(who) || at(model.grants, who).has(of) || (of === 0 && model.members.has(who)))
  const sender = smtpSender(app, smtp.url)
  const addressOf = (of: number) => `/usuarios/relatorio/${at(ids, of)}/comentarios`
  const idOf = (who: number) => at(users, who).idUsuario

  const write = async (who: number, of: number, body: object, mentioned: number) => {
    const { status } = await at(sessions, who).post(addressOf(of), body)
    const isGood = mayRead(who, of) && mayRead(mentioned, of)
    expect(status === 201).toBe(isGood)
  }
  const threadOf = (of: number) =>
    app.db
      .selectFrom('comentario')
      .select('idComentario')
      .where('idRelatorio', '=', at(ids, of))
      .where('idConversa', 'is', null)
      .orderBy('idComentario', 'desc')
      .executeTakeFirst()

  const perform = async (next: Step): Promise<void> => {
    switch (next.do) {
      case 'grant': {
        const row = { idUsuario: idOf(next.person), idRelatorio: at(ids, next.report) }
        await app.db
          .insertInto('relatorioUsuario')
          .values(row)
          .onConflict((conflict) => conflict.doNothing())
          .execute()
        at(model.grants, next.person).add(next.report)
        return
      }
      case 'revoke':
        await app.db
          .deleteFrom('relatorioUsuario')
          .where('idUsuario', '=', idOf(next.person))
          .where('idRelatorio', '=', at(ids, next.report))
          .execute()
        at(model.grants, next.person).delete(next.report)
        return
      case 'join':
        await app.db.deleteFrom('perfilUsuario').where('idUsuario', '=', idOf(next.person)).execute()
        model.members.delete(next.person)
        if (!next.in) return
        await app.db
          .insertInto('perfilUsuario')
          .values({ idPerfil, idUsuario: idOf(next.person) })
          .execute()
        model.members.add(next.person)
        return
      case 'promote':
        await app.db
          .updateTable('usuario')
          .set({ tipoUsuario: next.admin ? 'ADMIN' : 'USER' })
          .where('idUsuario', '=', idOf(next.person))
          .execute()
        if (next.admin) model.admins.add(next.person)
        else model.admins.delete(next.person)
        return
      case 'switch':
        await app.db
          .updateTable('relatorio')
          .set({ comentarios: next.on })
          .where('idRelatorio', '=', at(ids, next.report))
          .execute()
        if (next.on) model.on.add(next.report)
        else model.on.delete(next.report)
        return
      case 'comment':
        return write(next.person, next.report, { texto: `Oi @{${idOf(next.other)}}` }, next.other)
      case 'reply': {
        const thread = await threadOf(next.report)
        if (!thread) return
        const body = { texto: `Re @{${idOf(next.other)}}`, idConversa: thread.idComentario }
        return write(next.person, next.report, body, next.other)
      }
      case 'delete': {
        const thread = await threadOf(next.report)
        if (thread) await at(sessions, next.person).del(`${addressOf(next.report)}/${thread.idComentario}`)
        return
      }
      case 'send': {
        smtp.received.length = 0
        await sender.sendDue()
        for (const { to, text = '' } of smtp.received) {
          const who = users.findIndex(({ emailUsuario }) => emailUsuario === to?.[0]?.address)
          const of = ids.findIndex((_, n) => text.includes(`Relatório-${n}-`))
          expect([who, of], text).not.toContain(-1)
          expect(mayRead(who, of)).toBe(true)
        }
      }
    }
  }

  const compare = async (): Promise<void> => {
    for (let who = 0; who < people; who += 1) {
      const session = at(sessions, who)
      const { body: bell } = await session.get('/notificacoes')
      const { body: summary } = await session.get('/notificacoes/resumo')
      const unread = bell.filter(({ lidaEm }: { lidaEm: string | null }) => lidaEm === null)
      expect(summary.naoLidas).toBe(unread.length)
      for (let of = 0; of < reports; of += 1) {
        const list = await session.get(`${addressOf(of)}?situacao=todos`)
        expect(list.status === 200).toBe(mayRead(who, of))
        const place = await threadOf(of)
        if (place) {
          const { status } = await session.get(`/comentarios/${place.idComentario}`)
          expect(status).toBe(mayRead(who, of) ? 200 : 404)
        }
        if (!mayRead(who, of)) expect(JSON.stringify(bell)).not.toContain(`Relatório-${of}-`)
      }
    }
  }
  return { perform, compare, close: sender.close }
}

test('people get comments, notifications and e-mails only of reports that they may see then', {
  timeout: 900_000,
}, async () => {
  const smtp = await startSmtp()
  const steps = fc.array(step, { minLength: 8, maxLength: 16, size: 'max' })
  try {
    await fc.assert(
      fc.asyncProperty(steps, async (sequence) => {
        const world = await createWorld(smtp)
        try {
          for (const next of [...sequence, { do: 'send' as const }]) {
            await world.perform(next)
            await world.compare()
          }
        } finally {
          await world.close()
        }
      }),
      { numRuns: 10, endOnFailure: true },
    )
  } finally {
    await smtp.close()
  }
})
