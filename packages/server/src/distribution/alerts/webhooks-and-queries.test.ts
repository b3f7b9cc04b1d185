import { createHmac } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { alertSuite } from '../../../test/stand-ins/alert-suite.ts'
import { encryptWebhook } from './webhook.ts'

const { suite, values, tables, hook, work, pass, evaluate, publish, watch, change, ...read } = alertSuite()
const { outcomes, sendings } = read
const withRows = { papeisRls: ['Regional'] }

describe('a webhook', () => {
  const watchByHook = async (address = suite.hook, fields: object = {}) => {
    const report = await publish(fields)
    const segredo = `whsec_${Buffer.from('chave secreta').toString('base64')}`
    const webhook = encryptWebhook(suite.app.services.secrets, { endereco: address, segredo })
    const made = await watch(report, { webhook, estado: 'NORMAL', porEmail: false }, { tipoUsuario: 'ADMIN' })
    values.set('todos', 1)
    await evaluate()
    values.set('todos', 500)
    await evaluate()
    return made
  }

  test('a webhook is called with a signature, once', async () => {
    const { idAlerta } = await watchByHook()
    await work()
    const [call, ...more] = hook.calls
    expect(more).toEqual([])
    const { data, type } = JSON.parse(call?.body ?? '')
    expect(type).toBe('alerta.atingido')
    expect(data).toMatchObject({
      idAlerta,
      nomeAlerta: 'Custo alto',
      valor: 500,
      anterior: 1,
      condicao: 'ACIMA',
    })
    expect(data.link).toMatch(/^https:\/\/bi\.exemplo\.com\.br\/relatorio-embed\//)
    const header = (name: string) => String(call?.headers[name])
    const signed = `${header('webhook-id')}.${header('webhook-timestamp')}.${call?.body}`
    const expected = createHmac('sha256', 'chave secreta').update(signed).digest('base64')
    expect(header('webhook-signature')).toBe(`v1,${expected}`)
    expect(await sendings()).toMatchObject([{ canal: 'WEBHOOK', estado: 'ENVIADO', tentativas: 1 }])
  })

  test('a webhook is called once while its outcome cannot be written for a moment', async () => {
    let isGone = false
    const { db } = suite.app.services
    const broken = db.withPlugin({
      transformQuery: ({ node }) => {
        if (
          isGone &&
          node.kind === 'UpdateQueryNode' &&
          JSON.stringify(node).includes('"name":"alerta_envio"')
        )
          throw Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' })
        return node
      },
      transformResult: async ({ result }) => result,
    }) as typeof db
    hook.onCall = async () => {
      isGone = true
      setTimeout(() => {
        isGone = false
      }, 1_500)
    }
    const report = await publish()
    const segredo = `whsec_${Buffer.from('chave secreta').toString('base64')}`
    const webhook = encryptWebhook(suite.app.services.secrets, { endereco: suite.hook, segredo })
    await watch(report, { webhook, estado: 'NORMAL', porEmail: false }, { tipoUsuario: 'ADMIN' })
    values.set('todos', 1)
    await evaluate()
    values.set('todos', 500)
    await pass(60_000)
    await suite.app.db.updateTable('alerta').set({ proximaEm: new Date() }).execute()
    await work({ db: broken })
    await pass(2 * 60_000)
    await suite.app.db.updateTable('alerta').set({ proximaEm: null }).execute()
    await work()
    expect(hook.calls).toHaveLength(1)
    expect(await sendings()).toMatchObject([{ canal: 'WEBHOOK', estado: 'ENVIADO', tentativas: 1 }])
  })

  test('a webhook is called once when its claim ends before the call', async () => {
    const { idAlerta } = await watchByHook()
    hook.calls.length = 0
    await suite.app.db
      .updateTable('alerta')
      .set({ proximaEm: null })
      .where('idAlerta', '=', idAlerta)
      .execute()
    await suite.app.db
      .updateTable('alertaEnvio')
      .set({ estado: 'NA_FILA', tentarEm: new Date(0), tentativas: 0 })
      .execute()
    const { db } = suite.app.services
    let isFirst = true
    const suspended = db.withPlugin({
      transformQuery: ({ node }) => node,
      transformResult: async ({ result }) => {
        if (isFirst && result.rows.some((row) => row && 'tentativas' in row)) {
          isFirst = false
          await pass(61_000)
          await work()
        }
        return result
      },
    }) as typeof db
    await work({ db: suspended })
    expect([isFirst, hook.calls.length]).toEqual([false, 1])
  })

  test('a webhook gets no value that differs for each person', async () => {
    await watchByHook(suite.hook, withRows)
    expect(JSON.parse(hook.calls[0]?.body ?? '{}').data).not.toHaveProperty('valor')
  })

  test('a webhook that fails is called again, and given up after six calls', async () => {
    hook.status = 500
    await watchByHook()
    for (let again = 0; again < 8; again += 1) {
      await pass(6 * 3_600_000)
      // The alert itself is not of interest here.
      await suite.app.db.updateTable('alerta').set({ proximaEm: null }).execute()
      await work()
    }
    expect(hook.calls).toHaveLength(6)
    expect(new Set(hook.calls.map(({ headers }) => headers['webhook-id'])).size).toBe(1)
    expect(await sendings()).toMatchObject([
      { estado: 'FALHOU', motivo: 'O webhook respondeu 500.', tentativas: 6 },
    ])
  })

  test('a webhook in a private network is not called', async () => {
    await watchByHook(suite.hook.replace('localhost', '127.0.0.1'))
    expect(hook.calls).toEqual([])
    expect(await sendings()).toMatchObject([
      { estado: 'FALHOU', motivo: expect.stringMatching(/rede interna.*WEBHOOK_PRIVATE_HOSTS/) },
    ])
  })
})

describe('a DAX query', () => {
  test('a DAX query is evaluated for an ADMIN only, and as the user that the report sends', async () => {
    const report = await publish({ enviaIdentidade: true }, 'microsoft')
    const { user, idAlerta } = await watch(
      report,
      { origem: 'DAX', consulta: 'EVALUATE ROW("v", [Custo])', visual: null, coluna: null, pagina: null },
      { tipoUsuario: 'ADMIN' },
    )
    let value: unknown = 50
    suite.provider.answer('runQuery', () => ({
      body: { results: [{ tables: [{ rows: value === undefined ? [] : [{ '[v]': value }] }] }] },
    }))
    await evaluate()
    value = 500
    await evaluate()
    const sent = suite.provider.seen.filter(({ path }) => path.endsWith('/executeQueries'))
    expect(JSON.parse(sent[0]?.body ?? '')).toEqual({
      queries: [{ query: 'EVALUATE ROW("v", [Custo])' }],
      serializerSettings: { includeNulls: true },
      impersonatedUserName: user.emailUsuario,
    })
    expect(await outcomes(idAlerta)).toEqual([
      ['INICIAL', 50, null],
      ['CRUZOU', 500, 50],
    ])
    await change('usuario', { tipoUsuario: 'USER' }, user.idUsuario)
    await evaluate()
    expect((await outcomes(idAlerta)).at(-1)).toEqual(['RECUSADA', null, null])
    expect(suite.provider.seen.filter(({ path }) => path.endsWith('/executeQueries'))).toHaveLength(2)
  })

  test.each([
    ['several rows', { results: [{ tables: [{ rows: [{ a: 1 }, { a: 2 }] }] }] }, /uma linha e uma coluna/],
    ['several columns', { results: [{ tables: [{ rows: [{ a: 1, b: 2 }] }] }] }, /uma linha e uma coluna/],
    ['an error', { results: [{ error: { code: 'x' } }] }, /recusou a consulta/],
  ])('a DAX query with %s fails, and says why', async (_, body, frase) => {
    const report = await publish({}, 'microsoft')
    await watch(report, { origem: 'DAX', consulta: 'EVALUATE X' }, { tipoUsuario: 'ADMIN' })
    suite.provider.answer('runQuery', () => ({ body }))
    await evaluate()
    const row = await suite.app.db.selectFrom('alerta').select('falha').executeTakeFirstOrThrow()
    expect(row.falha).toMatch(frase)
  })
})
