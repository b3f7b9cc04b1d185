import { setTimeout } from 'node:timers/promises'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { useTestApp } from '../../../test/use-test-app.ts'
import { createUser, password } from '../../../test/users.ts'
import { inTransaction } from '../../platform/db/transactions/in-transaction.ts'
import { fillSkeletons } from './fill-skeletons.ts'
import { lockNames } from './names-in-use.ts'

/* An author cannot pose as a colleague: the portal once accepted each of these names. */

const app = useTestApp()

const victim = 'Ana Lima Rocha'

/** Written as escapes, because the printed names look the same. */
const hidden: [vector: string, name: string][] = [
  ['a zero-width space', 'Ana\u200b Lima Rocha'],
  ['a zero-width joiner', 'Ana Li\u200dma Rocha'],
  ['a soft hyphen', 'Ana Li\u00adma Rocha'],
  ['a mark of the right-to-left order', '\u200fAna Lima Rocha'],
  ['an override of the order', '\u202eahcoR amiL anA\u202c'],
  ['an isolate of the order', '\u2066Ana Lima Rocha\u2069'],
  ['a line separator', 'Ana\u2028Lima Rocha'],
  ['a control character', 'Ana\u0085Lima Rocha'],
  ['a tab', 'Ana\tLima Rocha'],
  ['a filler that is a letter to Unicode', 'Ana Lima\u3164Rocha'],
  ['a Braille blank', 'Ana Lima\u2800Rocha'],
  ['a variation selector', 'Ana Lima\ufe0f Rocha'],
  ['a character of private use', 'Ana Lima Rocha\ue000'],
  ['an unassigned character', 'Ana Lima Rocha\u0378'],
  ['half a surrogate pair', 'Ana Lima Rocha\ud800'],
  ["another author's number and registration", `${victim} · usuário 5 · CRM 123456/SP`],
  ["another author's registration", `${victim}, CRM 123456/SP`],
  ["another author's number", `${victim} usuário 5`],
  ['a small capital', `An\u1d00 Lima Rocha II`],
  ['a modifier apostrophe', `Ana\u02bc Lima Rocha II`],
  ["another author's registration and state", `${victim}, CRM-SP 123456`],
  [
    'a Katakana dot and Cyrillic letters in the words',
    `${victim} \u30fb usu\u00e1r\u0456o 5 \u30fb \u0421RM 123456/SP`,
  ],
  ['a syllabic point between', `${victim} \u1427 Usuario n\u00ba 5 \u1427 CRM SP 123456`],
  ['a letter l for the first digit', `${victim}, CRM l23456/SP`],
  ['letters for all digits', `${victim}, CRM lOOlO`],
  ['letters for all digits, glued', `${victim}, CRMlOOlO`],
  ['a council in points', `${victim}, C.R.M. 123456`],
  ['a council and a state in one', `${victim} CRMSP 123456`],
  ['a council after its number', `${victim} 123456-SP CRM`],
  ['a council of which rn is the m', `${victim} CRrn 123456`],
  ['a council with a stroke', `${victim} CR\u00d8 123456`],
  ['a council in Cyrillic', '\u0410\u043d\u0430 \u0441\u0433\u043e 123456'],
  ['a zero in the word', `${victim} usu\u00e1ri0 5`],
  ['the feminine of the word', `${victim}, usu\u00e1ria 5`],
  ['a saltillo', `${victim}\ua78c`],
  ['a syllabic point', `${victim}\u1427`],
  ['a syllabic stroke', `${victim}\u1428`],
  ["N'Ko's apostrophe", `${victim}\u07f4`],
  ['a stretch of Arabic', `${victim}\u0640`],
  ['a vertical tilde', `${victim}\u2e2f`],
  ['a raised exclamation mark', `${victim}\ua71d`],
  ['a letter above another', 'Ana\u0363 Lima Rocha II'],
  ['a small Cyrillic т', 'Mar\u0442a'],
  ['a small Cyrillic к', '\u043a\u00e1tia'],
  ['a small Cherokee a', 'Erik\uab7a'],
  ['a Cyrillic а', 'Аn\u0430 Lim\u0430 Rocha'],
  ['Cyrillic capitals', '\u0410NA LIM\u0410 ROCH\u0410'],
  ['a Greek ο', 'Ana Lima R\u03bfcha'],
  ['capitals of Lisu', '\ua4ee\ua4e0\ua4ee'],
  ['no letters', '(-) 12'],
]

const alike: [vector: string, name: string][] = [
  ['the very name', 'Ana Lima Rocha'],
  ['other case', 'ANA LIMA ROCHA'],
  ['other accents', 'Àna Líma Rócha'],
  ['two spaces', 'Ana  Lima Rocha'],
  ['a no-break space', 'Ana\u00a0Lima Rocha'],
  ['a narrow space', 'Ana\u202fLima\u2009Rocha'],
  ['no space', 'AnaLima Rocha'],
  ['a point', 'Ana Lima Rocha.'],
  ['fullwidth letters', 'Ａｎａ Ｌｉｍａ Ｒｏｃｈａ'],
  ['mathematical letters', '𝐀𝐧𝐚 𝐋𝐢𝐦𝐚 𝐑𝐨𝐜𝐡𝐚'],
  ['a capital I for an l', 'Ana Iima Rocha'],
  ['a digit 1 for an l', 'Ana 1ima Rocha'],
  ['a digit 0 for an o', 'Ana Lima R0cha'],
  ['r and n for an m', 'Ana Lirna Rocha'],
]

const admin = async () => app.as(await createUser(app, { tipoUsuario: 'ADMIN', nomeUsuario: 'Marina Alves' }))

const draft = (nomeUsuario: string, emailUsuario = 'outra@exemplo.com.br') => ({
  nomeUsuario,
  emailUsuario,
  senhaUsuario: 'Uma senha boa 11',
})

const line = (linha: number, nomeUsuario: string) => ({
  linha,
  ...draft(nomeUsuario, `linha${linha}@exemplo.com.br`),
})

const signUp = (nome: string, email = 'pede@exemplo.com.br') =>
  app.anonymous.post('/faleconosco/', { nome, email, password: 'Uma senha boa 11' })

const refusedField = (field: string) => ({
  status: 422,
  body: { codigo: 'campos_invalidos', campos: { [field]: expect.any(String) } },
})

const countPeople = async () => {
  const { count } = await app.db
    .selectFrom('usuario')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return Number(count)
}

describe('a name that looks like another or carries a credential', () => {
  test.each(hidden)(
    'a name that looks like another or carries a credential is refused with %s at every endpoint that takes a name',
    async (_vector, name) => {
      const boss = await admin()
      const person = await createUser(app)
      const own = await app.as(person)
      expect(await own.put('/conta', { nomeUsuario: name })).toMatchObject(refusedField('nomeUsuario'))
      expect(await boss.post('/usuarios', draft(name))).toMatchObject(refusedField('nomeUsuario'))
      expect(await boss.put(`/usuarios/${person.idUsuario}`, { nomeUsuario: name })).toMatchObject(
        refusedField('nomeUsuario'),
      )
      const invitation = { nomeUsuario: name, emailUsuario: 'c@exemplo.com.br' }
      expect(await boss.post('/usuarios/convites', invitation)).toMatchObject(refusedField('nomeUsuario'))
      expect(await signUp(name)).toMatchObject(refusedField('nome'))
      const file = { linhas: [line(2, name)] }
      expect((await boss.post('/usuarios/importacao', file)).body.campos).toEqual({
        'linhas.2.nomeUsuario': expect.any(String),
      })
      expect(await countPeople()).toBe(2)
    },
  )
})

describe.each(['ATIVO', 'PENDENTE', 'BLOQUEADO'] as const)('a name of an account that is %s', (situacao) => {
  test.each(alike)(
    'a name of such an account is refused with %s at every endpoint that takes a name',
    async (_vector, name) => {
      const boss = await admin()
      const { idUsuario } = await createUser(app, { nomeUsuario: victim, situacao })
      const person = await createUser(app)
      const own = await app.as(person)
      const renamed = await own.put('/conta', { nomeUsuario: name })
      expect(renamed).toMatchObject(refusedField('nomeUsuario'))
      expect(renamed.body.campos.nomeUsuario).not.toContain(String(idUsuario))

      const created = await boss.post('/usuarios', draft(name))
      expect(created).toMatchObject(refusedField('nomeUsuario'))
      expect(created.body.campos.nomeUsuario).toContain(`${victim} (usuário ${idUsuario}, `)
      expect(await boss.put(`/usuarios/${person.idUsuario}`, { nomeUsuario: name })).toMatchObject(
        refusedField('nomeUsuario'),
      )
      const invitation = { nomeUsuario: name, emailUsuario: 'c@exemplo.com.br' }
      expect(await boss.post('/usuarios/convites', invitation)).toMatchObject(refusedField('nomeUsuario'))
      expect(await signUp(name)).toMatchObject(refusedField('nome'))
      const file = { linhas: [line(2, 'Carla Dias'), line(3, name)] }
      expect((await boss.post('/usuarios/importacao/previa', file)).body).toMatchObject({
        validas: 1,
        linhas: [{ erros: {} }, { erros: { nomeUsuario: expect.stringContaining(victim) } }],
      })
      expect((await boss.post('/usuarios/importacao', file)).body.campos).toEqual({
        'linhas.3.nomeUsuario': expect.stringContaining(victim),
      })
      expect(await countPeople()).toBe(3)
    },
  )
})

test('the portal stores a name in compatibility form with single spaces, and its owner signs in with it', async () => {
  const boss = await admin()
  const { status, body } = await boss.post('/usuarios', draft('  José\u00a0 da  ﬁlva ', 'j@exemplo.com.br'))
  expect([status, body.nomeUsuario]).toEqual([201, 'José da filva'])
  const entered = await app.anonymous.post('/usuarios/authorizer', {
    username: 'jose da filva',
    password: 'Uma senha boa 11',
  })
  expect(entered.status).toBe(200)
})

test('the portal accepts a fuller name when two people have the same one', async () => {
  const boss = await admin()
  await createUser(app, { nomeUsuario: 'João da Silva' })
  expect((await boss.post('/usuarios', draft('João da Silva'))).status).toBe(422)
  expect((await boss.post('/usuarios', draft('João da Silva Prado'))).status).toBe(201)
})

test('the portal refuses names of one import that look alike', async () => {
  const boss = await admin()
  const file = { linhas: [line(2, victim), line(3, 'Ana Iima Rocha'), line(4, 'Вера'), line(5, 'вера')] }
  expect((await boss.post('/usuarios/importacao', file)).body.campos).toEqual({
    'linhas.3.nomeUsuario': 'Este nome se confunde com o da linha 2.',
    'linhas.5.nomeUsuario': 'Este nome se confunde com o da linha 4.',
  })
})

test('the portal allows other changes to an account whose duplicate name predates the check', async () => {
  const boss = await admin()
  await createUser(app, { nomeUsuario: victim })
  const { idUsuario, emailUsuario } = await createUser(app, { nomeUsuario: victim })
  const { status } = await boss.put(`/usuarios/${idUsuario}`, {
    nomeUsuario: victim,
    emailUsuario,
    identidadeRls: 'filial-sul',
  })
  expect(status).toBe(200)
})

const unlike: [vector: string, name: string][] = [
  ['a small Cyrillic т', 'Mar\u0442a Dias'],
  ['a Cyrillic а and two spaces', 'Аna  Lima'],
  ["another author's number", 'Rui Lemos, usu\u00e1rio 5'],
  ['a sign', 'Bia/Lia 100%'],
]

test.each(unlike)(
  'an existing account with %s keeps its name while other fields change',
  async (_vector, name) => {
    const boss = await admin()
    const person = await createUser(app, { nomeUsuario: name })
    const { idUsuario, emailUsuario } = person
    const entered = await app.anonymous.post('/usuarios/authorizer', { username: name, password })
    expect(entered.status).toBe(200)
    const form = { nomeUsuario: name, emailUsuario, identidadeRls: 'filial-sul', acessoProntuario: false }
    const saved = await boss.put(`/usuarios/${idUsuario}`, form)
    expect(saved).toMatchObject({ status: 200, body: { nomeUsuario: name, identidadeRls: 'filial-sul' } })
    const own = await app.as(person)
    const kept = await own.put('/conta', { nomeUsuario: name })
    expect(kept).toMatchObject({ status: 200, body: { nomeUsuario: name } })
    const longer = { nomeUsuario: `${name} II` }
    expect(await boss.put(`/usuarios/${idUsuario}`, longer)).toMatchObject(refusedField('nomeUsuario'))
    expect(await own.put('/conta', longer)).toMatchObject(refusedField('nomeUsuario'))
    const { body } = await boss.get(`/usuarios/${idUsuario}`)
    expect(body).toMatchObject({ nomeUsuario: name, identidadeRls: 'filial-sul' })
  },
)

const earlier: [vector: string, name: string][] = [
  ['a saltillo', `${victim}\ua78c`],
  ['a syllabic point', `${victim}\u1427`],
  ["N'Ko's apostrophe", `${victim}\u07f4`],
  ['a stretch of Arabic', `${victim}\u0640`],
  ['a small Cyrillic м', 'Ana Li\u043ca Rocha'],
  ['a small Cherokee a', 'An\uab7a Lima Rocha'],
  ['a Greek ο', 'Ana Lima R\u03bfcha'],
]

test.each(earlier)(
  'the portal refuses a name that looks like an existing one with %s',
  async (_vector, name) => {
    const boss = await admin()
    const { idUsuario } = await createUser(app, { nomeUsuario: name })
    const { status, body } = await boss.post('/usuarios', draft(victim))
    expect(status).toBe(422)
    expect(body.campos.nomeUsuario).toContain(`(usuário ${idUsuario}, `)
  },
)

test('the portal refuses a name in another script that looks like one in use', async () => {
  const boss = await admin()
  await createUser(app, { nomeUsuario: 'Kata Xope' })
  const { status, body } = await boss.post(
    '/usuarios',
    draft('\u041a\u0430\u0442\u0430 \u0425\u043e\u0440\u0435'),
  )
  expect(status).toBe(422)
  expect(body.campos.nomeUsuario).toContain('Kata Xope')
})

const sound = [
  'Operador 2',
  'João Croll',
  'Macro 2',
  'Usuário Teste',
  'José d’Ávila-Souza (Zé)',
  'Dra. Ana & Cia.',
  'joao_silva',
  'João II',
  'Nguyễn Thị Ơn',
  'Łukasz Øst',
  'Мария Иванова',
  '山田 花子',
  '김철수',
]

test.each(sound)('the portal accepts the name %s', async (name) => {
  const boss = await admin()
  expect(await boss.post('/usuarios', draft(name))).toMatchObject({
    status: 201,
    body: { nomeUsuario: name },
  })
})

test('the portal activates no account whose name another account has, by approval or by change', async () => {
  const boss = await admin()
  await createUser(app, { nomeUsuario: victim, situacao: 'BLOQUEADO' })
  for (const situacao of ['PENDENTE', 'BLOQUEADO'] as const) {
    const { idUsuario } = await createUser(app, { nomeUsuario: 'Аna Lima Rocha', situacao })
    const url = `/usuarios/${idUsuario}`
    if (situacao === 'PENDENTE')
      expect(await boss.post(`${url}/aprovar`, {})).toMatchObject(refusedField('nomeUsuario'))
    expect(await boss.put(url, { situacao: 'ATIVO' })).toMatchObject(refusedField('nomeUsuario'))
    const { status } = await boss.put(url, { situacao: 'ATIVO', nomeUsuario: `Ana ${situacao}` })
    expect(status).toBe(200)
  }
})

describe('sign-up', () => {
  test('sign-up answers alike for an e-mail with an account and one without', async () => {
    const { emailUsuario } = await createUser(app, { nomeUsuario: victim })
    const statuses = []
    for (const email of [emailUsuario, 'ninguem@exemplo.com.br']) {
      const asked = [
        await signUp(victim, email),
        await signUp(`Nova pessoa de ${email}`, email),
        // Only one of the earlier two requests created an account; its name must not reveal which.
        await signUp(`Nova pessoa de ${email}`, email),
        await signUp(`Nova pessoa de ${email}`, `outra-${email}`),
      ]
      statuses.push(asked.map(({ status, body }) => [status, { ...body, idRequisicao: undefined }]))
    }
    expect(statuses[0]).toEqual(statuses[1])
    expect(statuses[0]?.map(([status]) => status)).toEqual([422, 202, 202, 202])
  })

  test('sign-up approves at most one of two requests with the same name', async () => {
    const boss = await admin()
    await signUp(victim, 'um@exemplo.com.br')
    await signUp('ana lima rocha', 'dois@exemplo.com.br')
    const waiting = await app.db
      .selectFrom('usuario')
      .select('idUsuario')
      .where('situacao', '=', 'PENDENTE')
      .orderBy('idUsuario')
      .execute()
    expect(waiting).toHaveLength(2)
    await app.db.updateTable('usuario').set({ emailPorProvar: false }).execute()
    for (const { idUsuario } of waiting) {
      const { status } = await boss.post(`/usuarios/${idUsuario}/aprovar`, {})
      expect(status).toBe(422)
    }
    await boss.post(`/usuarios/${waiting[0]?.idUsuario}/recusar`)
    expect((await boss.post(`/usuarios/${waiting[1]?.idUsuario}/aprovar`, {})).status).toBe(204)
  })

  test("sign-up does not affect the owner's sign-in by name", async () => {
    await createUser(app, { nomeUsuario: victim })
    await signUp('Ana Lima Rocha')
    const { status } = await app.anonymous.post('/usuarios/authorizer', { username: victim, password })
    expect(status).toBe(200)
  })
})

test('the portal gives a name to one of several concurrent requests', async () => {
  const boss = await admin()
  const people = [await createUser(app), await createUser(app)]
  const [first, second] = await Promise.all(people.map((person) => app.as(person)))
  // All three requests have passed the check and wait to write.
  const answers = await inTransaction(app.db, async (tx) => {
    await lockNames(tx)
    const asked = [
      first?.put('/conta', { nomeUsuario: victim }),
      second?.put('/conta', { nomeUsuario: 'Ana Lirna Rocha' }),
      boss.post('/usuarios/importacao', { linhas: [line(2, 'Ana Iima Rocha')] }),
    ]
    await setTimeout(300)
    return { asked }
  })
  const statuses = (await Promise.all(answers.asked)).map((answer) => answer?.status ?? 0)
  expect(statuses.filter((status) => status < 300)).toHaveLength(1)
  expect(statuses.filter((status) => status === 422)).toHaveLength(2)
})

test('fillSkeletons computes missing skeletons, which the check then uses', async () => {
  const boss = await admin()
  await createUser(app, { nomeUsuario: victim })
  await createUser(app, { nomeUsuario: victim })
  await sql`update usuario set nome_semelhante = null`.execute(app.db)
  expect((await boss.post('/usuarios', draft('Ana Lima R0cha', 'a@exemplo.com.br'))).status).toBe(201)
  await fillSkeletons(app.db)
  await fillSkeletons(app.db)
  expect((await boss.post('/usuarios', draft('Ana 1ima Rocha'))).status).toBe(422)
})
