import { beforeEach, describe, expect, test } from 'vitest'
import type { TestApp } from '../../../test/test-app.ts'
import { useTestApp } from '../../../test/use-test-app.ts'
import { createUser, emptyFields } from '../../../test/users.ts'

let admin: Awaited<ReturnType<TestApp['as']>>
let marina: Awaited<ReturnType<typeof createUser>>
const app = useTestApp()
beforeEach(async () => {
  marina = await createUser(app, {
    tipoUsuario: 'ADMIN',
    nomeUsuario: 'Marina Alves',
    emailUsuario: 'marina@exemplo.com.br',
  })
  admin = await app.as(marina)
})

describe('GET /usuarios', () => {
  const namesOf = (body: { nomeUsuario: string }[]) => body.map(({ nomeUsuario }) => nomeUsuario)
  beforeEach(async () => {
    const { idUsuario } = await createUser(app, { nomeUsuario: 'Água', emailUsuario: 'z@exemplo.com.br' })
    await app.db
      .updateTable('acessoUsuario')
      .set({ ultimoAcesso: new Date('2026-01-02T12:00:00Z') })
      .where('idUsuario', '=', idUsuario)
      .execute()
    await createUser(app, { nomeUsuario: 'abacaxi', emailUsuario: 'B@exemplo.com.br', situacao: 'PENDENTE' })
    await createUser(app, {
      nomeUsuario: 'Éden 100%',
      emailUsuario: 'a@exemplo.com.br',
      situacao: 'BLOQUEADO',
      tipoUsuario: 'ADMIN',
    })
  })

  test('GET /usuarios without a page returns all users, in Brazilian order, without passwords', async () => {
    const { status, body, headers } = await admin.get('/usuarios')
    expect([status, headers['x-total-count'], headers.link]).toEqual([200, '4', undefined])
    expect(namesOf(body)).toEqual(['abacaxi', 'Água', 'Éden 100%', 'Marina Alves'])
    expect(body[1]).toEqual({
      ...emptyFields,
      idUsuario: expect.any(Number),
      nomeUsuario: 'Água',
      emailUsuario: 'z@exemplo.com.br',
      tipoUsuario: 'USER',
      idResponsavel: 1,
      situacao: 'ATIVO',
      emailComprovado: true,
      acessoProntuario: false,
      encarregadoDados: false,
      ultimoAcesso: '2026-01-02T12:00:00.000Z',
      segundoFator: false,
      convitePendente: false,
      versao: 1,
    })
    expect(JSON.stringify(body)).not.toMatch(/senha|hash|argon2/i)
  })

  test.each([
    ['nomeUsuario', ['abacaxi', 'Água', 'Éden 100%', 'Marina Alves']],
    ['-nomeUsuario', ['Marina Alves', 'Éden 100%', 'Água', 'abacaxi']],
    ['emailUsuario', ['Éden 100%', 'abacaxi', 'Marina Alves', 'Água']],
    ['tipoUsuario', ['Éden 100%', 'Marina Alves', 'abacaxi', 'Água']],
    ['-situacao', ['abacaxi', 'Éden 100%', 'Marina Alves', 'Água']],
    // Users who never signed in sort before any date; Marina has just signed in.
    ['ultimoAcesso', ['abacaxi', 'Éden 100%', 'Água', 'Marina Alves']],
    ['-ultimoAcesso', ['Marina Alves', 'Água', 'Éden 100%', 'abacaxi']],
  ])('GET /usuarios sorts by %s', async (ordem, names) => {
    expect(namesOf((await admin.get(`/usuarios?ordem=${ordem}`)).body)).toEqual(names)
  })

  test.each([
    ['busca=AGUA', ['Água']],
    ['busca=0%25', ['Éden 100%']],
    ['busca=ninguem', []],
    ['busca=alves%20MARINA', ['Marina Alves']],
    ['busca=z%40exemplo', ['Água']],
    ['busca=exemplo%20eden', ['Éden 100%']],
    ['situacao=PENDENTE', ['abacaxi']],
    ['tipoUsuario=ADMIN', ['Éden 100%', 'Marina Alves']],
    ['tipoUsuario=ADMIN&situacao=ATIVO&busca=mar', ['Marina Alves']],
  ])('the list filters by %s, in the total too', async (query, names) => {
    const { body, headers } = await admin.get(`/usuarios?${query}&pagina=1`)
    expect([namesOf(body), headers['x-total-count']]).toEqual([names, String(names.length)])
  })

  test('GET /usuarios returns pages whose next link keeps the filters', async () => {
    const { body, headers } = await admin.get('/usuarios?situacao=ATIVO&pagina=1&tamanho=1')
    expect([namesOf(body), headers['x-total-count']]).toEqual([['Água'], '2'])
    expect(headers.link).toBe('</api/usuarios?situacao=ATIVO&pagina=2&tamanho=1>; rel="next"')
    const beyond = await admin.get('/usuarios?pagina=9')
    expect([beyond.body, beyond.headers['x-total-count']]).toEqual([[], '4'])
  })

  test.each(['situacao=NENHUMA', 'tipoUsuario=CHEFE', 'ordem=senhaHash', 'pagina=0', 'tamanho=101'])(
    'GET /usuarios refuses %s with 422',
    async (query) => {
      expect((await admin.get(`/usuarios?${query}`)).status).toBe(422)
    },
  )

  test('GET /usuarios exports a CSV without formulas and passwords, and audits the export', async () => {
    await createUser(app, { nomeUsuario: '=SOMA(1;2)', emailUsuario: 'soma@exemplo.com.br' })
    const { status, headers, body } = await admin.get('/usuarios.csv?situacao=ATIVO&ordem=nomeUsuario')
    expect([status, headers['content-type']]).toEqual([200, 'text/csv; charset=utf-8'])
    expect(headers['content-disposition']).toBe('attachment; filename="usuarios.csv"')
    const lines = String(body).split('\r\n')
    expect(lines[0]).toBe(
      '\uFEFFNome do usuário;E-mail;Perfil;Situação;E-mail confirmado;Acesso a prontuários;Encarregado de dados (LGPD);Identidade de segurança;Conta válida até;Último acesso;Conselho profissional;Número do registro;UF do registro',
    )
    expect(lines[1]).toBe('"\'=SOMA(1;2)";soma@exemplo.com.br;USER;ATIVO;sim;não;não;;;;;;')
    expect(lines[2]).toBe('Água;z@exemplo.com.br;USER;ATIVO;sim;não;não;;;02/01/2026 09:00:00;;;')
    expect(lines).toHaveLength(5)
    expect(body).not.toContain('argon2')
    const audit = await app.db
      .selectFrom('auditoria')
      .selectAll()
      .where('acao', '=', 'list.exported')
      .execute()
    expect(audit).toMatchObject([
      { objeto: 'usuarios', idUsuario: marina.idUsuario, detalhes: { linhas: 3, situacao: 'ATIVO' } },
    ])
  })
})
