import fc from 'fast-check'
import { expect, test } from 'vitest'
import { mortalDatabase } from '../../../../test/stand-ins/mortal-database.ts'
import { subscriptionSuite } from '../../../../test/stand-ins/subscription-suite.ts'
import { createUser } from '../../../../test/users.ts'

/*
 * Random grants and memberships with ends, profiles, blocks, identities, exits, schedules and crashes of
 * processes. The model holds what the portal would show each person, and checks each e-mail that arrives.
 */

const { suite, start, work, senderOf, pass } = subscriptionSuite()

const people = 4
const person = fc.nat(people - 1)
/** A process that crashes before one of its first statements, or none. */
const life = (most: number) => fc.option(fc.integer({ min: 1, max: most }), { freq: 1 })
/** A grant or a membership whose last day is over, of which the row stays. */
const hasEnded = fc.boolean()
const change = fc.oneof(
  fc.record({ do: fc.constant('grant' as const), person, isGranted: fc.boolean(), hasEnded }),
  fc.record({ do: fc.constant('profileSees' as const), sees: fc.boolean() }),
  fc.record({ do: fc.constant('join' as const), person, isMember: fc.boolean(), hasEnded }),
  fc.record({ do: fc.constant('block' as const), person, isBlocked: fc.boolean() }),
  fc.record({ do: fc.constant('prove' as const), person, isProven: fc.boolean() }),
  fc.record({ do: fc.constant('rename' as const), person, address: fc.nat(3) }),
  fc.record({ do: fc.constant('leave' as const), person, hasLeft: fc.boolean() }),
  fc.record({ do: fc.constant('name' as const), person, isNamed: fc.boolean() }),
  fc.record({ do: fc.constant('protect' as const), person, hasPassword: fc.boolean() }),
  fc.record({ do: fc.constant('allow' as const), isAllowed: fc.boolean() }),
)
/** Of the owner: they concern all e-mails, so they are rarer. */
const ownerChange = fc.oneof(
  fc.record({ do: fc.constant('blockOwner' as const), isBlocked: fc.boolean() }),
  fc.record({ do: fc.constant('demoteOwner' as const), isUser: fc.boolean() }),
)
const command = fc.oneof(
  { weight: 8, arbitrary: change },
  { weight: 1, arbitrary: ownerChange },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('due' as const) }) },
  { weight: 6, arbitrary: fc.record({ do: fc.constant('work' as const), dieAt: life(60) }) },
  { weight: 6, arbitrary: fc.record({ do: fc.constant('send' as const), dieAt: life(12) }) },
)
type Command = typeof command extends fc.Arbitrary<infer C> ? C : never

/** The format, and who has set a password from the beginning. */
const beginning = fc.record({
  formato: fc.constantFrom('PDF' as const, 'XLSX' as const),
  protectedPeople: fc.subarray(Array.from({ length: people }, (_, n) => n)),
})
type Beginning = typeof beginning extends fc.Arbitrary<infer B> ? B : never

const createWorld = async ({ formato, protectedPeople }: Beginning) => {
  const { db } = suite.app
  const about = await start({
    report: { papeisRls: ['Regional'] },
    rules: { anexosRestritos: true },
    people,
    provedor: formato === 'XLSX' ? 'local' : 'microsoft',
    subscription: { formato },
  })
  const { report, owner, recipients, idAssinatura } = about
  const { idRelatorio } = report
  const { idPerfil } = await db
    .insertInto('perfil')
    .values({ nomePerfil: `Perfil ${Math.random()}` })
    .returning('idPerfil')
    .executeTakeFirstOrThrow()
  await db.insertInto('assinaturaPerfil').values({ idAssinatura, idPerfil }).execute()
  await createUser(suite.app, { tipoUsuario: 'ADMIN' })
  const model = {
    isOwnerBlocked: false,
    isOwnerUser: false,
    profileSees: false,
    mayAttach: true,
    people: recipients.map(({ idUsuario, emailUsuario }) => ({
      idUsuario,
      email: emailUsuario,
      isGranted: true,
      isMember: false,
      isBlocked: false,
      isProven: true,
      hasLeft: false,
      isNamed: true,
      hasPassword: false,
    })),
  }
  const at = (n: number) => model.people[n] ?? expect.fail()
  const changeUser = (idUsuario: number, fields: object) =>
    db.updateTable('usuario').set(fields).where('idUsuario', '=', idUsuario).execute()
  const setRow = async (isThere: boolean, insert: () => Promise<unknown>, remove: () => Promise<unknown>) => {
    await remove()
    if (isThere) await insert()
  }

  const endOf = (step: { hasEnded: boolean }) => (step.hasEnded ? new Date(0) : null)

  /** Whether the portal would show this person the report, with the rows of this address. */
  const mayGet = ({ email, ...one }: (typeof model.people)[number], rowsOf: string | undefined): boolean =>
    !one.isBlocked &&
    one.isProven &&
    (one.isGranted || (model.profileSees && one.isMember)) &&
    !one.hasLeft &&
    (one.isNamed || one.isMember) &&
    !model.isOwnerBlocked &&
    !model.isOwnerUser &&
    (rowsOf === undefined || (model.mayAttach && rowsOf === email && !one.hasPassword))

  let checked = 0
  const checkReceived = (step: Command) => {
    for (const { to, attachments } of suite.smtp.received.slice(checked)) {
      const [file] = attachments
      const text = file ? Buffer.from(file.content as ArrayBuffer).toString('latin1') : undefined
      const rowsOf = text === undefined ? undefined : (/para:(.*)/.exec(text)?.[1] ?? 'unreadable')
      const address = to?.[0]?.address
      const recipient = model.people.find(({ email }) => email === address)
      expect([step.do, address, rowsOf, recipient && mayGet(recipient, rowsOf)]).toEqual([
        'send',
        address,
        rowsOf,
        true,
      ])
    }
    checked = suite.smtp.received.length
  }

  const perform = async (step: Command): Promise<void> => {
    switch (step.do) {
      case 'grant': {
        const { idUsuario } = at(step.person)
        at(step.person).isGranted = step.isGranted && !step.hasEnded
        const rows = () => db.deleteFrom('relatorioUsuario').where('idUsuario', '=', idUsuario).execute()
        const add = () =>
          db
            .insertInto('relatorioUsuario')
            .values({ idUsuario, idRelatorio, venceEm: endOf(step) })
            .execute()
        return setRow(step.isGranted, add, rows)
      }
      case 'profileSees': {
        model.profileSees = step.sees
        const rows = () => db.deleteFrom('perfilRelatorio').where('idPerfil', '=', idPerfil).execute()
        const add = () => db.insertInto('perfilRelatorio').values({ idPerfil, idRelatorio }).execute()
        return setRow(step.sees, add, rows)
      }
      case 'join': {
        const { idUsuario } = at(step.person)
        at(step.person).isMember = step.isMember && !step.hasEnded
        const rows = () => db.deleteFrom('perfilUsuario').where('idUsuario', '=', idUsuario).execute()
        const add = () =>
          db
            .insertInto('perfilUsuario')
            .values({ idPerfil, idUsuario, venceEm: endOf(step) })
            .execute()
        return setRow(step.isMember, add, rows)
      }
      case 'block':
        at(step.person).isBlocked = step.isBlocked
        await changeUser(at(step.person).idUsuario, { situacao: step.isBlocked ? 'BLOQUEADO' : 'ATIVO' })
        return
      case 'prove':
        at(step.person).isProven = step.isProven
        await changeUser(at(step.person).idUsuario, { emailPorProvar: !step.isProven })
        return
      case 'rename':
        at(step.person).email = `p${step.person}-${step.address}@exemplo.com.br`
        await changeUser(at(step.person).idUsuario, { emailUsuario: at(step.person).email })
        return
      case 'leave': {
        const { idUsuario } = at(step.person)
        at(step.person).hasLeft = step.hasLeft
        const rows = () => db.deleteFrom('assinaturaSaida').where('idUsuario', '=', idUsuario).execute()
        const add = () =>
          db.insertInto('assinaturaSaida').values({ idAssinatura, idUsuario, em: new Date() }).execute()
        return setRow(step.hasLeft, add, rows)
      }
      case 'name': {
        const { idUsuario } = at(step.person)
        at(step.person).isNamed = step.isNamed
        const rows = () => db.deleteFrom('assinaturaPessoa').where('idUsuario', '=', idUsuario).execute()
        const add = () => db.insertInto('assinaturaPessoa').values({ idAssinatura, idUsuario }).execute()
        return setRow(step.isNamed, add, rows)
      }
      case 'blockOwner':
        model.isOwnerBlocked = step.isBlocked
        await changeUser(owner.idUsuario, { situacao: step.isBlocked ? 'BLOQUEADO' : 'ATIVO' })
        return
      case 'demoteOwner':
        model.isOwnerUser = step.isUser
        await changeUser(owner.idUsuario, { tipoUsuario: step.isUser ? 'USER' : 'ADMIN' })
        return
      case 'protect': {
        // The provider's files are no real PDFs, which could be encrypted.
        if (formato !== 'XLSX') return
        const { idUsuario } = at(step.person)
        at(step.person).hasPassword = step.hasPassword
        const row = {
          idUsuario,
          senha: suite.app.services.secrets.encrypt('Uma senha 7'),
          definidaEm: new Date(),
        }
        const rows = () => db.deleteFrom('senhaPdf').where('idUsuario', '=', idUsuario).execute()
        return setRow(step.hasPassword, () => db.insertInto('senhaPdf').values(row).execute(), rows)
      }
      case 'allow':
        model.mayAttach = step.isAllowed
        await db.updateTable('assinaturaRegras').set({ anexosRestritos: step.isAllowed, versao: 2 }).execute()
        return
      case 'due':
        await pass(60_000)
        await db.updateTable('assinatura').set({ proximaEm: new Date() }).execute()
        return
      case 'work':
        await withLife(step.dieAt, (mortal) => work({ db: mortal }))
        return
      case 'send':
        await withLife(step.dieAt, (mortal) => senderOf({ db: mortal }).sendDue())
    }
  }

  const withLife = async (
    dieAt: number | null,
    live: (db: ReturnType<typeof mortalDatabase>['db']) => Promise<unknown>,
  ) => {
    const { db: mortal, life } = mortalDatabase(suite.app.services.db, dieAt ?? undefined)
    await live(mortal).catch((error: unknown) => {
      if (!life.isDead) throw error
    })
    // What a dead process held is taken over.
    await pass(life.isDead ? 6 * 60_000 : 2_500)
  }

  for (const person of protectedPeople) await perform({ do: 'protect', person, hasPassword: true })
  return { perform, checkReceived }
}

test('no e-mail reaches a person whom the portal would not show it', { timeout: 300_000 }, async () => {
  let sent = 0
  await fc.assert(
    fc.asyncProperty(
      beginning,
      fc.array(command, { minLength: 8, maxLength: 40, size: 'max' }),
      async (first, sequence) => {
        await suite.app.reset()
        suite.smtp.received.length = 0
        const world = await createWorld(first)
        // Each begins with a run whose e-mails wait, so that changes come before and after each step.
        for (const step of [
          { do: 'work', dieAt: null },
          { do: 'work', dieAt: null },
          ...sequence,
        ] as Command[]) {
          await world.perform(step)
          world.checkReceived(step)
        }
        sent += suite.smtp.received.length
      },
    ),
    { numRuns: Number(process.env.RANDOM_RUNS ?? 25), endOnFailure: true },
  )
  expect(sent).toBeGreaterThan(20)
})
