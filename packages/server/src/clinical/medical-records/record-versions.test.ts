import { beforeEach, expect, test } from 'vitest'
import { contentDraft, recordDraft } from '../../../test/clinical/medical-records.ts'
import type { TestApp } from '../../../test/test-app.ts'
import { useTestApp } from '../../../test/use-test-app.ts'
import { createUser } from '../../../test/users.ts'

let ana: Awaited<ReturnType<TestApp['as']>>
let beto: Awaited<ReturnType<TestApp['as']>>
let anaUser: Awaited<ReturnType<typeof createUser>>
let betoUser: Awaited<ReturnType<typeof createUser>>
const app = useTestApp({ RATE_LIMIT_PER_MINUTE: '100000' })
beforeEach(async () => {
  anaUser = await createUser(app, { nomeUsuario: 'Ana Médica', acessoProntuario: true })
  betoUser = await createUser(app, {
    nomeUsuario: 'Beto',
    acessoProntuario: true,
    conselhoProfissional: 'COREN',
    numeroRegistro: '123456',
    ufRegistro: 'PR',
  })
  ana = await app.as(anaUser)
})

/** Moves the clock to this instant, and signs Ana and Beto in. */
const goTo = async (instant: string) => {
  app.clock.offsetMs = new Date(instant).getTime() - Date.now()
  ana = await app.as(anaUser)
  beto = await app.as(betoUser)
}

const accesses = () =>
  app.db
    .selectFrom('acessoSaude')
    .select(['acao', 'objeto', 'idObjeto', 'beneficiario', 'finalidade', 'nomeUsuario'])
    .orderBy('idAcesso')
    .execute()

const audited = async (action: string) =>
  (
    await app.db
      .selectFrom('auditoria')
      .select(['objeto', 'detalhes'])
      .where('acao', '=', action)
      .orderBy('idAuditoria')
      .execute()
  ).map(({ objeto, detalhes }) => ({ objeto, detalhes }))

test('an edit keeps the earlier version with its author and time', async () => {
  await goTo('2031-03-10T02:30:00Z')
  const made = (await ana.post('/prontuarios', recordDraft({ descricao_hd: 'Primeiro texto' }))).body
  expect(made.data_prontuario).toBe('09/03/2031')
  await goTo('2031-03-11T15:00:00Z')
  // The answer of a GET, with nulls and read-only fields.
  const changed = await beto.put(
    `/prontuarios/${made.id}`,
    {
      ...made,
      descricao_hd: 'Segundo texto',
      versao: 99,
      registrado_por: 'Outro',
      data_prontuario: '01/01/2000',
    },
    { 'if-match': '"1"' },
  )
  expect([changed.status, changed.headers.etag]).toEqual([200, '"2"'])
  expect(changed.body).toEqual({
    ...made,
    descricao_hd: 'Segundo texto',
    alterado_por: 'Beto',
    idAlteradoPor: betoUser.idUsuario,
    registroAlteradoPor: 'COREN 123456/PR',
    alterado_em: expect.stringMatching(/^2031-03-11T15:00:/),
    versao: 2,
  })
  await goTo('2031-03-12T15:00:00Z')
  await ana.put(`/prontuarios/${made.id}`, { ...changed.body, risco_custo: 'Risco de erro médico' })
  const { status, body } = await ana.get(`/prontuarios/${made.id}/versoes`)
  expect(status).toBe(200)
  const content = contentDraft()
  expect(body).toEqual([
    {
      ...content,
      risco_custo: 'Risco de erro médico',
      descricao_hd: 'Segundo texto',
      versao: 3,
      autor: 'Ana Médica',
      idAutor: anaUser.idUsuario,
      registroAutor: null,
      em: expect.stringMatching(/^2031-03-12T15:00:/),
    },
    {
      ...content,
      descricao_hd: 'Segundo texto',
      versao: 2,
      autor: 'Beto',
      idAutor: betoUser.idUsuario,
      registroAutor: 'COREN 123456/PR',
      em: changed.body.alterado_em,
    },
    {
      ...content,
      descricao_hd: 'Primeiro texto',
      versao: 1,
      autor: 'Ana Médica',
      idAutor: anaUser.idUsuario,
      registroAutor: null,
      em: expect.stringMatching(/^2031-03-10T02:30:/),
    },
  ])
  expect((await audited('record.updated')).map(({ detalhes }) => detalhes)).toEqual([
    {
      finalidade: 'nao_informada',
      prontuario: [made.id],
      beneficiario: [made.beneficiario],
      versao: 2,
      campos: ['descricao_hd'],
      acessos: expect.anything(),
    },
    {
      finalidade: 'nao_informada',
      prontuario: [made.id],
      beneficiario: [made.beneficiario],
      versao: 3,
      campos: ['risco_custo'],
      acessos: expect.anything(),
    },
  ])
  const { ultimoRegistro } = await app.db
    .selectFrom('beneficiario')
    .select('ultimoRegistro')
    .executeTakeFirstOrThrow()
  expect(ultimoRegistro).toBe('2031-03-12')
})

test('an edit without changes creates no version', async () => {
  const { body } = await ana.post('/prontuarios', recordDraft())
  const again = await ana.put(`/prontuarios/${body.id}`, body, { 'if-match': '"1"' })
  expect([again.status, again.body]).toEqual([200, body])
  expect((await ana.get(`/prontuarios/${body.id}/versoes`)).body).toHaveLength(1)
  expect((await accesses()).slice(2)).toMatchObject([{ acao: 'lido' }, { acao: 'lido' }])
})

test('an edit of an older version gets 412 with author, fields and time of the other change', async () => {
  await goTo('2031-03-10T12:00:00Z')
  const { id } = (await ana.post('/prontuarios', recordDraft())).body
  await beto.put(
    `/prontuarios/${id}`,
    contentDraft({ descricao_hd: 'De Beto', prescricao_beneficiario: 'Dele' }),
  )
  const late = await ana.put(`/prontuarios/${id}`, contentDraft({ descricao_hd: 'De Ana' }), {
    'if-match': '"1"',
  })
  expect([late.status, late.body.codigo, late.body.detail]).toEqual([
    412,
    'versao_antiga',
    'Beto alterou Descrição HD e Prescrição em 10/03/2031 às 09:00, depois que você abriu este cadastro.',
  ])
  expect((await ana.get(`/prontuarios/${id}`)).body).toMatchObject({ descricao_hd: 'De Beto', versao: 2 })
  expect((await ana.put(`/prontuarios/${id}`, contentDraft(), { 'if-match': 'abc' })).status).toBe(400)
})

test('of two concurrent edits of one version, one gets 412 and no text is lost', async () => {
  const { id } = (await ana.post('/prontuarios', recordDraft({ descricao_hd: 'Antes' }))).body
  const save = (descricao_hd: string) =>
    ana.put(`/prontuarios/${id}`, contentDraft({ descricao_hd }), { 'if-match': '"1"' })
  const answers = await Promise.all([save('De um'), save('Do outro')])
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 412])
  const saved = answers.find(({ status }) => status === 200)?.body.descricao_hd
  const versions = (await ana.get(`/prontuarios/${id}/versoes`)).body
  expect(versions.map((version: { descricao_hd: string }) => version.descricao_hd)).toEqual([saved, 'Antes'])
})

test('10 concurrent edits without If-Match create a version each', async () => {
  const { id } = (await ana.post('/prontuarios', recordDraft({ descricao_hd: 'Texto 0' }))).body
  const texts = Array.from({ length: 10 }, (_, n) => `Texto ${n + 1}`)
  const answers = await Promise.all(
    texts.map((descricao_hd) => ana.put(`/prontuarios/${id}`, contentDraft({ descricao_hd }))),
  )
  expect(answers.map(({ status }) => status)).toEqual(Array(10).fill(200))
  const versions: { versao: number; descricao_hd: string }[] = (await ana.get(`/prontuarios/${id}/versoes`))
    .body
  expect(versions.map(({ versao }) => versao)).toEqual([11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1])
  expect(versions.map(({ descricao_hd }) => descricao_hd).sort()).toEqual(['Texto 0', ...texts].sort())
})

test('the beneficiary of a record cannot change', async () => {
  const { body } = await ana.post('/prontuarios', recordDraft())
  const { status, body: refused } = await ana.put(`/prontuarios/${body.id}`, {
    ...body,
    id_beneficiario: 'outro',
  })
  expect([status, refused.campos]).toEqual([
    422,
    { id_beneficiario: 'O beneficiário de um prontuário não muda. Arquive este e registre outro.' },
  ])
})
