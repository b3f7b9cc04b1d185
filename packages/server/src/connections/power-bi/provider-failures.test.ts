import { type ConnectionTest, problems, TestStep } from '@bi-manager/contract'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createConnection, createReport, createWorkspace } from '../../../test/reports.ts'
import {
  commonFailures,
  type Failure,
  otherSigns,
  particularFailures,
} from '../../../test/stand-ins/provider-failures.ts'
import { groupId, startProvider } from '../../../test/stand-ins/provider-stand-in.ts'
import type { TestApp } from '../../../test/test-app.ts'
import { useTestApp } from '../../../test/use-test-app.ts'
import { createUser } from '../../../test/users.ts'

/* Every failure of the provider gives one sentence in every call, never a 500 or a long wait. */

const limitMs = 1000
const secret = 'Segredo&da=conexão/de+teste'

let provider: Awaited<ReturnType<typeof startProvider>>
let admin: Awaited<ReturnType<TestApp['as']>>
beforeAll(async () => {
  provider = await startProvider()
})
afterAll(() => provider.close())
const app = useTestApp(
  () => ({
    ...provider.settings,
    BI_TIMEOUT_SECONDS: String(limitMs / 1000),
    RATE_LIMIT_PER_MINUTE: '100000',
  }),
  { resets: false },
)
beforeAll(async () => {
  admin = await app.as(await createUser(app, { tipoUsuario: 'ADMIN' }))
})
beforeEach(() => provider.restore())

const failures = [...particularFailures, ...otherSigns, ...commonFailures].map(
  (failure) => [failure.name, failure] as const,
)
const failuresOf = (...kinds: Failure['kind'][]) => failures.filter(([, { kind }]) => kinds.includes(kind))

const connect = async ({ credential }: Pick<Failure, 'credential'>, provedor?: 'local') => {
  const { idPowerBi } = await createConnection(app, {
    segredo: app.services.secrets.encrypt(secret),
    ...(credential ? { tipoCredencial: credential, username: 'bi@exemplo.com.br' } : {}),
    ...(provedor ? { provedor } : {}),
  })
  return idPowerBi
}

const within = async <T>(ms: number, work: () => Promise<T>): Promise<T> => {
  const started = performance.now()
  const result = await work()
  expect(performance.now() - started).toBeLessThan(ms)
  return result
}

const expectNoSecret = (value: unknown) => {
  expect(JSON.stringify(value)).not.toContain('Segredo')
  expect(JSON.stringify(value)).not.toContain('Bearer')
}

const detailOf = (etapas: ConnectionTest['etapas']) => etapas.find(({ ok }) => ok === false)?.detalhe ?? ''

describe("'Testar conexão'", () => {
  test.each(failures)("'Testar conexão' ends its step with a sentence on %s", async (_, failure) => {
    const { kind, answer, step, says } = failure
    provider.answer(kind, answer)
    const id = await connect(failure)
    const { status, body } = await within(2 * limitMs + 500, () =>
      admin.post(`/usuarios/powerbi/${id}/testar`),
    )
    expect(status).toBe(200)
    const { etapas }: ConnectionTest = body
    const failed = TestStep.options.indexOf(step)
    expect(etapas.map(({ nome }) => nome)).toEqual(TestStep.options)
    expect(etapas.map(({ ok }) => ok)).toEqual(
      TestStep.options.map((_, index) => (index < failed ? true : index === failed ? false : null)),
    )
    expect(detailOf(etapas)).toMatch(says)
    expect(etapas.slice(failed + 1).every(({ detalhe }) => detalhe.startsWith('Não testado'))).toBe(true)
    expectNoSecret(body)
    const audit = await app.db
      .selectFrom('auditoria')
      .selectAll()
      .where('objeto', '=', `powerbi:${id}`)
      .execute()
    expect(audit).toMatchObject([{ acao: 'connection.tested', detalhes: body }])
  })

  test.each(
    [...particularFailures, ...commonFailures]
      .filter(({ name }) => !/answer in time/.test(name))
      .map((failure) => [failure.name, failure] as const),
  )("'Testar conexão' names only the local service on %s of a local connection", async (_, failure) => {
    provider.answer(failure.kind, failure.answer)
    const id = await connect(failure, 'local')
    const { body } = await admin.post(`/usuarios/powerbi/${id}/testar`)
    const sentence = detailOf(body.etapas)
    expect(sentence).not.toBe('')
    expect(sentence).not.toMatch(/Microsoft|Entra|Azure|Power BI|AADSTS|\{/)
    expectNoSecret(body)
  })

  test("'Testar conexão' has a separate sentence, with the provider's code, for each particular failure", async () => {
    const sentences = new Set<string>()
    for (const failure of particularFailures) {
      provider.answer(failure.kind, failure.answer)
      const { body } = await admin.post(`/usuarios/powerbi/${await connect(failure)}/testar`)
      const sentence = detailOf(body.etapas)
      if (failure.kind === 'token') expect(sentence).toContain(`(Código: ${failure.name}.)`)
      sentences.add(sentence.replace(/ \(Código: .*/, ''))
      provider.restore()
    }
    expect(sentences.size).toBe(particularFailures.length)
  })
})

describe('GET /usuarios/powerbi/:id/grupos', () => {
  test.each(failuresOf('token', 'groups'))(
    'GET /usuarios/powerbi/:id/grupos answers the advice on %s',
    async (_, failure) => {
      const id = await connect(failure)
      await expectAdvised(failure, `/usuarios/powerbi/${id}/grupos`)
    },
  )
})

describe('GET /usuarios/powerbi/:id/grupos/:idGrupo/relatorios', () => {
  test.each(failuresOf('token', 'groupReports'))(
    'GET /usuarios/powerbi/:id/grupos/:idGrupo/relatorios answers the advice on %s',
    async (_, failure) => {
      const id = await connect(failure)
      await expectAdvised(failure, `/usuarios/powerbi/${id}/grupos/${groupId}/relatorios`)
    },
  )

  test.each([
    [404, /não encontrou este workspace/],
    [403, /não participa deste workspace/],
  ])(
    'GET /usuarios/powerbi/:id/grupos/:idGrupo/relatorios answers the advice for groups on %i',
    async (status, says) => {
      provider.answer('groupReports', () => ({ status, body: { error: { code: 'PowerBIEntityNotFound' } } }))
      const { body } = await admin.get(`/usuarios/powerbi/${await connect({})}/grupos/${groupId}/relatorios`)
      expect(body.detail).toMatch(says)
    },
  )
})

const expectAdvised = async ({ kind, answer, codigo, says }: Failure, url: string) => {
  provider.answer(kind, answer)
  const { status, body, headers } = await within(limitMs + 700, () => admin.get(url))
  expect([status, body.codigo]).toEqual([problems[codigo].status, codigo])
  expect(body.detail).toMatch(says)
  if (codigo === 'bi_sobrecarregado') expect(headers['retry-after']).toBe('17')
  expectNoSecret(body)
}

describe('POST /usuarios/relatorio/embed', () => {
  test.each(failuresOf('token', 'report', 'dataset', 'generateToken'))(
    "POST /usuarios/relatorio/embed answers the viewer's problem on %s",
    async (_, failure) => {
      const { kind, answer, codigo, says } = failure
      const idPowerBi = await connect(failure)
      const workspace = await createWorkspace(app, { idPowerBi })
      const { reportId } = await createReport(app, { idGrupoRelatorio: workspace.idGrupoRelatorio })
      provider.answer(kind, answer)
      const { status, body } = await within(limitMs + 700, () =>
        admin.post('/usuarios/relatorio/embed', { groupId: workspace.idGrupo, reportId }),
      )
      expect([status, body.codigo]).toEqual([problems[codigo].status, codigo])
      // The viewer reads whom to ask, not what to do at Microsoft; an ADMIN, which field to set.
      if (codigo === 'bi_identidade_necessaria') expect(body.detail).toMatch(says)
      else expect(body.detail).toBe(problems[codigo].detail)
      expectNoSecret(body)
    },
  )
})
