import { sql } from 'kysely'
import { beforeEach, expect, test } from 'vitest'
import { createBeneficiary } from '../../../test/clinical/beneficiaries.ts'
import { createEntity } from '../../../test/clinical/medical-records.ts'
import type { TestApp } from '../../../test/test-app.ts'
import { useTestApp } from '../../../test/use-test-app.ts'
import { createUser } from '../../../test/users.ts'
import { numbersIn } from '../../clinical/health-data/access-rows.ts'
import { secretsOf } from '../../platform/config/secrets.ts'
import { rotateIn } from '../keys/rotate-secrets.ts'
import type { Finding } from './finding.ts'
import { verifyAccesses } from './verify-accesses.ts'

/* The access log is append-only: the verification must find and name altered, deleted and
   inserted rows. */

const key = 'a chave desta instalação de teste, a antiga'
const newer = 'a chave que veio depois, nesta instalação'

let clinician: Awaited<ReturnType<TestApp['as']>>
const app = useTestApp({ APP_SECRET: key })
beforeEach(async () => {
  const user = await createUser(app, { acessoProntuario: true })
  clinician = await app.as(user)
  const { id: beneficiario } = await createBeneficiary(app)
  for (let n = 0; n < 3; n += 1) await createEntity(app, user, { beneficiario })
  // Three rows of one call, then one with a text.
  await clinician.get('/prontuarios')
  await clinician.get('/prontuarios/1', { 'x-finalidade': encodeURIComponent('Outro: pedido da titular') })
})

const found = async (secrets = app.services.secrets) => {
  const findings: Finding[] = []
  const total = await verifyAccesses(app.db, secrets, (finding) => findings.push(finding))
  return { total, findings: findings.map(({ idAcesso, what }) => [idAcesso, what]) }
}

test('an untouched access log has no findings, also after a key rotation', async () => {
  expect(await found()).toEqual({ total: 4, findings: [] })
  const { dataDir, databaseUrl } = app
  await rotateIn(app.db, { appSecret: [newer, key], dataDir, databaseUrl }, {}, () => {})
  expect(await found(secretsOf([newer, key]))).toEqual({ total: 4, findings: [] })
})

test.each([
  ['the user', sql`id_usuario = 99`],
  ['the beneficiary', sql`beneficiario = null`],
  ['the time', sql`quando = quando - interval '1 day'`],
  ['the action', sql`acao = 'impresso'`],
  ['the purpose', sql`finalidade = 'atendimento'`],
  ["the purpose's text", sql`finalidade_texto = null`],
  ["the row's id", sql`id_acesso = 77`],
])('an altered row is found: %s', async (_, change) => {
  await sql`update acesso_saude set ${change} where id_acesso = 4`.execute(app.db)
  const { findings } = await found()
  expect(findings[0]).toEqual([
    expect.toSatisfy((id) => id === 4 || id === 77),
    expect.stringContaining('incluído ou alterado'),
  ])
})

test("a purpose's text from another installation is found", async () => {
  const other = secretsOf([newer]).encrypt('x')
  await sql`update acesso_saude set finalidade_texto = ${other} where id_acesso = 4`.execute(app.db)
  expect((await found()).findings).toEqual([
    [4, expect.stringContaining('o texto da finalidade foi alterado')],
  ])
})

test('each deleted row is found, with the audit line of its call', async () => {
  await sql`delete from acesso_saude where id_acesso in (2, 4)`.execute(app.db)
  const { total, findings } = await found()
  expect(total).toBe(2)
  expect(findings).toEqual([
    [2, expect.stringMatching(/^acesso apagado: a chamada dele está na auditoria \(registro \d+\)$/)],
    [4, expect.stringContaining('acesso apagado')],
  ])
})

test('an inserted copy of a row is found', async () => {
  await sql`insert into acesso_saude (quando, id_usuario, nome_usuario, acao, objeto, id_objeto, finalidade, chave, marca)
    select quando, id_usuario, nome_usuario, acao, objeto, id_objeto, finalidade, chave, marca
    from acesso_saude where id_acesso = 1`.execute(app.db)
  const { total, findings } = await found()
  expect(total).toBe(5)
  expect(findings).toEqual([[5, 'acesso incluído ou alterado: a marca dele não confere']])
})

test('a missing key is named by each row that needs it', async () => {
  const { findings } = await found(secretsOf([newer]))
  expect(findings).toHaveLength(4)
  for (const [, what] of findings) expect(what).toContain('marcado com uma chave que falta (')
})

test('numbersIn parses ranges', () => {
  expect(numbersIn('3')).toEqual([3])
  expect(numbersIn('1-3,7,9-10')).toEqual([1, 2, 3, 7, 9, 10])
})
