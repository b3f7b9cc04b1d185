import * as contract from '@bi-manager/contract'
import { sql } from 'kysely'
import { beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { createBeneficiary } from '../../../test/clinical/beneficiaries.ts'
import type { TestApp } from '../../../test/test-app.ts'
import { useTestApp } from '../../../test/use-test-app.ts'
import { createUser } from '../../../test/users.ts'
import { secretsOf } from '../../platform/config/secrets.ts'

/* No single call may return all patients. */

const many = 130
let officer: Awaited<ReturnType<TestApp['as']>>
let beneficiario: number
let prontuario: number
const app = useTestApp({}, { resets: false })
beforeAll(async () => {
  officer = await app.as(await createUser(app, { acessoProntuario: true, encarregadoDados: true }))
  beneficiario = (await createBeneficiary(app, { nome_beneficiario: 'Joana Prado' })).id
  // Rows that cannot be decrypted are listed too, with a placeholder.
  const encrypted = secretsOf(['uma chave que esta instalação não tem']).encrypt('{}')
  const numbers = sql`generate_series(1, ${sql.lit(many)}) n`
  await sql`insert into beneficiario (dados, marca_id, marca_nome, cadastrado_em, id_autor, autor, ultimo_registro)
    select ${encrypted}, 'i' || n, 'n' || n, now(), 1, 'A', current_date from ${numbers}`.execute(app.db)
  await sql`insert into prontuario (beneficiario, conteudo, data_prontuario, id_autor, autor, registrado_em)
    select ${beneficiario}, ${encrypted}, current_date, 1, 'A', now() from ${numbers}`.execute(app.db)
  const { rows } = await sql<{ id: number }>`select min(id) as id from prontuario`.execute(app.db)
  prontuario = rows[0]?.id ?? 0
  await sql`insert into prontuario_versao (prontuario, versao, conteudo, id_autor, autor, em)
    select ${prontuario}::int, n, ${encrypted}, 1, 'A', now() from ${numbers}`.execute(app.db)
  await sql`update prontuario set versao = ${many + 1} where id = ${prontuario}`.execute(app.db)
  await sql`insert into anexo (beneficiario, dados, tipo_anexo, tipo_usuario, data_anexo, id_autor, autor, enviado_em)
    select ${beneficiario}, ${encrypted}, 'IMG', 'USER', current_date, 1, 'A', now() from ${numbers}`.execute(
    app.db,
  )
})

const isEndpoint = (value: unknown): value is contract.Endpoint =>
  typeof value === 'object' && value !== null && 'url' in value && 'permission' in value
const clinical = Object.values(contract)
  .flatMap((group) => (typeof group === 'object' && group !== null ? Object.values(group) : []))
  .filter(isEndpoint)
  .filter(({ permission }) => ['records:access', 'data-protection:manage'].includes(String(permission)))

/** Returns whether a response is a list, or contains one at any depth. */
const holdsList = (schema: unknown): boolean => {
  if (schema instanceof z.ZodArray) return true
  if (schema instanceof z.ZodObject) return Object.values(schema.shape).some(holdsList)
  if (schema instanceof z.ZodUnion) return schema.options.some(holdsList)
  return schema instanceof z.ZodOptional || schema instanceof z.ZodNullable
    ? holdsList(schema.unwrap())
    : false
}
const withLists = clinical
  .filter(({ response }) => Object.values(response).some(holdsList))
  .map(({ method, url }) => `${method} ${url}`)

/** Responses with a list that need no paging, and why. */
const exceptions: Record<string, string> = {
  'POST /beneficiarios/busca': 'answers MAX_FOUND people',
  'POST /usuarios/relatorio/:id/beneficiarios': 'answers MAX_POINT_PEOPLE people',
  'POST /beneficiarios/importacao/previa': 'answers the lines that were sent',
  'GET /protecao-de-dados/beneficiarios/:id/exportacao': 'is the export of one person',
  'GET /protecao-de-dados/incidentes': 'belongs to no patient, and there are few',
}
const lists = withLists.filter((call) => !(call in exceptions)).map((call) => call.replace('GET ', ''))

test('every clinical response with a list is paged, with five exceptions', () => {
  expect(lists.sort()).toEqual([
    '/anexos',
    '/beneficiarios',
    '/prontuarios',
    '/prontuarios/:id/versoes',
    '/protecao-de-dados/beneficiarios/:id/acessos',
    '/protecao-de-dados/retencao',
  ])
  expect(Object.keys(exceptions).filter((call) => !withLists.includes(call))).toEqual([])
})

test('a search by name returns at most 50 people of the same name', async () => {
  await sql`update beneficiario set marca_nome = (select marca_nome from beneficiario where id = ${beneficiario})`.execute(
    app.db,
  )
  const { status, body } = await officer.post('/beneficiarios/busca', { texto: 'Joana Prado' })
  expect([status, body.length]).toEqual([200, contract.MAX_FOUND])
})

test.each(lists)('%s returns 100 rows without a page, and the address of the next', async (url) => {
  const path = url.replace(':id', String(url.startsWith('/prontuarios') ? prontuario : beneficiario))
  // Reading records adds rows to the person's access log.
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
