import { request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout } from 'node:timers/promises'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { attachmentDraft, tinyPng } from '../../test/attachments.ts'
import { createBeneficiary } from '../../test/beneficiaries.ts'
import { incidentDraft } from '../../test/incidents.ts'
import { contentDraft, createRecord, recordDraft } from '../../test/medical-records.ts'
import { formOf, multipartOf } from '../../test/multipart.ts'
import { startTestApp, type TestApp } from '../../test/test-app.ts'
import { createUser } from '../../test/users.ts'

/* A body may be minutes on its way. Who loses the right meanwhile writes nothing, and learns nothing. */

let app: TestApp
let officer: Awaited<ReturnType<typeof createUser>>
let session: Awaited<ReturnType<TestApp['as']>>
beforeAll(async () => {
  app = await startTestApp({ RATE_LIMIT_PER_MINUTE: '100000' })
  await app.app.listen({ port: 0, host: '127.0.0.1' })
})
beforeEach(async () => {
  await app.reset()
  officer = await createUser(app, { acessoProntuario: true, encarregadoDados: true })
  session = await app.as(officer)
  const { id: beneficiario } = await createBeneficiary(app, { id_beneficiario: 'A1' })
  await createRecord(app, officer, { beneficiario })
})
afterAll(() => app.close())

const json = (body: object) => ({ type: 'application/json', bytes: Buffer.from(JSON.stringify(body)) })

const calls: [string, string, () => Promise<{ type: string; bytes: Buffer }>][] = [
  ['POST', '/prontuarios', async () => json(recordDraft())],
  ['PUT', '/prontuarios/1', async () => json(contentDraft({ descricao_hd: 'Outra' }))],
  ['POST', '/beneficiarios', async () => json({ nome_beneficiario: 'Nova', id_beneficiario: '77' })],
  ['PUT', '/beneficiarios/1', async () => json({ plano: 'Pleno' })],
  ['POST', '/beneficiarios/busca', async () => json({ texto: 'A1' })],
  [
    'POST',
    '/beneficiarios/importacao',
    async () => json({ linhas: [{ linha: 2, nome_beneficiario: 'Nova', id_beneficiario: '77' }] }),
  ],
  ['POST', '/protecao-de-dados/incidentes', async () => json(incidentDraft())],
  [
    'POST',
    '/anexos',
    async () => multipartOf(formOf(attachmentDraft, { bytes: await tinyPng, name: 'a.png' })),
  ],
]

const rows = async () => {
  const counts: Record<string, number> = {}
  for (const table of [
    'beneficiario',
    'beneficiarioVersao',
    'prontuario',
    'prontuarioVersao',
    'anexo',
    'incidente',
    'acessoSaude',
  ] as const) {
    counts[table] = (await app.db.selectFrom(table).selectAll().execute()).length
  }
  return counts
}

/** Long ago, so that the guard notes the use when it lets the call in. */
const EARLIER = 10 * 60_000
const isLetIn = async (): Promise<boolean> => {
  const { ultimoUso } = await app.db.selectFrom('sessao').select('ultimoUso').executeTakeFirstOrThrow()
  return Date.now() - ultimoUso.getTime() < EARLIER / 2
}

const sendWith = async (
  meanwhile: () => Promise<unknown>,
  [method, path, bodyOf]: (typeof calls)[number],
) => {
  const { type, bytes } = await bodyOf()
  await app.db
    .updateTable('sessao')
    .set({ ultimoUso: new Date(Date.now() - EARLIER) })
    .execute()
  const { port } = app.app.server.address() as AddressInfo
  const headers = {
    authorization: `Bearer ${session.token}`,
    'content-type': type,
    'content-length': bytes.length,
  }
  const sent = request({ port, host: '127.0.0.1', method, path: `/api${path}`, headers, agent: false })
  const answered = new Promise<{ status: number | undefined; codigo: string }>((resolve, reject) => {
    sent.once('error', reject)
    sent.once('response', async (response) => {
      const text = Buffer.concat(await response.toArray()).toString()
      resolve({ status: response.statusCode, codigo: JSON.parse(text).codigo })
    })
  })
  sent.write(bytes.subarray(0, bytes.length / 2))
  while (!(await isLetIn())) await setTimeout(10)
  await meanwhile()
  sent.end(bytes.subarray(bytes.length / 2))
  return answered
}

describe.each(calls)('%s %s', (...call) => {
  test('the flag taken while the body comes: 403, and nothing is written', async () => {
    const before = await rows()
    const flags = { acessoProntuario: false }
    const take = () =>
      app.db.updateTable('usuario').set(flags).where('idUsuario', '=', officer.idUsuario).execute()
    expect(await sendWith(take, call)).toEqual({ status: 403, codigo: 'sem_permissao' })
    expect(await rows()).toEqual(before)
    const refused = app.db.selectFrom('auditoria').select('objeto').where('acao', '=', 'access.refused')
    expect(await refused.execute()).toHaveLength(1)
  })

  test('the session ended while the body comes: 401, and nothing is written', async () => {
    const before = await rows()
    const end = () => app.db.updateTable('sessao').set({ encerradaEm: new Date() }).execute()
    expect(await sendWith(end, call)).toEqual({ status: 401, codigo: 'sessao_encerrada' })
    expect(await rows()).toEqual(before)
  })
})
