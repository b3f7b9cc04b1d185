import { beforeEach, describe, expect, test } from 'vitest'
import { importWhileServing, importRow as row } from '../../../test/accounts/user-import.ts'
import type { TestApp } from '../../../test/test-app.ts'
import { useTestApp } from '../../../test/use-test-app.ts'
import { createUser } from '../../../test/users.ts'

let admin: Awaited<ReturnType<TestApp['as']>>
const app = useTestApp()
beforeEach(async () => {
  admin = await app.as(
    await createUser(app, {
      tipoUsuario: 'ADMIN',
      nomeUsuario: 'Marina Alves',
      emailUsuario: 'marina@exemplo.com.br',
    }),
  )
})

const preview = (linhas: object[]) => admin.post('/usuarios/importacao/previa', { linhas })
const importing = (linhas: object[]) => admin.post('/usuarios/importacao', { linhas })
const countUsers = async () => (await app.db.selectFrom('usuario').select('idUsuario').execute()).length

const faulty = [
  row(2, { nomeUsuario: '  ', emailUsuario: 'sem arroba', senhaUsuario: '' }),
  row(3, { emailUsuario: 'repetida@exemplo.com.br' }),
  row(4, { nomeUsuario: 'a'.repeat(121), emailUsuario: '', senhaUsuario: 'curta' }),
  row(5, { nomeUsuario: 'com\nquebra', emailUsuario: ' REPETIDA@exemplo.com.br ' }),
  row(6, { emailUsuario: 'Marina@Exemplo.com.br' }),
  row(7, { emailUsuario: `${'a'.repeat(250)}@exemplo.com.br`, senhaUsuario: 'a'.repeat(201) }),
  row(8, { nomeUsuario: 'nulo\u0000', emailUsuario: 'nulo\u0000@exemplo.com.br' }),
  row(9),
]
const faults: Record<number, Record<string, string>> = {
  2: {
    nomeUsuario: 'É necessário preencher este campo.',
    emailUsuario: 'Informe um e-mail válido.',
    senhaUsuario: 'É necessário preencher este campo.',
  },
  3: {},
  4: {
    nomeUsuario: 'Use no máximo 120 caracteres.',
    emailUsuario: 'É necessário preencher este campo.',
    senhaUsuario: 'A senha precisa de ao menos 8 caracteres.',
  },
  5: {
    nomeUsuario: 'Retire quebras de linha e caracteres de controle.',
    emailUsuario: 'O mesmo e-mail está na linha 3.',
  },
  6: { emailUsuario: 'Já existe um usuário com este e-mail.' },
  7: {
    emailUsuario: 'Use no máximo 254 caracteres.',
    senhaUsuario: 'A senha pode ter no máximo 200 caracteres.',
  },
  8: {
    nomeUsuario: 'Retire quebras de linha e caracteres de controle.',
    emailUsuario: 'Informe um e-mail válido.',
  },
  9: {},
}

test('the preview reports every error of every line and writes nothing', async () => {
  const audited = await app.db.selectFrom('auditoria').selectAll().execute()
  const { status, body } = await preview(faulty)
  expect([status, body.validas, body.invalidas]).toEqual([200, 2, 6])
  const found = body.linhas.map(({ linha, erros }: { linha: number; erros: object }) => [linha, erros])
  expect(Object.fromEntries(found)).toEqual(faults)
  expect(body.linhas[1]).toEqual({
    linha: 3,
    nomeUsuario: 'Pessoa da linha 3',
    emailUsuario: 'repetida@exemplo.com.br',
    erros: {},
  })
  expect(JSON.stringify(body)).not.toMatch(/argon2|Senha da linha/)
  expect(await countUsers()).toBe(1)
  expect(await app.db.selectFrom('auditoria').selectAll().execute()).toEqual(audited)
})

test('a file with any error is refused with the same errors, and nothing is written', async () => {
  const { status, body } = await importing(faulty)
  expect([status, body.codigo]).toEqual([422, 'importacao_com_falhas'])
  const expected = Object.entries(faults).flatMap(([linha, erros]) =>
    Object.entries(erros).map(([field, message]) => [`linhas.${linha}.${field}`, message]),
  )
  expect(body.campos).toEqual(Object.fromEntries(expected))
  expect(body.campos['linhas.4.emailUsuario']).toBe('É necessário preencher este campo.')
  expect(await countUsers()).toBe(1)
})

test('a valid file creates plain users who can sign in, and one audit line', async () => {
  const { status, body } = await importing([
    row(2, {
      nomeUsuario: '  Água  ',
      tipoUsuario: 'ADMIN',
      situacao: 'BLOQUEADO',
      acessoProntuario: true,
      encarregadoDados: true,
    }),
    row(3),
    row(4),
  ])
  expect([status, body]).toEqual([201, { cadastrados: 3 }])
  const { body: users, headers } = await admin.get('/usuarios?pagina=1&tamanho=10')
  expect(headers['x-total-count']).toBe('4')
  expect(users[0]).toMatchObject({
    nomeUsuario: 'Água',
    emailUsuario: 'linha2@exemplo.com.br',
    tipoUsuario: 'USER',
    situacao: 'ATIVO',
    idResponsavel: 1,
    acessoProntuario: false,
    encarregadoDados: false,
  })
  await app.as({ emailUsuario: 'linha2@exemplo.com.br', password: 'Senha da linha 2' })
  await app.as({ emailUsuario: 'linha4@exemplo.com.br', password: 'Senha da linha 4' })
  const audit = await app.db.selectFrom('auditoria').selectAll().where('acao', '=', 'user.imported').execute()
  expect(audit).toHaveLength(1)
  expect(audit[0]?.detalhes).toMatchObject({
    cadastrados: 3,
    usuarios: [{ nomeUsuario: 'Água' }, { nomeUsuario: 'Pessoa da linha 3' }, {}],
  })
  expect(JSON.stringify(audit)).not.toMatch(/senha|argon2/i)
  expect((await preview([row(2)])).body.linhas[0].erros).toEqual({
    emailUsuario: 'Já existe um usuário com este e-mail.',
  })
})

test('of two concurrent imports that share an e-mail, only one is written, and completely', async () => {
  const common = { emailUsuario: 'disputado@exemplo.com.br' }
  const answers = await Promise.all([
    importing([row(2), row(3, common)]),
    importing([row(4, { ...common, emailUsuario: 'DISPUTADO@exemplo.com.br' }), row(5), row(6)]),
  ])
  expect(answers.map(({ status }) => status).sort()).toEqual([201, 422])
  const refused = answers.find(({ status }) => status === 422)
  expect(refused?.body.codigo).toBe('importacao_com_falhas')
  expect(Object.values(refused?.body.campos ?? {})).toEqual(['Já existe um usuário com este e-mail.'])
  const written = answers.find(({ status }) => status === 201)
  expect(await countUsers()).toBe(1 + written?.body.cadastrados)
})

test('the import accepts 500 lines of any length and script, and refuses 501', async () => {
  const longest = (linha: number) =>
    row(linha, {
      nomeUsuario: `${linha}`.padEnd(120, '漢'),
      emailUsuario: `${String(linha).padStart(60, 'a')}@${`${'b'.repeat(60)}.`.repeat(3)}com.br`,
      // 200 characters of three bytes each, without repetition.
      senhaUsuario: String.fromCharCode(...Array.from({ length: 200 }, (_, at) => 0x4e00 + 7 * at)),
    })
  const lines = Array.from({ length: 500 }, (_, index) => longest(index + 2))
  expect(Buffer.byteLength(JSON.stringify({ linhas: lines }))).toBeGreaterThan(600_000)
  const { status, body } = await preview(lines)
  expect([status, body.validas, body.invalidas]).toEqual([200, 500, 0])
  for (const answer of [await preview([...lines, longest(900)]), await importing([...lines, longest(900)])]) {
    expect([answer.status, answer.body.campos]).toEqual([
      422,
      { linhas: 'Importe no máximo 500 usuários de uma vez.' },
    ])
  }
  const beyond = await preview([row(2, { lixo: 'x'.repeat(1024 * 1024) })])
  expect([beyond.status, beyond.body.codigo]).toEqual([413, 'corpo_grande_demais'])
  // Other calls keep the default limit.
  const elsewhere = await admin.post('/usuarios', { lixo: 'x'.repeat(300 * 1024) })
  expect(elsewhere.status).toBe(413)
})

// The long tests use 500 lines.
test('an import of 80 lines does not block other calls', async () => {
  await importWhileServing(app, 80)
}, 60_000)

test('the import refuses an empty file and one with wrong fields', async () => {
  for (const body of [{}, { linhas: [] }, { linhas: [{ linha: 2 }] }, { linhas: 'x' }]) {
    expect((await admin.post('/usuarios/importacao', body)).status).toBe(422)
  }
})

describe('with invitations', () => {
  const invite = (linhas: object[], what = '') =>
    admin.post(`/usuarios/importacao${what}`, { linhas, convidar: true })
  const profile = async (nomePerfil: string) =>
    (await app.db.insertInto('perfil').values({ nomePerfil }).returning('idPerfil').executeTakeFirstOrThrow())
      .idPerfil
  const person = (linha: number, fields = {}) => row(linha, { senhaUsuario: '', ...fields })

  test('300 people get an account without a password, a link, an e-mail, profiles and identity', async () => {
    const [board, health] = [await profile('Diretoria'), await profile('Saúde')]
    const linhas = Array.from({ length: 300 }, (_, index) =>
      person(index + 2, {
        emailUsuario: `pessoa${index}@exemplo.com.br`,
        ...(index === 0 ? { perfis: ' saúde | DIRETORIA|Saúde ', identidadeRls: 'PR' } : {}),
      }),
    )
    expect(await invite(linhas, '/previa')).toMatchObject({
      status: 200,
      body: { validas: 300, invalidas: 0 },
    })
    expect(await invite(linhas)).toMatchObject({ status: 201, body: { cadastrados: 300 } })
    const people = await app.db
      .selectFrom('usuario')
      .select(['idUsuario', 'senhaHash', 'identidadeRls', 'emailUsuario'])
      .where('emailUsuario', 'like', 'pessoa%')
      .orderBy('idUsuario')
      .execute()
    expect(people.filter(({ senhaHash }) => senhaHash === null)).toHaveLength(300)
    expect(people.map(({ identidadeRls }) => identidadeRls).filter(Boolean)).toEqual(['PR'])
    const links = await app.db.selectFrom('linkConta').select('tipo').execute()
    expect(links.map(({ tipo }) => tipo)).toEqual(Array(300).fill('convite'))
    const messages = await app.db.selectFrom('mensagem').select('conteudo').execute()
    const sent = messages.map(({ conteudo }) => JSON.parse(app.services.secrets.decrypt(conteudo)))
    expect(new Set(sent.map(({ para }) => para)).size).toBe(300)
    expect(sent[0].mail).toMatchObject({ modelo: 'convite', convidadoPor: 'Marina Alves', dias: 7 })
    expect(new Set(sent.map(({ mail }) => mail.link)).size).toBe(300)
    const members = await app.db
      .selectFrom('perfilUsuario')
      .select(['idPerfil', 'idUsuario'])
      .orderBy('idPerfil')
      .execute()
    expect(members).toEqual(
      [board, health].map((idPerfil) => ({ idPerfil, idUsuario: people[0]?.idUsuario })),
    )
    expect((await admin.get(`/usuarios/${people[0]?.idUsuario}`)).body.convitePendente).toBe(true)
    const [line] = await app.db
      .selectFrom('auditoria')
      .select('detalhes')
      .where('acao', '=', 'user.imported')
      .execute()
    expect(line?.detalhes).toMatchObject({ cadastrados: 300, convidados: true })
  })

  test('a password and an unknown profile are faults of their line, and no invitation is sent', async () => {
    await profile('Diretoria')
    const { status, body } = await invite([
      person(2, { senhaUsuario: 'Girassol de inverno 58' }),
      person(3, { perfis: 'Diretoria|Conselho' }),
      person(4),
    ])
    expect(status).toBe(422)
    expect(body.campos).toEqual({
      'linhas.2.senhaUsuario': 'Com convite, a pessoa escolhe a senha: deixe a coluna vazia.',
      'linhas.3.perfis': 'O perfil “Conselho” não existe.',
    })
    expect(await app.db.selectFrom('mensagem').select('idMensagem').execute()).toEqual([])
  })

  test('with invitations profiles and identity are imported with passwords, too', async () => {
    const idPerfil = await profile('Diretoria')
    const linhas = [row(2, { perfis: 'diretoria', identidadeRls: 'SC' })]
    expect((await importing(linhas)).status).toBe(201)
    const member = await app.db
      .selectFrom('perfilUsuario')
      .innerJoin('usuario', 'usuario.idUsuario', 'perfilUsuario.idUsuario')
      .select(['idPerfil', 'identidadeRls'])
      .executeTakeFirst()
    expect(member).toEqual({ idPerfil, identidadeRls: 'SC' })
    expect(await app.db.selectFrom('mensagem').select('idMensagem').execute()).toEqual([])
  })
})
