import { beforeEach, expect, test } from 'vitest'
import { createBeneficiary } from '../../../test/clinical/beneficiaries.ts'
import type { TestApp } from '../../../test/test-app.ts'
import { useTestApp } from '../../../test/use-test-app.ts'
import { createUser } from '../../../test/users.ts'

let clinician: Awaited<ReturnType<TestApp['as']>>
const app = useTestApp()
beforeEach(async () => {
  clinician = await app.as(await createUser(app, { acessoProntuario: true }))
})

const row = (linha: number, fields = {}) => ({
  linha,
  nome_beneficiario: `Fulana da linha ${linha}`,
  id_beneficiario: `EX-${linha}`,
  ...fields,
})
const preview = (linhas: object[]) => clinician.post('/beneficiarios/importacao/previa', { linhas })
const importing = (linhas: object[]) => clinician.post('/beneficiarios/importacao', { linhas })
const count = async () => (await app.db.selectFrom('beneficiario').select('id').execute()).length
const accesses = () =>
  app.db.selectFrom('acessoSaude').select(['acao', 'idObjeto']).orderBy('idAcesso').execute()
const trail = () =>
  app.db
    .selectFrom('auditoria')
    .select(['acao', 'objeto', 'detalhes'])
    .where('acao', 'like', 'beneficiary.%')
    .orderBy('idAuditoria')
    .execute()

/** The audit lines as text, without the accesses' digest, in which any letters may occur. */
const trailText = async () =>
  JSON.stringify(await trail(), (key, value) => (key === 'resumo' ? undefined : value))

const faulty = [
  row(2, { nome_beneficiario: '  ', id_beneficiario: '', data_nascimento: '1980-02-01', sexo: 'mulher' }),
  row(3, { id_beneficiario: 'repetido' }),
  row(4, { id_beneficiario: ' repetido ' }),
  row(5, { id_beneficiario: 'conhecido' }),
  row(6, { data_nascimento: '01/01/2199', plano: 'a'.repeat(121) }),
  row(7, { sexo: 'FEMININO', data_nascimento: ' 01/02/1980 ' }),
]
const faults: Record<number, Record<string, string>> = {
  2: {
    nome_beneficiario: 'Campo obrigatório',
    id_beneficiario: 'Campo obrigatório',
    data_nascimento: 'Informe uma data válida (dd/mm/aaaa).',
    sexo: 'Informe Feminino, Masculino ou Outro (ou F, M, O).',
  },
  3: {},
  4: { id_beneficiario: 'O mesmo ID está na linha 3.' },
  5: { id_beneficiario: 'Já existe um beneficiário com este ID.' },
  6: {
    data_nascimento: 'A data de nascimento não pode ser depois de hoje.',
    plano: 'Use no máximo 120 caracteres.',
  },
  7: {},
}

test('the preview reports every error of every line, writes nothing, and logs accesses to known plan ids', async () => {
  const known = await createBeneficiary(app, { id_beneficiario: 'conhecido' })
  const { status, body } = await preview(faulty)
  expect([status, body.validas, body.invalidas]).toEqual([200, 2, 4])
  const found = body.linhas.map(({ linha, erros }: { linha: number; erros: object }) => [linha, erros])
  expect(Object.fromEntries(found)).toEqual(faults)
  expect(body.linhas[1]).toEqual({
    linha: 3,
    nome_beneficiario: 'Fulana da linha 3',
    id_beneficiario: 'repetido',
    erros: {},
  })
  expect(await count()).toBe(1)
  expect(await accesses()).toEqual([{ acao: 'buscado', idObjeto: known.id }])
  expect(await trail()).toMatchObject([{ acao: 'beneficiary.read', detalhes: { encontrados: 1 } }])
})

test('a file with any error is refused with the same errors, and nothing is written', async () => {
  const known = await createBeneficiary(app, { id_beneficiario: 'conhecido' })
  const { status, body } = await importing(faulty)
  expect([status, body.codigo]).toEqual([422, 'importacao_com_falhas'])
  const expected = Object.entries(faults).flatMap(([linha, erros]) =>
    Object.entries(erros).map(([field, message]) => [`linhas.${linha}.${field}`, message]),
  )
  expect(body.campos).toEqual(Object.fromEntries(expected))
  expect(await count()).toBe(1)
  expect(await accesses()).toEqual([{ acao: 'buscado', idObjeto: known.id }])
})

test('a valid file is written completely, with an access for each row and one audit line', async () => {
  const { status, body } = await importing([
    row(2, { nome_beneficiario: ' Íris Exemplo ', sexo: 'f', data_nascimento: '29/02/1980', plano: 'Pleno' }),
    row(3, { sexo: 'Masculino', operadora: 'CNU' }),
    row(4, { sexo: '', data_nascimento: '', plano: '', operadora: '' }),
  ])
  expect([status, body]).toEqual([201, { cadastrados: 3 }])
  const { body: found } = await clinician.post('/beneficiarios/busca', { texto: 'iris exemplo' })
  expect(found).toMatchObject([
    { id_beneficiario: 'EX-2', sexo: 'feminino', data_nascimento: '29/02/1980', plano: 'Pleno', versao: 1 },
  ])
  const { body: all } = await clinician.get('/beneficiarios')
  expect(all).toMatchObject([
    { id_beneficiario: 'EX-4', sexo: null, data_nascimento: null, plano: null, operadora: null },
    { id_beneficiario: 'EX-3', sexo: 'masculino', operadora: 'CNU' },
    { id_beneficiario: 'EX-2' },
  ])
  const written = (await accesses()).filter(({ acao }) => acao === 'registrado')
  expect(written.map(({ idObjeto }) => idObjeto).sort()).toEqual(
    all.map(({ id }: { id: number }) => id).sort(),
  )
  const [line] = await trail()
  expect(line).toMatchObject({
    acao: 'beneficiary.imported',
    objeto: 'beneficiarios',
    detalhes: { cadastrados: 3 },
  })
  expect(await trailText()).not.toMatch(/EX-|exemplo|fulana/i)
})

test('of two concurrent imports that share a plan id, only one is written, and completely', async () => {
  const common = { id_beneficiario: 'disputado' }
  const answers = await Promise.all([
    importing([row(2), row(3, common)]),
    importing([row(4, common), row(5), row(6)]),
  ])
  expect(answers.map(({ status }) => status).sort()).toEqual([201, 422])
  const refused = answers.find(({ status }) => status === 422)
  expect(Object.values(refused?.body.campos ?? {})).toEqual(['Já existe um beneficiário com este ID.'])
  expect(await count()).toBe(answers.find(({ status }) => status === 201)?.body.cadastrados)
  // The refused caller learnt that the plan id is registered, so the access is logged.
  const { body: found } = await clinician.post('/beneficiarios/busca', { texto: common.id_beneficiario })
  const lookUps = (await accesses()).filter(({ acao }) => acao === 'buscado')
  expect(lookUps).toEqual(Array(2).fill({ acao: 'buscado', idObjeto: found[0].id }))
})

test('the beneficiary import accepts and writes 1,000 lines of the longest texts at once, and refuses 1,001', async () => {
  const longest = (linha: number) =>
    row(linha, {
      nome_beneficiario: `${'€'.repeat(115)}${linha}`,
      id_beneficiario: `${'€'.repeat(55)}${linha}`,
      data_nascimento: '01/02/1980',
      sexo: 'Feminino',
      plano: '€'.repeat(120),
      operadora: '€'.repeat(120),
    })
  const lines = Array.from({ length: 1_000 }, (_, index) => longest(index + 2))
  expect(Buffer.byteLength(JSON.stringify({ linhas: lines }))).toBeGreaterThan(1_200_000)
  const began = performance.now()
  expect((await preview(lines)).body).toMatchObject({ validas: 1_000, invalidas: 0 })
  expect((await importing(lines)).body).toEqual({ cadastrados: 1_000 })
  // One query per line would take several times as long.
  expect(performance.now() - began).toBeLessThan(5_000)
  expect((await preview(lines)).body).toMatchObject({ validas: 0, invalidas: 1_000 })
  for (const answer of [
    await preview([...lines, longest(2_000)]),
    await importing([...lines, longest(2_000)]),
  ]) {
    expect([answer.status, answer.body.campos]).toEqual([
      422,
      { linhas: 'Importe no máximo 1.000 beneficiários de uma vez.' },
    ])
  }
}, 60_000)

test('the beneficiary import refuses an empty file and one with wrong fields', async () => {
  for (const body of [{}, { linhas: [] }, { linhas: [{ linha: 2 }] }, { linhas: 'x' }]) {
    expect((await clinician.post('/beneficiarios/importacao', body)).status).toBe(422)
  }
})
