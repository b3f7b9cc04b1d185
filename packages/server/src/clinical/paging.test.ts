import * as contract from '@bi-manager/contract'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { createBeneficiary } from '../../test/beneficiaries.ts'
import { startTestApp, type TestApp } from '../../test/test-app.ts'
import { createUser } from '../../test/users.ts'
import { secretsOf } from '../secrets.ts'

/* No single call takes all of a house's patients along. */

const many = 130
let app: TestApp
let officer: Awaited<ReturnType<TestApp['as']>>
let beneficiario: number
beforeAll(async () => {
  app = await startTestApp()
  officer = await app.as(await createUser(app, { acessoProntuario: true, encarregadoDados: true }))
  beneficiario = (await createBeneficiary(app)).id
  // What does not open is listed too, in words of its own.
  const sealed = secretsOf(['uma chave que esta instalação não tem']).seal('{}')
  const numbers = sql`generate_series(1, ${sql.lit(many)}) n`
  await sql`insert into beneficiario (dados, marca_id, marca_nome, cadastrado_em, id_autor, autor, ultimo_registro)
    select ${sealed}, 'i' || n, 'n' || n, now(), 1, 'A', current_date from ${numbers}`.execute(app.db)
  await sql`insert into prontuario (beneficiario, conteudo, data_prontuario, id_autor, autor, registrado_em)
    select ${beneficiario}, ${sealed}, current_date, 1, 'A', now() from ${numbers}`.execute(app.db)
  await sql`insert into anexo (beneficiario, dados, tipo_anexo, tipo_usuario, data_anexo, id_autor, autor, enviado_em)
    select ${beneficiario}, ${sealed}, 'IMG', 'USER', current_date, 1, 'A', now() from ${numbers}`.execute(
    app.db,
  )
})
afterAll(() => app.close())

const isEndpoint = (value: unknown): value is contract.Endpoint =>
  typeof value === 'object' && value !== null && 'url' in value && 'permission' in value
/** The incidents of a house are few, and of no patient. */
const withoutPatients = ['/protecao-de-dados/incidentes']
const lists = Object.values(contract)
  .flatMap((group) => (typeof group === 'object' && group !== null ? Object.values(group) : []))
  .filter(isEndpoint)
  .filter(({ permission }) => ['records:access', 'data-protection:manage'].includes(String(permission)))
  .filter(
    ({ query, url }) =>
      query instanceof z.ZodObject && 'pagina' in query.shape && !withoutPatients.includes(url),
  )
  .map(({ url }) => url)

test('there are five lists of health data', () => {
  expect(lists.sort()).toEqual([
    '/anexos',
    '/beneficiarios',
    '/prontuarios',
    '/protecao-de-dados/beneficiarios/:id/acessos',
    '/protecao-de-dados/retencao',
  ])
})

test.each(lists)('%s answers the first hundred without a page, and where the others are', async (url) => {
  const path = url.replace(':id', String(beneficiario))
  // The access log of one person grows with each reading of their records.
  if (url.endsWith('/acessos')) await officer.get('/prontuarios?pagina=1&tamanho=100')
  if (url.endsWith('/acessos')) await officer.get('/prontuarios?pagina=2&tamanho=100')
  const { status, body, headers } = await officer.get(path)
  expect([status, body.length]).toEqual([200, 100])
  expect(Number(headers['x-total-count'])).toBeGreaterThanOrEqual(many)
  expect(headers.link).toBe(`</api${path}?pagina=2&tamanho=100>; rel="next"`)
  const next = await officer.get(`${path}?pagina=2&tamanho=100`)
  expect(next.body.length).toBeGreaterThanOrEqual(many - 100)
  expect((await officer.get(`${path}?tamanho=7`)).body).toHaveLength(7)
})
