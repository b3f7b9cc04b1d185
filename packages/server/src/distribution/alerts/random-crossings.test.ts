import fc from 'fast-check'
import { expect, test } from 'vitest'
import { alertSuite } from '../../../test/stand-ins/alert-suite.ts'
import { mortalDatabase } from '../../../test/stand-ins/mortal-database.ts'
import { encryptWebhook } from './webhook.ts'

/*
 * Random grants, blocks, identities, values and deaths of processes. The model knows what the portal
 * would show each owner, and which crossings there were; whenever something arrives, it is asked.
 */

const { suite, values, hook, work, senderOf, pass, publish, watch } = alertSuite()

const people = 3
const person = fc.nat(people - 1)
/** A process that dies before one of its first statements, or lives. */
const life = (most: number) => fc.option(fc.integer({ min: 1, max: most }), { freq: 1 })
const change = fc.oneof(
  fc.record({ do: fc.constant('grant' as const), person, isGranted: fc.boolean() }),
  fc.record({ do: fc.constant('block' as const), person, isBlocked: fc.boolean() }),
  fc.record({ do: fc.constant('demote' as const), person, isUser: fc.boolean() }),
  fc.record({ do: fc.constant('prove' as const), person, isProven: fc.boolean() }),
  fc.record({ do: fc.constant('rename' as const), person, address: fc.nat(2) }),
  fc.record({ do: fc.constant('pause' as const), person, isPaused: fc.boolean() }),
)
const command = fc.oneof(
  { weight: 5, arbitrary: change },
  { weight: 8, arbitrary: fc.record({ do: fc.constant('value' as const), isAbove: fc.boolean() }) },
  { weight: 8, arbitrary: fc.record({ do: fc.constant('work' as const), dieAt: life(40) }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('send' as const), dieAt: life(12) }) },
)
type Command = typeof command extends fc.Arbitrary<infer C> ? C : never

const LIMIT = 1_000_000

interface Owner {
  idUsuario: number
  idAlerta: number
  email: string
  isAdmin: boolean
  isGranted: boolean
  isBlocked: boolean
  isProven: boolean
  isPaused: boolean
}

const createWorld = async () => {
  const { db } = suite.app
  const report = await publish({ papeisRls: ['Regional'] })
  // Values may leave the portal, so that each message says what was told.
  await db.updateTable('assinaturaRegras').set({ anexosRestritos: true, versao: 2 }).execute()
  const { idRelatorio } = report
  const webhook = encryptWebhook(suite.app.services.secrets, { endereco: suite.hook, segredo: 'whsec_eA==' })
  const model: Owner[] = []
  for (let n = 0; n < people; n += 1) {
    const { user, idAlerta } = await watch(
      report,
      { nomeAlerta: `Alerta ${n}`, limite: LIMIT, formato: 'moeda', webhook },
      { tipoUsuario: n === 0 ? 'ADMIN' : 'USER' },
    )
    model.push({
      idUsuario: user.idUsuario,
      idAlerta,
      email: user.emailUsuario,
      isAdmin: n === 0,
      isGranted: true,
      isBlocked: false,
      isProven: true,
      isPaused: false,
    })
  }
  const at = (n: number) => model[n] ?? expect.fail()
  const changeUser = (idUsuario: number, fields: object) =>
    db.updateTable('usuario').set(fields).where('idUsuario', '=', idUsuario).execute()

  /** Each value is of one address and one moment: a message says whose it has. */
  let moment = 0
  const ownerOf = new Map<number, string>()
  const setValues = (isAbove: boolean) => {
    moment += 1
    values.clear()
    for (const [n, address] of addresses().entries()) {
      const value = (isAbove ? LIMIT : 0) + moment * 100 + n + 1
      values.set(address, value)
      ownerOf.set(value, address)
    }
  }
  const addresses = () => [
    ...new Set(
      model.flatMap(({ email }, n) => [email, ...[0, 1, 2].map((a) => `p${n}-${a}@exemplo.com.br`)]),
    ),
  ]
  setValues(false)

  /** Whether the portal would show this owner the report, with the rows of their address. */
  const maySee = ({ isBlocked, isProven, isGranted, isAdmin }: Owner) =>
    !isBlocked && isProven && (isGranted || isAdmin)
  const mayBeTold = (owner: Owner, value: number) =>
    maySee(owner) && !owner.isPaused && ownerOf.get(value) === owner.email

  const numberIn = (text: string | undefined) =>
    Number(/R\$\s([\d.]+),00/.exec(text ?? '')?.[1]?.replaceAll('.', ''))
  const checked = { mails: 0, calls: 0, bells: 0 }
  const check = async (step: Command) => {
    const about = JSON.stringify(step)
    for (const mail of suite.smtp.received.slice(checked.mails)) {
      const owner = model.find(({ email }) => email === mail.to?.[0]?.address)
      expect(owner && mayBeTold(owner, numberIn(/Valor: (.*)/.exec(mail.text ?? '')?.[0])), about).toBe(true)
    }
    for (const { body } of hook.calls.slice(checked.calls)) {
      const { data } = JSON.parse(body)
      const owner = model.find(({ idAlerta }) => idAlerta === data.idAlerta)
      expect(owner?.isAdmin && mayBeTold(owner, data.valor), about).toBe(true)
    }
    const bells = await db
      .selectFrom('notificacao')
      .select(['idUsuario', 'texto'])
      .orderBy('idNotificacao')
      .execute()
    for (const { idUsuario, texto } of bells.slice(checked.bells)) {
      const owner = model.find((one) => one.idUsuario === idUsuario)
      expect(owner && mayBeTold(owner, numberIn(texto)), `${about} ${texto}`).toBe(true)
    }
    Object.assign(checked, {
      mails: suite.smtp.received.length,
      calls: hook.calls.length,
      bells: bells.length,
    })
  }

  /** What was stored of each alert must be what a simple reading of its values gives. */
  const checkHistories = async () => {
    let crossings = 0
    for (const { idAlerta, idUsuario } of model) {
      const rows = await db
        .selectFrom('alertaAvaliacao')
        .select(['resultado', 'valor', 'alcance'])
        .where('idAlerta', '=', idAlerta)
        .where('valor', 'is not', null)
        .orderBy('idAvaliacao')
        .execute()
      let before: { isMet: boolean; alcance: string | null } | undefined
      const expected = rows.map(({ valor, alcance }) => {
        const isMet = (valor ?? 0) > LIMIT
        const isNew = before?.alcance !== alcance
        const outcome = isNew ? 'INICIAL' : isMet ? (before?.isMet ? 'CONTINUA' : 'CRUZOU') : 'NORMAL'
        before = { isMet, alcance }
        return outcome
      })
      expect(rows.map(({ resultado }) => resultado)).toEqual(expected)
      const told = expected.filter((outcome) => outcome === 'CRUZOU').length
      const bells = await db
        .selectFrom('notificacao')
        .select('texto')
        .where('idUsuario', '=', idUsuario)
        .execute()
      // Each crossing has its own value, so no notification is left out as a repetition.
      expect(bells).toHaveLength(told)
      crossings += told
    }
    return crossings
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

  const perform = async (step: Command): Promise<void> => {
    if (step.do === 'value') return setValues(step.isAbove)
    if (step.do === 'work') {
      await db.updateTable('alerta').set({ proximaEm: new Date() }).where('ativo', '=', true).execute()
      return withLife(step.dieAt, (mortal) => work({ db: mortal }))
    }
    if (step.do === 'send') return withLife(step.dieAt, (mortal) => senderOf(mortal).sendDue())
    const owner = at(step.person)
    const { idUsuario } = owner
    switch (step.do) {
      case 'grant':
        owner.isGranted = step.isGranted
        await db.deleteFrom('relatorioUsuario').where('idUsuario', '=', idUsuario).execute()
        if (step.isGranted)
          await db.insertInto('relatorioUsuario').values({ idUsuario, idRelatorio }).execute()
        return
      case 'block':
        owner.isBlocked = step.isBlocked
        await changeUser(idUsuario, { situacao: step.isBlocked ? 'BLOQUEADO' : 'ATIVO' })
        return
      case 'demote':
        owner.isAdmin = !step.isUser
        await changeUser(idUsuario, { tipoUsuario: step.isUser ? 'USER' : 'ADMIN' })
        return
      case 'prove':
        owner.isProven = step.isProven
        await changeUser(idUsuario, { emailPorProvar: !step.isProven })
        return
      case 'rename':
        owner.email = `p${step.person}-${step.address}@exemplo.com.br`
        await changeUser(idUsuario, { emailUsuario: owner.email })
        return
      case 'pause':
        owner.isPaused = step.isPaused
        await db
          .updateTable('alerta')
          .set({ ativo: !step.isPaused })
          .where('idAlerta', '=', owner.idAlerta)
          .execute()
    }
  }

  return { perform, check, checkHistories }
}

test('nobody is told of a value that the portal would not show them, and of each crossing once', {
  timeout: 300_000,
}, async () => {
  let told = 0
  let sent = 0
  await fc.assert(
    fc.asyncProperty(fc.array(command, { minLength: 10, maxLength: 40, size: 'max' }), async (sequence) => {
      await suite.app.reset()
      suite.smtp.received.length = 0
      hook.calls.length = 0
      const world = await createWorld()
      for (const step of [{ do: 'work', dieAt: null }, ...sequence] as Command[]) {
        await world.perform(step)
        await world.check(step)
      }
      told += await world.checkHistories()
      sent += suite.smtp.received.length + hook.calls.length
    }),
    { numRuns: Number(process.env.CROSSING_RUNS ?? 25), endOnFailure: true },
  )
  expect(told).toBeGreaterThan(20)
  expect(sent).toBeGreaterThan(10)
})
